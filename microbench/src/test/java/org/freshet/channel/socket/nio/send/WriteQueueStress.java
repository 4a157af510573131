package org.freshet.channel.socket.nio.send;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.StressChannel;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Another thread writes 1 and then 2 while the loop takes what is queued and writes 3. */
@JCStressTest
@Outcome(id = "123", expect = ACCEPTABLE)
@Outcome(id = "132", expect = ACCEPTABLE)
@Outcome(id = "312", expect = ACCEPTABLE)
@State
public class WriteQueueStress {
    private static final Channel CHANNEL = new StressChannel(Channels.pipeline());

    private static final class Named extends OutgoingMessage {
        final int name;

        Named(int name) {
            super(new DownstreamMessageEvent(
                    CHANNEL, Channels.succeededFuture(CHANNEL), ChannelBuffers.EMPTY_BUFFER, null));
            this.name = name;
        }
    }

    private static final class Queue extends WriteQueue {
        @Override
        public void takeRequests() {
            ChannelRequest request = takeInbox();
            while (request != null) {
                ChannelRequest following = request.next;
                append((OutgoingMessage) request);
                request = following;
            }
        }

        @Override
        protected void onLeft(OutgoingMessage message) {
            // nothing was charged
        }

        void write(int name) {
            takeRequests();
            append(new Named(name));
        }
    }

    private final Queue queue = new Queue();

    @Actor
    public void writer() {
        queue.push(new Named(1));
        queue.push(new Named(2));
    }

    @Actor
    public void loop() {
        queue.write(3);
    }

    @Arbiter
    public void later(I_Result r) {
        queue.takeRequests();
        while (!queue.isEmpty()) {
            r.r1 = r.r1 * 10 + ((Named) queue.remove()).name;
        }
    }
}
