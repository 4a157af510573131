package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer that grants no window, while a handler writes without checking. */
class SpdyOverflowTest {
    private static final int LIMIT = 256 * 1024;
    private static final int PIECE = 16 * 1024;

    /** Several times the limit. */
    private static final int PIECES = 64;

    private final Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory());
    private final BlockingQueue<Channel> sessions = new LinkedBlockingQueue<>();
    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private Channel peer;

    @AfterEach
    void release() {
        rig.close();
    }

    /** Returns the server's end, after the peer has opened stream 1. */
    private Channel open(WriteOverflow policy, int limit) throws Exception {
        rig.server().setOption("child.writeBufferLimit", limit);
        rig.server().setOption("child.writeOverflow", policy);
        rig.server()
                .setPipelineFactory(() -> Channels.pipeline(
                        new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                        new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                        new Application()));
        Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        peer = rig.connect(server.getLocalAddress(), new SpdyFrameCodec(SpdyVersion.SPDY_3_1), new Receiver());
        SpdySettingsFrame noWindow = new DefaultSpdySettingsFrame();
        noWindow.setValue(SpdySettingsFrame.SETTINGS_INITIAL_WINDOW_SIZE, 0);
        peer.write(noWindow);
        return openStream(1);
    }

    private Channel next() throws InterruptedException {
        Channel session = sessions.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertTrue(session != null, "no stream was opened");
        return session;
    }

    private Channel openStream(int id) throws InterruptedException {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
        frame.headers().add("name", "value");
        peer.write(frame);
        return next();
    }

    /** Records each opened stream. */
    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof SpdySynStreamFrame) {
                sessions.add(e.getChannel());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private final class Receiver extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.add(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private static boolean areGone(List<WeakReference<Object>> frames) {
        System.gc();
        return frames.stream().allMatch(each -> each.get() == null);
    }

    private static ChannelFuture writePiece(Channel session, int streamId) {
        return session.write(piece(streamId));
    }

    private static SpdyDataFrame piece(int streamId) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(streamId);
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[PIECE]));
        return frame;
    }

    private void await(Class<? extends SpdyStreamFrame> kind, int streamId) throws InterruptedException {
        while (true) {
            Object frame = received.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            assertTrue(frame != null, "no " + kind.getSimpleName());
            if (kind.isInstance(frame) && kind.cast(frame).getStreamId() == streamId) {
                return;
            }
        }
    }

    private void widen(int streamId) {
        peer.write(new DefaultSpdyWindowUpdateFrame(streamId, PIECES * PIECE));
    }

    private static void awaitEmpty(Channel session) {
        Await.until(() -> WriteAccount.waitingBytes(session) == 0, "the empty account");
    }

    /** Writes until a write is refused or blocks, and returns the number of writes. */
    private static int writeTooMuch(Channel session) {
        AtomicInteger returned = new AtomicInteger();
        Thread writer = new Thread(() -> {
            for (int i = 0; i < PIECES && session.isOpen(); i++) {
                writePiece(session, 1);
                returned.incrementAndGet();
            }
        });
        writer.start();
        Await.until(
                () -> !writer.isAlive() || writer.getState() == Thread.State.TIMED_WAITING,
                "the writer to end or to be blocked");
        return returned.get();
    }

    @Test
    void shouldCloseASessionThatHasTooMuchToSend() throws Exception {
        Channel session = open(WriteOverflow.CLOSE, LIMIT);
        int written = writeTooMuch(session);
        Await.done(session.getCloseFuture(), "the close");
        assertEquals(Kind.OVERFLOW, session.getCloseReason().kind());
        assertTrue(written <= LIMIT / PIECE + 1, () -> written + " frames were held");
        awaitEmpty(session);
    }

    @Test
    void shouldResetTheStreamThatLacksAFrameIfWritesFail() throws Exception {
        Channel session = open(WriteOverflow.FAIL, LIMIT);
        ChannelFuture last = writePiece(session, 1);
        for (int i = 0; i < PIECES; i++) {
            last = writePiece(session, 1);
            assertTrue(WriteAccount.waitingBytes(session) <= LIMIT);
        }
        Throwable failure = Await.failure(last, "the last write");
        assertTrue(
                failure instanceof WriteOverflowException || failure instanceof SpdyProtocolException,
                failure::toString);
        await(SpdyRstStreamFrame.class, 1);
        awaitEmpty(session);
        openStream(3);
        ChannelFuture onAnother = writePiece(session, 3);
        widen(3);
        Await.success(onAnother, "a write on another stream");
    }

    /** While the I/O thread is busy, a thread that doesn't look at its futures must not fill the heap. */
    @Test
    void shouldKeepNothingForFramesThatAreRefused() throws Exception {
        Channel session = open(WriteOverflow.FAIL, LIMIT);
        CountDownLatch isBusy = new CountDownLatch(1);
        session.getPipeline().execute(() -> Await.latch(isBusy, "the end of the writes"));
        try {
            while (writePiece(session, 1).getCause() == null) {}
            List<WeakReference<Object>> refused = new ArrayList<>();
            for (int i = 0; i < PIECES; i++) {
                SpdyDataFrame frame = piece(1);
                refused.add(new WeakReference<>(frame));
                Await.failure(session.write(frame), "a write beyond the limit");
            }
            Await.until(() -> areGone(refused), "the end of the frames");
        } finally {
            isBusy.countDown();
        }
        await(SpdyRstStreamFrame.class, 1);
    }

    @Test
    void shouldBlockWritersUntilThePeerGivesAWindow() throws Exception {
        Channel session = open(WriteOverflow.BLOCK, LIMIT);
        int written = writeTooMuch(session);
        assertTrue(written <= LIMIT / PIECE, () -> written + " frames were accepted");
        widen(SpdyWire.SESSION);
        widen(1);
        for (int i = 0; i < PIECES; i++) {
            await(SpdyDataFrame.class, 1);
        }
        awaitEmpty(session);
    }

    @Test
    void shouldCountFramesWaitingForAWindowUntilTheirStreamIsReset() throws Exception {
        Channel session = open(WriteOverflow.FAIL, LIMIT);
        ChannelFuture written = writePiece(session, 1);
        Await.until(() -> WriteAccount.waitingBytes(session) >= PIECE, "the charge");
        peer.write(new DefaultSpdyRstStreamFrame(1, SpdyStreamStatus.CANCEL));
        Await.failure(written, "the write to a stream that was reset");
        awaitEmpty(session);
    }

    @Test
    void shouldCountTheRestOfAPartiallySentFrame() throws Exception {
        Channel session = open(WriteOverflow.FAIL, LIMIT);
        writePiece(session, 1);
        peer.write(new DefaultSpdyWindowUpdateFrame(1, PIECE / 4 + 1));
        await(SpdyDataFrame.class, 1);
        long rest = WriteAccount.costOf(PIECE - PIECE / 4 - 1);
        Await.until(() -> WriteAccount.waitingBytes(session) == rest, "the charge of the rest");
        widen(1);
        awaitEmpty(session);
    }

    @Test
    void shouldCountNothingOnceTheSessionHasClosed() throws Exception {
        Channel session = open(WriteOverflow.FAIL, LIMIT);
        ChannelFuture written = writePiece(session, 1);
        peer.close();
        Await.failure(written, "the write to a session that has ended");
        awaitEmpty(session);
    }

    @Test
    void shouldReportConnectionsCutOffByADrain() throws Exception {
        Channel session = open(WriteOverflow.FAIL, 0);
        writePiece(session, 1);
        DrainReport report = Await.result(
                Drain.of(rig.server())
                        .quietPeriod(Duration.ofMillis(1))
                        .deadline(Duration.ofMillis(200))
                        .start(),
                "the drain");
        assertFalse(report.isClean(), report::toString);
        String unsent = WriteAccount.costOf(PIECE) + " bytes";
        assertTrue(report.toString().contains(unsent), report::toString);
    }
}
