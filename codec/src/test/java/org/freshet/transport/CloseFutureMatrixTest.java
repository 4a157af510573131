package org.freshet.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a close future completes, no write from before the close is still pending. */
class CloseFutureMatrixTest {
    private static final int MESSAGES = 64;
    private static final int MESSAGE_BYTES = 512 * 1024;

    /** Reads nothing. */
    private static final class Deaf extends Recorder {
        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof ChannelStateEvent && channel().isConnected()) {
                channel().setReadable(false);
            }
            super.handle(ctx, e);
        }
    }

    /**
     * Writes a lot. Over a blocking transport it blocks, first in the socket, and then behind another thread's write.
     */
    private static final class Writer extends Thread {
        private final Channel channel;
        private final boolean isBlocking;
        private final List<ChannelFuture> begun = new CopyOnWriteArrayList<>();

        Writer(Channel channel, boolean isBlocking) {
            this.channel = channel;
            this.isBlocking = isBlocking;
            start();
        }

        @Override
        public void run() {
            for (int i = 0; i < MESSAGES; i++) {
                ChannelFuture write = Channels.future(channel);
                begun.add(write);
                channel.getPipeline()
                        .sendDownstream(new DownstreamMessageEvent(
                                channel, write, ChannelBuffers.wrappedBuffer(new byte[MESSAGE_BYTES]), null));
            }
        }

        /** Whether everything that was started is queued. */
        boolean isQueued() {
            return getState() == State.TERMINATED || isBlocking && getState() == State.WAITING;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCompleteAfterTheWritesThatCannotBeSent(Pair pair) {
        try (Rig rig = pair.rig()) {
            Channel server = rig.listen(pair.freeAddress(), Deaf::new);
            Channel client = rig.connect(server.getLocalAddress());
            boolean isBlocking = pair == Pair.NIO_OIO || pair == Pair.OIO_OIO;
            List<Writer> writers = List.of(new Writer(client, isBlocking), new Writer(client, isBlocking));
            Await.until(() -> writers.stream().anyMatch(Writer::isQueued), "a queued write");
            List<ChannelFuture> queued = new ArrayList<>();
            writers.stream().filter(Writer::isQueued).forEach(writer -> queued.addAll(writer.begun));
            CompletableFuture<Boolean> isAllDone = new CompletableFuture<>();
            client.getCloseFuture()
                    .addListener(closed -> isAllDone.complete(queued.stream().allMatch(ChannelFuture::isDone)));
            client.close();
            assertTrue(Await.result(isAllDone, "the close"));
            for (Writer writer : writers) {
                Await.end(writer);
                writer.begun.forEach(write -> Await.done(write, "a write"));
            }
        }
    }
}
