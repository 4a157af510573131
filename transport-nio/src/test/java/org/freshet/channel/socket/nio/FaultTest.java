package org.freshet.channel.socket.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelPipeline;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of peers and handlers on real sockets: the channel ends cleanly, and the server survives. */
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
                () -> { // the boss is busy here, so it accepts nothing meanwhile
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

    /**
     * An idle loop makes about one iteration per task; a spinning one makes many between two tasks of another thread.
     */
    private static void assertLoopIdles(Channel channel) {
        NioWorker worker = ((NioSocketChannel) channel).getWorker();
        long[] turns = new long[2];
        Rig.onLoop(channel, () -> turns[0] = worker.turns());
        for (int i = 0; i < 1000; i++) {
            Rig.onLoop(channel, () -> {});
        }
        Rig.onLoop(channel, () -> turns[1] = worker.turns());
        assertTrue(turns[1] - turns[0] <= 3000, "1,000 tasks took " + (turns[1] - turns[0]) + " loop iterations");
    }

    @Test
    void shouldFailAPartialWriteWhenAnEndIsFollowedByAReset() throws Exception {
        Channel server = bind(SMALL_SEND_BUFFER);
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress(), 8 * 1024);
        Channel channel = accepted.awaitConnected();
        channel.setReadable(false).awaitUninterruptibly(); // so that it does not detect the end by reading
        ChannelFuture stuck = channel.write(wrappedBuffer(new byte[10_000_000]));
        ChannelFuture queued = channel.write(wrappedBuffer(new byte[10]));
        Await.until(() -> accepted.events().contains("interest --"), "a partial write");
        peer.endOutput();
        assertLoopIdles(channel);
        peer.reset();
        assertInstanceOf(IOException.class, Await.failure(stuck, "the partial write"));
        assertInstanceOf(ClosedChannelException.class, Await.failure(queued, "the write after it"));
        accepted.awaitClosed();
        assertLoopIdles(channel);
        shouldStillServe(server);
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "exception", "negative", "tooMuch"})
    void shouldCloseOnlyTheConnectionWhoseFileRegionFails(String fault) throws Exception {
        Channel server = bind(Map.of());
        ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
        Channel channel = accepted.awaitConnected();
        List<ChannelFuture> futures = new ArrayList<>();
        Rig.onLoop(channel, () -> {
            futures.add(channel.write(copiedBuffer("before", US_ASCII)));
            futures.add(channel.write(new FaultyRegion(fault)));
            futures.add(channel.write(copiedBuffer("after", US_ASCII)));
        });
        assertEquals("before", new String(peer.readToEnd(), US_ASCII));
        accepted.awaitClosed();
        Await.success(futures.get(0), "the write before");
        assertSame(accepted.failures().get(0), Await.failure(futures.get(1), "the region"));
        assertInstanceOf(ClosedChannelException.class, Await.failure(futures.get(2), "the write after"));
        peer.close();
        shouldStillServe(server);
    }

    private record FaultyRegion(String fault) implements FileRegion {
        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return 10;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) {
            return switch (fault) {
                case "error" -> throw new NoClassDefFoundError("thrown on purpose");
                case "exception" -> throw new IllegalStateException("thrown on purpose");
                case "negative" -> -1;
                default -> 11;
            };
        }

        @Override
        public void releaseExternalResources() {}
    }

    @Test
    void shouldCompleteTheWriteOfARegionThatCannotBeReleased(@TempDir Path dir) throws Exception {
        Channel server = bind(Map.of());
        Path file = Files.write(dir.resolve("content"), new byte[10]);
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress());
                FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
            Channel channel = accepted.awaitConnected();
            ChannelFuture written = channel.write(new DefaultFileRegion(open, 0, 10, true) {
                @Override
                public void releaseExternalResources() {
                    throw new IllegalStateException("thrown on purpose");
                }
            });
            Await.success(written, "the region");
            peer.read(10);
            channel.write(copiedBuffer("after", US_ASCII));
            assertEquals("after", peer.readText(5));
        }
    }

    @Test
    void shouldQueueNoMoreThanTheUserWroteForAPeerThatDoesNotRead() throws Exception {
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
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void shouldContinueAfterAListenerThrew(Class<? extends Throwable> kind) throws Exception {
        Channel server = bind(Map.of());
        try (CapturedLog log = CapturedLog.start();
                ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            Channel channel = accepted.awaitConnected();
            channel.write(copiedBuffer("a", US_ASCII)).addListener(f -> {
                if (kind == NoClassDefFoundError.class) {
                    throw new NoClassDefFoundError("thrown on purpose");
                }
                throw new IllegalStateException("thrown on purpose");
            });
            Await.success(channel.write(copiedBuffer("b", US_ASCII)), "the write after");
            assertEquals("ab", peer.readText(2));
            log.awaitMessage(m -> kind.isInstance(m.cause()));
            assertTrue(channel.isOpen());
        }
    }

    @Test
    void shouldCloseAConnectionWhosePipelineCannotBeCreated() throws Exception {
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
    void shouldFailWritesThatListenersMakeOnClose() throws Exception {
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

    /** A user's pipeline may throw exceptions that Freshet's would report. */
    @Test
    void shouldCloseOnlyTheConnectionWhosePipelineThrowsInAFlush() throws Exception {
        Channel server = rig.bind(
                () -> {
                    DefaultChannelPipeline pipeline = new DefaultChannelPipeline() {
                        @Override
                        public void sendUpstream(ChannelEvent e) {
                            if (e instanceof WriteCompletionEvent) {
                                throw new IllegalStateException("thrown on purpose");
                            }
                            super.sendUpstream(e);
                        }
                    };
                    pipeline.addLast("accepted", accepted);
                    return pipeline;
                },
                Map.of());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            accepted.awaitConnected().write(copiedBuffer("sent", US_ASCII));
            assertEquals("sent", peer.readText(4));
            peer.awaitEnd();
            accepted.awaitClosed();
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
