package org.freshet.channel.socket.oio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes block, keep their order, and complete each future once. */
class WritingTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldHaveCompletedTheFutureWhenWriteReturns(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                ChannelFuture write = channel.write(text("now"));
                assertTrue(write.isSuccess());
                assertEquals("now", peer.readText(3));
                assertTrue(channel.isWritable());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverWritesMadeBeforeAClose(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                channel.write(text("bye"));
                channel.close();
                assertArrayEquals("bye".getBytes(), peer.readToEnd());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReportExactlyTheBytesWritten(Transport transport) throws IOException {
        AtomicLong reported = new AtomicLong();
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address(), new SimpleChannelUpstreamHandler() {
                @Override
                public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
                    reported.addAndGet(e.getWrittenAmount());
                }
            });
            try (ScriptedPeer peer = server.accept()) {
                channel.write(ChannelBuffers.EMPTY_BUFFER);
                for (int length = 1; length <= 100; length++) {
                    channel.write(ChannelBuffers.wrappedBuffer(new byte[length]));
                }
                peer.read(5050);
                Await.until(() -> reported.get() == 5050, () -> "5050 bytes; reported: " + reported);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAMessageThatIsNotABuffer(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Recorder events = new Recorder();
            Channel channel = rig.connect(server.address(), events);
            try (ScriptedPeer peer = server.accept()) {
                Throwable cause = Await.failure(channel.write("text"), "the write");
                assertInstanceOf(IllegalArgumentException.class, cause);
                assertTrue(cause.getMessage().contains("java.lang.String"), cause.getMessage());
                assertEquals(List.of(cause), events.awaitEvent("exception").failures());
                channel.write(text("x"));
                assertEquals("x", peer.readText(1));
            }
        }
    }

    // ---- many writers -----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldKeepTheOrderOfEachOfSeveralWriters(Transport transport) throws IOException {
        int writers = 4;
        int messages = 3_000;
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Recorder events = new Recorder();
            Channel channel = rig.connect(server.address(), events);
            try (ScriptedPeer peer = server.accept()) {
                List<Thread> threads = new ArrayList<>();
                for (int w = 0; w < writers; w++) {
                    int writer = w;
                    threads.add(new Thread(() -> writeNumbered(channel, writer, messages)));
                }
                threads.forEach(Thread::start);
                int[] next = new int[writers];
                for (int i = 0; i < writers * messages; i++) {
                    ChannelBuffer message = ChannelBuffers.wrappedBuffer(peer.read(5));
                    assertEquals(next[message.readByte()]++, message.readInt());
                }
                threads.forEach(Await::end);
            }
            channel.close();
            events.awaitClosed();
        }
    }

    private static void writeNumbered(Channel channel, int writer, int messages) {
        for (int i = 0; i < messages; i++) {
            ChannelBuffer message = ChannelBuffers.buffer(5);
            message.writeByte(writer);
            message.writeInt(i);
            Await.success(channel.write(message), "a write");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMakeWritersWaitForASlowPeerAndReleaseThemOnClose(Transport transport) throws IOException {
        int writers = 3;
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen(4096)) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                AtomicInteger begun = new AtomicInteger();
                List<ChannelFuture> futures = new CopyOnWriteArrayList<>();
                List<Thread> threads = new ArrayList<>();
                for (int w = 0; w < writers; w++) {
                    threads.add(new Thread(() -> {
                        while (channel.isOpen()) {
                            begun.incrementAndGet();
                            futures.add(channel.write(ChannelBuffers.wrappedBuffer(new byte[1 << 20])));
                        }
                    }));
                }
                threads.forEach(Thread::start);
                Await.until(
                        () -> begun.get() == futures.size() + writers
                                && threads.stream().allMatch(WritingTest::isBlocked),
                        "all writers to be blocked");
                channel.close();
                threads.forEach(Await::end);
                assertTrue(peer.socket().isConnected());
                int failed = 0;
                for (ChannelFuture future : futures) {
                    assertTrue(future.isDone());
                    if (!future.isSuccess()) {
                        failed++;
                        assertInstanceOf(ClosedChannelException.class, future.getCause());
                    }
                }
                assertEquals(begun.get(), futures.size());
                assertTrue(failed > 0, "no write failed");
            }
        }
    }

    /** In the system's write, or parked behind it. */
    private static boolean isBlocked(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(WriterQueue.class.getName())) {
                return true;
            }
        }
        return false;
    }

    // ---- listeners --------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldNotNestWhenListenersWriteAgain(Transport transport) throws IOException {
        int writes = 50_000;
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                Thread writer = new Thread(() -> writeAgain(channel, writes));
                writer.start();
                for (int i = writes; i > 0; i--) {
                    assertEquals(i, ChannelBuffers.wrappedBuffer(peer.read(4)).readInt());
                }
                Await.end(writer);
            }
        }
    }

    private static void writeAgain(Channel channel, int left) {
        ChannelBuffer message = ChannelBuffers.buffer(4);
        message.writeInt(left);
        write(channel, message, sent -> {
            if (left > 1) {
                writeAgain(channel, left - 1);
            }
        });
    }

    /** Writes with a listener that is added before the message is sent. */
    private static ChannelFuture write(Channel channel, Object message, ChannelFutureListener listener) {
        ChannelFuture future = Channels.future(channel);
        future.addListener(listener);
        channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, future, message, null));
        return future;
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendAListenersWritesBeforeItsClose(Transport transport) throws IOException {
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen(4096)) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                CountDownLatch closing = new CountDownLatch(1);
                write(channel, text("a"), sent -> {
                    ChannelFuture second = channel.write(text("b"));
                    assertFalse(second.isDone());
                    channel.close().addListener(closed -> closing.countDown());
                    assertTrue(channel.isOpen());
                });
                assertArrayEquals("ab".getBytes(), peer.readToEnd());
                Await.latch(closing, "the close");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotNestWritesMadeOnWriteComplete(Transport transport) throws IOException {
        int writes = 20_000;
        AtomicInteger left = new AtomicInteger(writes);
        AtomicInteger deepest = new AtomicInteger();
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address(), new SimpleChannelUpstreamHandler() {
                @Override
                public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
                    if (left.decrementAndGet() > 0) {
                        if (left.get() % 1000 == 0) {
                            deepest.accumulateAndGet(new Throwable().getStackTrace().length, Math::max);
                        }
                        ctx.getChannel().write(text("x"));
                    }
                }
            });
            try (ScriptedPeer peer = server.accept()) {
                Thread writer = new Thread(() -> channel.write(text("x")));
                writer.start();
                peer.read(writes);
                Await.end(writer);
            }
        }
        assertTrue(deepest.get() < 100, "stack depth " + deepest);
    }

    // ---- file regions -----------------------------------------------------------------------------------------------

    @ParameterizedTest
    @EnumSource
    void shouldSendALargeFileRegionInOrder(Transport transport) throws IOException {
        byte[] content = new byte[8 << 20];
        Seeds.random().nextBytes(content);
        Path path = Files.write(directory.resolve("large"), content);
        int offset = 12_345;
        int length = content.length - 2 * offset;
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Channel channel = rig.connect(server.address());
            try (ScriptedPeer peer = server.accept()) {
                FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
                List<Long> progress = new CopyOnWriteArrayList<>();
                Thread writer = new Thread(() -> {
                    channel.write(text("<"));
                    writeRegion(channel, new DefaultFileRegion(file, offset, length, true), progress);
                    channel.write(text(">"));
                });
                writer.start();
                assertEquals("<", peer.readText(1));
                byte[] received = peer.read(length);
                assertEquals(">", peer.readText(1));
                Await.end(writer);
                assertArrayEquals(Arrays.copyOfRange(content, offset, offset + length), received);
                assertFalse(file.isOpen());
                assertEquals(length, progress.get(progress.size() - 1));
            }
        }
    }

    private static void writeRegion(Channel channel, DefaultFileRegion region, List<Long> progress) {
        ChannelFutureProgressListener listener = new ChannelFutureProgressListener() {
            @Override
            public void operationProgressed(ChannelFuture f, long amount, long current, long total) {
                progress.add(current);
            }

            @Override
            public void operationComplete(ChannelFuture f) {
                // only the progress counts
            }
        };
        Await.success(write(channel, region, listener), "the region");
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseWhenAFileEndsBeforeItsRegion(Transport transport) throws IOException {
        Path path = Files.write(directory.resolve("short"), new byte[100]);
        try (Rig rig = transport.rig();
                ScriptedServer server = ScriptedServer.listen()) {
            Recorder events = new Recorder();
            Channel channel = rig.connect(server.address(), events);
            try (ScriptedPeer peer = server.accept();
                    FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
                Throwable cause = Await.failure(channel.write(new DefaultFileRegion(file, 0, 200)), "the region");
                assertInstanceOf(EOFException.class, cause);
                assertEquals(100, peer.readToEnd().length);
                assertEquals(List.of(cause), events.awaitClosed().failures());
                assertTrue(file.isOpen());
            }
        }
    }

    // ---- what blocking I/O cannot do --------------------------------------------------------------------------------

    /**
     * Two handlers that write without end before they read wait for each other: each I/O thread is blocked in a write,
     * and the other's bytes fill the system's buffers. This is a documented limit of blocking transports; closing one
     * end frees both.
     */
    @ParameterizedTest
    @EnumSource
    void shouldReleaseTwoPeersThatBothWriteWithoutReadingWhenOneIsClosed(Transport transport) {
        try (Rig rig = transport.rig()) {
            Flood serverEnd = new Flood();
            Flood clientEnd = new Flood();
            Channel server = rig.listen(() -> serverEnd);
            rig.connecting(server.getLocalAddress(), clientEnd);
            Await.until(() -> serverEnd.isStuck() && clientEnd.isStuck(), "both ends to be stuck");
            serverEnd.channel.get().close();
            Await.latch(serverEnd.closed, "the close of the server's end");
            Await.latch(clientEnd.closed, "the close of the client's end");
        }
    }

    /** Writes until a write fails, and only then lets its I/O thread read. */
    private static final class Flood extends SimpleChannelUpstreamHandler {
        final AtomicReference<Channel> channel = new AtomicReference<>();
        final CountDownLatch closed = new CountDownLatch(1);

        private final AtomicLong written = new AtomicLong();
        private long lastSeen = -1;
        private int unchanged;

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            channel.set(ctx.getChannel());
            while (ctx.getChannel()
                    .write(ChannelBuffers.wrappedBuffer(new byte[64 * 1024]))
                    .isSuccess()) {
                written.incrementAndGet();
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            // too late to have an effect
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            ctx.getChannel().close();
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            closed.countDown();
        }

        /** Returns whether nothing has changed in a hundred checks in a row. */
        boolean isStuck() {
            long now = written.get();
            unchanged = now == lastSeen && channel.get() != null ? unchanged + 1 : 0;
            lastSeen = now;
            return unchanged > 100;
        }
    }

    private static ChannelBuffer text(String text) {
        return ChannelBuffers.wrappedBuffer(text.getBytes());
    }
}
