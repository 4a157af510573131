package org.freshet.transport;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A handler that awaits an operation of its own I/O thread: what can be done immediately is done, and the rest is
 * refused.
 */
class AwaitMatrixTest {
    /** Runs an action on the first message, and reports how it ended. */
    private static final class OnMessage extends Recorder {
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private final Consumer<Channel> action;

        OnMessage(Consumer<Channel> action) {
            this.action = action;
        }

        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof MessageEvent && !done.isDone()) {
                try {
                    action.accept(ctx.getChannel());
                    done.complete(null);
                } catch (Throwable t) {
                    done.completeExceptionally(t);
                }
            }
        }
    }

    /** Runs an action of the accepted end on its I/O thread; returns what the client has received when it is closed. */
    private static String received(Pair pair, Consumer<Channel> action) {
        try (Rig rig = pair.rig()) {
            OnMessage accepted = new OnMessage(action);
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Recorder made = new Recorder();
            Channel client = rig.connect(server.getLocalAddress(), made);
            client.write(wrappedBuffer("go".getBytes()));
            Await.result(accepted.done, "the handler");
            if (accepted.channel().isOpen()) {
                client.close();
            }
            made.awaitClosed();
            List<String> events = accepted.awaitClosed().events();
            assertEquals("closed", events.get(events.size() - 1), () -> "events: " + events);
            return made.text();
        }
    }

    private static void awaitSuccess(ChannelFuture future) {
        future.awaitUninterruptibly();
        assertTrue(future.isSuccess(), () -> "" + future);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCompleteAWriteThatAHandlerAwaits(Pair pair) {
        String received = received(pair, channel -> {
            channel.write(wrappedBuffer("1".getBytes()));
            awaitSuccess(channel.write(wrappedBuffer("2".getBytes())));
            awaitSuccess(channel.write(wrappedBuffer("3".getBytes())));
            awaitSuccess(channel.close());
        });
        assertEquals("123", received);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCompleteACloseThatAHandlerAwaits(Pair pair) {
        received(pair, channel -> {
            awaitSuccess(channel.close());
            assertEquals(false, channel.isOpen());
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldCompleteAWriteAndACloseAwaitedByOtherMeans(Pair pair) {
        String received = received(pair, channel -> {
            channel.write(wrappedBuffer("1".getBytes())).toCompletableFuture().join();
            ChannelGroup group = new DefaultChannelGroup();
            group.add(channel);
            assertTrue(group.write(wrappedBuffer("2".getBytes()))
                    .awaitUninterruptibly()
                    .isCompleteSuccess());
            assertTrue(group.close().awaitUninterruptibly().isCompleteSuccess());
        });
        assertEquals("12", received);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseToAwaitWhatTheIoThreadCannotDoNow(Pair pair) {
        received(pair, channel -> {
            IllegalStateException refusal = assertThrows(
                    IllegalStateException.class, () -> Channels.future(channel).awaitUninterruptibly());
            assertTrue(
                    refusal.getMessage().startsWith("cannot await on the I/O thread of " + channel),
                    refusal::getMessage);
        });
    }

    /**
     * The peer reads nothing, so the system's buffers fill up. Not over OIO, where the write itself blocks until the
     * peer reads.
     */
    @ParameterizedTest
    @EnumSource(names = {"NIO_NIO", "NIO_OIO", "UNIX", "LOCAL"})
    void shouldRefuseToAwaitAWriteThatThePeerDoesNotRead(Pair pair) {
        try (Rig rig = pair.rig()) {
            CompletableFuture<ChannelFuture> pending = new CompletableFuture<>();
            OnMessage accepted = new OnMessage(channel -> {
                ChannelFuture write = channel.write(wrappedBuffer(new byte[64_000_000]));
                assertThrows(IllegalStateException.class, write::awaitUninterruptibly);
                pending.complete(write);
            });
            Channel server = rig.listen(pair.freeAddress(), () -> accepted);
            Channel client = rig.connect(server.getLocalAddress());
            Await.success(client.setReadable(false), "suspending");
            client.write(wrappedBuffer("go".getBytes()));
            Await.result(accepted.done, "the handler");
            client.setReadable(true);
            Await.success(Await.result(pending, "the write"), "the write, once the peer reads");
        }
    }
}
