package org.freshet.channel.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.FakeChannel;
import org.freshet.testing.Allocations;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

class LocalCloseWithoutMemoryTest {
    private static final LocalAddress NAME = new LocalAddress("a close without memory");

    /** Has no memory for its first failure. */
    private static final class StarvedFuture extends DefaultChannelFuture {
        private final AtomicBoolean hasFailed = new AtomicBoolean();

        StarvedFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public boolean setFailure(Throwable cause) {
            if (!hasFailed.getAndSet(true)) {
                throw new OutOfMemoryError("thrown on purpose");
            }
            return super.setFailure(cause);
        }
    }

    private static ChannelFuture write(Channel channel, ChannelFuture future) {
        channel.getPipeline()
                .sendDownstream(new DownstreamMessageEvent(
                        channel, future, ChannelBuffers.wrappedBuffer(new byte[] {1}), null));
        return future;
    }

    @Test
    void shouldCompleteTheCloseAndFailWhatWaited() {
        Recorder ofServer = new Recorder();
        Recorder ofClient = new Recorder();
        try (Rig rig = new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory())) {
            rig.listen(NAME, () -> ofServer);
            Channel client = rig.connect(NAME, ofClient);
            Channel accepted = ofServer.awaitEvent("connected").channel();
            accepted.setReadable(false);
            write(client, new StarvedFuture(client));
            ChannelFuture behind = write(client, new DefaultChannelFuture(client, false));
            Await.done(accepted.close(), "the close");
            Await.done(behind, "the write that waited");
            assertFalse(behind.isSuccess());
            ofServer.awaitClosed();
            ofClient.awaitClosed();
        }
    }

    /** In a full heap, each allocation would have the collector stop all threads before it fails. */
    @Test
    void shouldFailWaitingMessagesWithoutAllocatingForEach() {
        int messages = 10_000;
        AtomicInteger failed = new AtomicInteger();
        ChannelFutureListener countsFailures = done -> failed.incrementAndGet();
        Outbox outbox = new Outbox(bytes -> {});
        Channel channel = new FakeChannel();
        for (int i = 0; i < messages; i++) {
            ChannelFuture future = new DefaultChannelFuture(channel, false);
            future.addListener(countsFailures);
            outbox.add(new DownstreamMessageEvent(channel, future, ChannelBuffers.EMPTY_BUFFER, null), 0);
        }
        long bytes = Allocations.bytesOf(() -> outbox.failAll(CloseReason.LOCAL));
        assertEquals(messages, failed.get());
        assertTrue(bytes < 4L * messages, bytes + " bytes for " + messages + " messages");
    }

    @Test
    void shouldCompleteAMessageWhoseReleaseRunsOutOfMemory() {
        Scarcity scarcity = new Scarcity(0);
        Outbox outbox = new Outbox(bytes -> scarcity.step());
        Channel channel = new FakeChannel();
        ChannelFuture future = new DefaultChannelFuture(channel, false);
        outbox.add(new DownstreamMessageEvent(channel, future, ChannelBuffers.EMPTY_BUFFER, null), 0);
        Scarcity.survive(() -> outbox.failAll(CloseReason.LOCAL));
        assertTrue(scarcity.wasReached());
        assertTrue(future.isDone());
    }
}
