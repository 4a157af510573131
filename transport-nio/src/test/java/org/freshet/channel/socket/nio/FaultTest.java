package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers and handlers do wrong, on real sockets: the channel ends cleanly, the server lives. */
class FaultTest {
    private static final Map<String, Object> SMALL_SEND_BUFFER = Map.of("child.sendBufferSize", 8 * 1024);

    private final Rig rig = new Rig();
    private final Recorder accepted = new Recorder();

    @AfterEach
    void release() {
        rig.close();
    }

    private Channel bind(Map<String, Object> options) {
        return rig.bind(() -> Channels.pipeline(accepted), options);
    }

    @Test
    void shouldReportAResetWhileReadingAndClose() throws Exception {
        Channel server = bind(Map.of());
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
        accepted.awaitConnected();
        peer.reset();
        accepted.awaitClosed();
        assertEquals(1, accepted.failures().size());
        assertInstanceOf(IOException.class, accepted.failures().get(0));
        shouldStillServe(server);
    }

    @Test
    void shouldFailQueuedWritesWhenThePeerResets() throws Exception {
        Channel server = bind(SMALL_SEND_BUFFER);
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024);
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(channel.write(wrappedBuffer(new byte[100_000])));
        }
        Await.until(() -> !channel.isWritable() && accepted.events().contains("interest R-"), "a partial write");
        peer.reset();
        accepted.awaitClosed();
        for (ChannelFuture future : futures) {
            assertTrue(future.isDone(), "done when the channel is closed");
        }
        assertInstanceOf(IOException.class, futures.get(99).getCause());
        shouldStillServe(server);
    }

    @Test
    void shouldSurviveAResetBeforeAccept() throws Exception {
        Channel server = bind(Map.of());
        Rig.onLoop(
                server,
                () -> { // the boss is here, so it accepts nothing meanwhile
                    for (int i = 0; i < 20; i++) {
                        try {
                            ScriptedPeer.connect(server.getLocalAddress()).reset();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                });
        shouldStillServe(server);
    }

    @Test
    void shouldCloseOnceAndNotSpinWhenAnEndIsFollowedByAReset() throws Exception {
        Channel server = bind(Map.of());
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
        Channel channel = accepted.awaitConnected();
        channel.setReadable(false).awaitUninterruptibly();
        peer.send("unread").endOutput();
        peer.reset();
        assertLoopIdles(channel);
        channel.setReadable(true);
        accepted.awaitClosed();
        assertLoopIdles(channel);
        assertEquals(1, accepted.events().stream().filter("closed"::equals).count());
    }

    /** A loop that sleeps makes about a turn a task; one that spins makes many between two tasks of another thread. */
    private static void assertLoopIdles(Channel channel) {
        NioWorker worker = ((NioSocketChannel) channel).getWorker();
        long[] turns = new long[2];
        Rig.onLoop(channel, () -> turns[0] = worker.turns());
        for (int i = 0; i < 1000; i++) {
            Rig.onLoop(channel, () -> {});
        }
        Rig.onLoop(channel, () -> turns[1] = worker.turns());
        assertTrue(turns[1] - turns[0] <= 3000, "1,000 tasks took " + (turns[1] - turns[0]) + " turns of the loop");
    }

    @Test
    void shouldHoldWhatAPeerDoesNotReadToWhatTheUserWrote() throws Exception {
        Channel server = rig.bind(
                () -> Channels.pipeline(new Recorder() {
                    @Override
                    void onMessage(MessageEvent e) {
                        e.getChannel().write(e.getMessage());
                    }

                    @Override
                    void onState(ChannelStateEvent e) {
                        Channel channel = e.getChannel();
                        if (channel.isOpen() && channel.isReadable() != channel.isWritable()) {
                            channel.setReadable(channel.isWritable());
                        }
                    }
                }),
                SMALL_SEND_BUFFER);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024)) {
            byte[] sent = new byte[4_000_000];
            Thread sender = new Thread(() -> {
                try {
                    peer.send(sent);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            peer.read(sent.length);
            Await.end(sender);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "bound", "connected", "message", "writeComplete"})
    void shouldGoOnAfterAHandlerThrewFromAnyCallback(String callback) throws Exception {
        List<Throwable> caught = Collections.synchronizedList(new ArrayList<>());
        Channel server = rig.bind(() -> Channels.pipeline(new Thrower(callback, caught)), Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("ping");
            assertEquals("ping", peer.readText(4));
            Await.until(() -> !caught.isEmpty(), "exceptionCaught");
            peer.send("pong");
            assertEquals("pong", peer.readText(4));
        }
        assertInstanceOf(NoClassDefFoundError.class, caught.get(0));
    }

    /** Echoes, and throws an Error out of one callback, after doing its work. */
    private static final class Thrower implements ChannelUpstreamHandler {
        private final String callback;
        private final List<Throwable> caught;

        Thrower(String callback, List<Throwable> caught) {
            this.callback = callback;
            this.caught = caught;
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (e instanceof ExceptionEvent failure) {
                caught.add(failure.getCause());
                return;
            }
            if (e instanceof MessageEvent message) {
                e.getChannel().write(message.getMessage());
            }
            if (callback.equals(name(e))) {
                throw new NoClassDefFoundError("thrown on purpose");
            }
        }

        private static String name(ChannelEvent e) {
            if (e instanceof MessageEvent) {
                return "message";
            }
            if (e instanceof WriteCompletionEvent) {
                return "writeComplete";
            }
            ChannelStateEvent state = (ChannelStateEvent) e;
            return switch (state.getState()) {
                case OPEN -> Boolean.TRUE.equals(state.getValue()) ? "open" : "closed";
                case BOUND -> state.getValue() != null ? "bound" : "unbound";
                case CONNECTED -> state.getValue() != null ? "connected" : "disconnected";
                case INTEREST_OPS -> "interest";
            };
        }
    }

    @Test
    void shouldFailTheWriteWhoseDownstreamHandlerThrew() throws Exception {
        Channel server = rig.bind(
                () -> {
                    ChannelPipeline pipeline = Channels.pipeline();
                    pipeline.addLast("thrower", new SimpleChannelDownstreamHandler() {
                        @Override
                        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
                            throw new AssertionError("thrown on purpose");
                        }
                    });
                    pipeline.addLast("recorder", accepted);
                    return pipeline;
                },
                Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            ChannelFuture future = accepted.awaitConnected().write(copiedBuffer("x", US_ASCII));
            assertInstanceOf(AssertionError.class, Await.failure(future, "the write"));
            Await.success(accepted.awaitConnected().close(), "the close");
            peer.awaitEnd();
        }
    }

    @Test
    void shouldCloseTheConnectionWhoseListenerThrewNothingElse() throws Exception {
        Channel server = bind(Map.of());
        try (CapturedLog log = CapturedLog.start();
                ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Channel channel = accepted.awaitConnected();
            channel.write(copiedBuffer("a", US_ASCII)).addListener(f -> {
                throw new IllegalStateException("thrown on purpose");
            });
            Await.success(channel.write(copiedBuffer("b", US_ASCII)), "the write after");
            assertEquals("ab", peer.readText(2));
            log.awaitMessage(m -> m.cause() instanceof IllegalStateException);
            assertTrue(channel.isOpen());
        }
    }

    @Test
    void shouldCloseAConnectionWhosePipelineCannotBeMade() throws Exception {
        AtomicInteger made = new AtomicInteger();
        Channel server = rig.bind(
                () -> {
                    if (made.incrementAndGet() == 1) {
                        throw new IOException("thrown on purpose");
                    }
                    return Channels.pipeline(accepted);
                },
                Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.awaitEnd();
        }
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            accepted.awaitConnected();
            peer.send("x");
            accepted.awaitReceived(1);
        }
    }

    @Test
    void shouldFailWritesOfListenersThatAnswerTheClose() throws Exception {
        Channel server = bind(SMALL_SEND_BUFFER);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024)) {
            Channel channel = accepted.awaitConnected();
            List<ChannelFuture> late = Collections.synchronizedList(new ArrayList<>());
            ChannelFuture stuck = channel.write(wrappedBuffer(new byte[10_000_000]));
            stuck.addListener(f -> late.add(channel.write(copiedBuffer("late", US_ASCII))));
            Await.success(channel.close(), "the close");
            accepted.awaitClosed();
            assertEquals(1, late.size());
            assertInstanceOf(ClosedChannelException.class, Await.failure(late.get(0), "the late write"));
            assertFalse(peer.socket().isClosed());
        }
    }

    private void shouldStillServe(Channel server) throws Exception {
        int before = accepted.receivedBytes();
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("still serving");
            accepted.awaitReceived(before + 13);
        }
    }
}
