package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server ends a session because of an error, while its client is still sending. */
class SpdySessionErrorTest {
    private static final int GOAWAY_BYTES = 16;

    /** Less than is dropped after the end. */
    private static final int UPLOAD_KIBIBYTES = 200;

    /** More than a socket's buffers hold. */
    private static final int CONTENT_BYTES = 15 * 1024 * 1024;

    /** WINDOW_UPDATE of the session with an increment of 0: an error of the session. */
    private static final byte[] SESSION_ERROR = {(byte) 0x80, 3, 0, 9, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0};

    /** SETTINGS with the largest initial window, and as large a window for the session. */
    private static final int[] LARGE_WINDOWS = {
        0x80030004, 12, 1, 7, 0x7fffffff, 0x80030009, 8, 0, 0x7f000000,
    };

    /** More than a session may owe answers to. */
    private static final int[] PINGS = pings(5000);

    private final CountDownLatch closed = new CountDownLatch(1);
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private volatile CloseReason reason;

    private final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof SpdySettingsFrame) {
                accepted.complete(ctx.getChannel());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            reason = e.getChannel().getCloseReason();
            closed.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLetAClientThatIsStillSendingReadTheGoAway(SocketTransport transport) throws Exception {
        try (Rig rig = transport.newRig()) {
            Channel server = listen(rig);
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(SESSION_ERROR);
                Await.until(() -> available(peer) >= GOAWAY_BYTES, "the GOAWAY");
                for (int i = 0; i < UPLOAD_KIBIBYTES; i++) {
                    peer.send(new byte[1024]); // the first one resets a socket that is closed, the next one fails
                }
                peer.endOutput();
                ChannelBuffer received = ChannelBuffers.wrappedBuffer(peer.readToEnd());
                assertEquals(GOAWAY_BYTES, received.readableBytes());
                assertEquals(0x80030007, received.getInt(0));
            }
            Await.latch(closed, "the close");
            assertEquals(CloseReason.Kind.PROTOCOL, reason.kind());
        }
    }

    private static int available(ScriptedPeer peer) {
        try {
            return peer.socket().getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MemoryChannel session(Timer timer) {
        return MemoryChannel.connected(
                new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                new SpdySessionHandler(SpdyVersion.SPDY_3_1, true, SpdyTimeouts.defaults(), timer));
    }

    /** Sends as long as it is read, up to a mebibyte. Returns how much was read. */
    private static int upload(MemoryChannel session, byte[] kibibyte) {
        int kibibytes = 0;
        while (kibibytes < 1024 && session.isReadable()) {
            session.receive(ChannelBuffers.wrappedBuffer(kibibyte));
            kibibytes++;
        }
        return kibibytes;
    }

    /** A frame of a closed stream that fills a kibibyte, and bytes that are not a frame. */
    @ParameterizedTest
    @ValueSource(ints = {0x000003f8, 0x00ffffff})
    void shouldReadNoMoreThan256KibibytesOfTheRest(int length) {
        FakeTimer timer = new FakeTimer();
        MemoryChannel session = session(timer);
        session.receive(ChannelBuffers.wrappedBuffer(SESSION_ERROR));
        byte[] kibibyte = Arrays.copyOf(bytes(1, length), 1024);
        assertEquals(256, upload(session, kibibyte));
        session.setReadable(true);
        assertFalse(session.isReadable());
        timer.advanceMillis(2_000);
        assertFalse(session.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** A client that reads only after it has sent everything must be able to. */
    @Test
    void shouldReadOnWhileItsOwnOutputWaits() {
        MemoryChannel session = session(new FakeTimer());
        session.holdWrites();
        session.receive(ChannelBuffers.wrappedBuffer(SESSION_ERROR));
        byte[] kibibyte = Arrays.copyOf(bytes(1, 0x3f8), 1024);
        assertEquals(1024, upload(session, kibibyte));
        session.completeWrites();
        assertEquals(1, upload(session, kibibyte));
        session.close();
        session.close();
    }

    @Test
    void shouldCloseTwoSecondsAfterAnErrorThoughTheTimerFailsOnce() {
        FakeTimer timer = new FakeTimer();
        MemoryChannel session = session(failingOnce(timer));
        session.receive(ChannelBuffers.wrappedBuffer(SESSION_ERROR));
        assertEquals(1, timer.pendingTimeouts(), "the client has some time to close");
        timer.advanceMillis(2_000);
        assertFalse(session.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    private static Timer failingOnce(FakeTimer timer) {
        AtomicBoolean hasFailed = new AtomicBoolean();
        return new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                if (hasFailed.compareAndSet(false, true)) {
                    throw new IllegalStateException("the timer takes no task now");
                }
                return timer.newTimeout(task, delay, unit);
            }

            @Override
            public long nanoTime() {
                return timer.nanoTime();
            }

            @Override
            public Set<Timeout> stop() {
                return timer.stop();
            }
        };
    }

    /** Writes more than a socket takes, on a stream of the server, and doesn't wait for it. */
    private static Thread startWriting(Channel channel) {
        Thread writer = new Thread(() -> {
            SpdySynStreamFrame stream = new DefaultSpdySynStreamFrame(2, 0, (byte) 0);
            stream.setUnidirectional(true);
            channel.write(stream);
            SpdyDataFrame content = new DefaultSpdyDataFrame(2);
            content.setData(ChannelBuffers.wrappedBuffer(new byte[CONTENT_BYTES]));
            content.setLast(true);
            channel.write(content);
        });
        writer.start();
        return writer;
    }

    private static int[] pings(int count) {
        int[] words = new int[3 * count];
        for (int i = 0; i < count; i++) {
            words[3 * i] = 0x80030006;
            words[3 * i + 1] = 4;
            words[3 * i + 2] = 2 * i + 1;
        }
        return words;
    }

    private static byte[] bytes(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Integer.BYTES);
        bytes.asIntBuffer().put(words);
        return bytes.array();
    }

    private Channel listen(Rig rig) {
        rig.server()
                .setPipelineFactory(() -> Channels.pipeline(
                        new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                        new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                        new Application()));
        return rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseAtTheSecondRequestAlthoughThePeerReadsNothing(SocketTransport transport) throws Exception {
        try (Rig rig = transport.newRig();
                ScriptedPeer peer = ScriptedPeer.connect(listen(rig).getLocalAddress())) {
            peer.send(bytes(LARGE_WINDOWS));
            Channel channel = Await.result(accepted, "the session");
            Thread writer = startWriting(channel);
            Await.until(() -> WriteAccount.waitingBytes(channel) > 1024 * 1024, "the content that isn't read");
            Thread first = new Thread(channel::close); // it may have to send for the writer
            Thread second = new Thread(channel::close);
            first.start();
            second.start();
            Await.done(channel.getCloseFuture(), "the close");
            for (Thread each : List.of(writer, first, second)) {
                Await.end(each);
            }
        }
    }

    /** Disconnects while its stream is open. */
    private final class Disconnecting extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<ChannelFuture> disconnected = new CompletableFuture<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof SpdySettingsFrame) {
                Channel channel = ctx.getChannel();
                SpdySynStreamFrame stream = new DefaultSpdySynStreamFrame(2, 0, (byte) 0);
                stream.setUnidirectional(true);
                channel.write(stream);
                SpdyDataFrame content = new DefaultSpdyDataFrame(2);
                content.setData(ChannelBuffers.wrappedBuffer(new byte[CONTENT_BYTES]));
                channel.write(content);
                disconnected.complete(channel.disconnect());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    @Test
    void shouldCompleteADisconnectThatWaitsForAStreamWhenTheSessionIsGivenUp() throws Exception {
        Disconnecting application = new Disconnecting();
        try (Rig rig = SocketTransport.NIO.newRig()) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                            new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                            application));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                peer.send(bytes(LARGE_WINDOWS));
                ChannelFuture disconnected = Await.result(application.disconnected, "the request");
                Channel channel = disconnected.getChannel();
                Await.until(() -> !channel.isWritable(), "the content that isn't read");
                peer.send(bytes(PINGS)); // the peer doesn't read the answers either
                Await.done(channel.getCloseFuture(), "the close");
                Await.done(disconnected, "the disconnect");
            }
        }
    }
}
