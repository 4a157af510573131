package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChannelPipeline;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.MemoryChannelFactory;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** How long a peer may take, on a clock that the test advances. */
class Http2TimeoutsTest {
    /** One check longer than the 30 seconds. */
    private static final long STALL_MILLIS = 37_500;

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();

    private Http2ServerHandler handler;

    private Http2Settings settings(Http2Timeouts timeouts) {
        return Http2Settings.defaults().toBuilder()
                .timer(timer)
                .timeouts(timeouts)
                .build();
    }

    private FramePeer client(Http2Timeouts timeouts) {
        handler = new Http2ServerHandler(log::pipeline, settings(timeouts));
        return FramePeer.client(handler);
    }

    private FramePeer client() {
        return client(Http2Timeouts.defaults());
    }

    private void assertAborted(FramePeer peer, String reason) {
        assertFalse(peer.channel.isOpen());
        CloseReason.Kind kind = reason.contains("idle stream") ? CloseReason.Kind.PROTOCOL : CloseReason.Kind.TIMED_OUT;
        assertEquals(kind, peer.channel.getCloseReason().kind());
        List<Throwable> caught = peer.channel.takeCaught();
        assertEquals(1, caught.size(), caught.toString());
        assertTrue(caught.get(0).getMessage().contains(reason), caught.get(0).getMessage());
        assertEquals(0, timer.pendingTimeouts());
    }

    // ---- SETTINGS ----

    @Test
    void shouldEndAConnectionWhoseSettingsAreNotAcknowledged() {
        FramePeer peer = new FramePeer(new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults())));
        peer.send(Http2ServerHandler.PREFACE);
        peer.send(frame(SETTINGS, 0, 0));
        peer.lines();
        timer.advanceMillis(9_999);
        assertEquals(List.of(), peer.lines());

        timer.advanceMillis(1);

        assertEquals(List.of("GOAWAY 0 SETTINGS_TIMEOUT"), peer.lines());
        assertAborted(peer, "not acknowledged within 10000 ms");
    }

    @Test
    void shouldEndAConnectionThatDoesNotBegin() {
        FramePeer peer = new FramePeer(new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults())));

        timer.advanceMillis(10_000);

        assertAborted(peer, "not acknowledged");
    }

    @Test
    void shouldEndAClientsConnectionToASilentServer() {
        FramePeer peer = new FramePeer(new Http2ClientHandler(settings(Http2Timeouts.defaults())));

        timer.advanceMillis(10_000);

        assertAborted(peer, "not acknowledged");
    }

    @Test
    void shouldCloseAConnectionThatBeginsWithNeitherVersion() {
        HttpServerChooser chooser = new HttpServerChooser(log::pipeline, settings(Http2Timeouts.defaults()));
        MemoryChannel channel = MemoryChannel.connected(chooser).closeAfterEnd();
        channel.receive(ChannelBuffers.copiedBuffer("PRI", StandardCharsets.US_ASCII));
        timer.advanceMillis(9_999);
        assertTrue(channel.isOpen());

        timer.advanceMillis(1);

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldApplyNoTimeOutOnceHttp11IsChosen() {
        HttpServerChooser chooser = new HttpServerChooser(log::pipeline, settings(Http2Timeouts.defaults()));
        MemoryChannel channel = MemoryChannel.connected(chooser).closeAfterEnd();

        channel.receive(ChannelBuffers.copiedBuffer("GET", StandardCharsets.US_ASCII));

        assertEquals(0, timer.pendingTimeouts());
    }

    // ---- windows ----

    @Test
    void shouldResetAStreamWhoseWindowStaysClosed() {
        FramePeer peer = client();
        peer.send(setting(0x4, 10), peer.get(1, "/"));
        ChannelFuture written = log.last().write(response(100));
        peer.lines();
        timer.advanceMillis(30_000);
        assertEquals(List.of(), peer.lines());

        timer.advanceMillis(STALL_MILLIS - 30_000);

        assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
        assertEquals(CloseReason.Kind.TIMED_OUT, log.last().getCloseReason().kind());
        assertInstanceOf(Http2StreamException.class, written.getCause());
        assertTrue(peer.channel.isOpen());
    }

    /** CVE-2019-9511: a window that opens one octet at a time. */
    @Test
    void shouldResetAStreamWhoseWindowOpensTooSlowly() {
        FramePeer peer = client();
        peer.send(setting(0x4, 10), peer.get(1, "/"));
        log.last().write(response(10_000));

        for (int i = 0; i < 8; i++) {
            peer.send(windowUpdate(1, 1));
            timer.advanceMillis(5_000);
        }

        assertFalse(log.last().isOpen());
    }

    @Test
    void shouldNotResetAStreamThatIsReadSlowly() {
        FramePeer peer = client();
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        log.last().write(response(10_000));

        for (int i = 0; i < 8; i++) {
            timer.advanceMillis(25_000);
            peer.send(windowUpdate(1, 1024));
        }

        assertTrue(log.last().isOpen());
    }

    @Test
    void shouldResetStreamsHeldByTheConnectionsWindow() {
        FramePeer peer = client();
        peer.send(setting(0x4, 1 << 20), peer.get(1, "/"));
        log.last().write(response(70_000));
        timer.advanceMillis(STALL_MILLIS + 7_500); // the first check finds data sent before

        assertFalse(log.last().isOpen());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldNotBlameStreamsForWaitingBehindOthers() {
        FramePeer peer = client(Http2Timeouts.defaults().withIdle(Duration.ZERO));
        peer.send(windowUpdate(0, 1 << 30), setting(0x4, 1 << 30), peer.get(1, "/"), peer.get(3, "/"));
        peer.channel.holdWrites();
        log.channels.get(0).write(response(1_000_000));
        log.channels.get(1).write(response(1_000_000));

        for (int i = 0; i < 20; i++) {
            timer.advanceMillis(5_000);
            Channels.fireWriteComplete(peer.channel, 100);
        }

        log.channels.forEach(stream -> assertTrue(stream.isOpen()));
    }

    @Test
    void shouldNotTimeOutASlowHandler() {
        FramePeer peer = client();
        peer.send(peer.get(1, "/"));

        timer.advanceMillis(1_000_000);

        assertTrue(log.last().isOpen());
    }

    @Test
    void shouldCloseAConnectionWhosePeerReadsNothing() {
        FramePeer peer = client();
        peer.send(peer.get(1, "/"));
        peer.channel.holdWrites();
        ChannelFuture written = log.last().write(response(10));

        timer.advanceMillis(STALL_MILLIS + 7_500); // the first check finds data sent before

        assertFalse(written.isSuccess());
        assertTrue(written.isDone());
        assertAborted(peer, "nothing could be sent");
    }

    /** The end of a connection must not wait for a peer that reads nothing. */
    @Test
    void shouldCloseAnEndedConnectionEvenIfItsPeerReadsNothing() {
        FramePeer peer = client();
        peer.channel.holdWrites();
        peer.send(data(1, true, "on an idle stream"));
        assertTrue(peer.channel.isOpen(), "the GOAWAY was not sent yet");

        timer.advanceMillis(2_000);

        assertAborted(peer, "idle stream");
    }

    // ---- PING ----

    @Test
    void shouldPingASilentPeer() {
        FramePeer peer = client(Http2Timeouts.defaults()
                .withIdle(Duration.ZERO)
                .withPing(Duration.ofSeconds(20), Duration.ofSeconds(8)));
        timer.advanceMillis(16_000);
        peer.send(windowUpdate(0, 1));
        timer.advanceMillis(20_000);
        assertEquals(List.of(), peer.lines());

        timer.advanceMillis(2_000);
        assertEquals(List.of("PING"), peer.lines());
        peer.send(frame(PING, ACK, 0, new byte[8]));
        timer.advanceMillis(20_000);
        assertEquals(List.of(), peer.lines());
        timer.advanceMillis(2_000);
        assertEquals(List.of("PING"), peer.lines());
        timer.advanceMillis(8_000);
        assertTrue(peer.channel.isOpen());

        timer.advanceMillis(2_000);

        assertAborted(peer, "PING was not answered within 8000 ms");
    }

    @Test
    void shouldSendNoPingByDefault() {
        FramePeer peer = client(Http2Timeouts.defaults().withIdle(Duration.ZERO));

        timer.advanceMillis(10_000_000);

        assertEquals(List.of(), peer.lines());
        assertTrue(peer.channel.isOpen());
    }

    // ---- idle, drained ----

    @Test
    void shouldDrainAConnectionWithoutRequests() {
        FramePeer peer = client();
        peer.send(peer.get(1, "/"));
        timer.advanceMillis(300_000);
        assertTrue(peer.channel.isOpen(), "a handler works");
        log.last().write(response(0));
        peer.lines();
        timer.advanceMillis(60_000);
        assertTrue(peer.channel.isOpen());

        timer.advanceMillis(15_000);

        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
        assertFalse(peer.channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveAnIdleConnectionToAClient() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler(settings(Http2Timeouts.defaults())));

        timer.advanceMillis(1_000_000);

        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldIgnoreNewStreamsAndLetOpenOnesEndWhileItDrains() {
        FramePeer peer = client();
        peer.send(peer.get(1, "/"), peer.request(3, false, "POST", "/"));
        handler.drain();
        assertEquals(List.of("GOAWAY 3 NO_ERROR"), peer.lines());
        for (int i = 0; i < 300; i++) { // more than a peer may otherwise provoke
            peer.send(peer.get(5 + 2 * i, "/"));
        }
        assertEquals(List.of(), peer.lines(), "GOAWAY has said that they aren't served");
        peer.send(data(3, true, "content"));
        log.channels.get(0).write(response(1));
        assertTrue(peer.channel.isOpen());

        log.channels.get(1).write(response(1));

        assertEquals(2, log.channels.size());
        assertEquals(
                List.of("HEADERS 1 :status=200", "DATA 1 '\0' END", "HEADERS 3 :status=200", "DATA 3 '\0' END"),
                peer.lines());
        assertFalse(peer.channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseADrainingConnectionIfItsStreamsDoNotEnd() {
        FramePeer peer = client();
        peer.send(peer.get(1, "/"));
        handler.drain();
        timer.advanceMillis(29_999);
        assertTrue(log.last().isOpen());

        timer.advanceMillis(1);

        assertFalse(log.last().isOpen());
        assertAborted(peer, "after GOAWAY, no stream ended");
    }

    // ---- all ----

    @Test
    void shouldApplyNoTimeOutsIfZero() {
        FramePeer peer = client(new Http2Timeouts(
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO));
        peer.send(peer.get(1, "/"));
        handler.drain();

        assertEquals(0, timer.pendingTimeouts());
        assertTrue(log.last().isOpen());
    }

    @Test
    void shouldLeaveNoTimeOutAfterAConnectionCloses() {
        FramePeer peer = new FramePeer(new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults())));
        assertEquals(2, timer.pendingTimeouts());

        peer.channel.close();

        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldRefuseInvalidTimes() {
        Http2Timeouts standard = Http2Timeouts.defaults();
        assertThrows(IllegalArgumentException.class, () -> standard.withHandshake(millis(-1)));
        assertThrows(IllegalArgumentException.class, () -> standard.withWriteStall(millis(Long.MAX_VALUE)));
        assertThrows(IllegalArgumentException.class, () -> standard.withPing(millis(1), millis(-1)));
        assertThrows(
                NullPointerException.class,
                () -> Http2Settings.defaults().toBuilder().timeouts(null));
        assertEquals(
                new Http2Timeouts(millis(1), millis(2), millis(3), millis(4), millis(5), millis(6), millis(7)),
                standard.withHandshake(millis(1))
                        .withHead(millis(2))
                        .withWriteStall(millis(3))
                        .withIdle(millis(4))
                        .withPing(millis(5), millis(6))
                        .withDrain(millis(7)));
        assertNull(Http2Settings.defaults().timer());
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    // ---- memory ----

    @Test
    void shouldEndAConnectionThatDoesNotBeginEvenIfTheTimeOutRunsOutOfMemory() {
        FramePeer peer = new FramePeer(new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults())));
        timer.advanceMillis(9_999);
        peer.channel.scarceTasks(new Scarcity(0));

        Scarcity.survive(() -> timer.advanceMillis(1));

        Await.until(() -> !peer.channel.isOpen(), "the close");
    }

    /** A client whose connection has a timer that runs out of memory once the test says so. */
    private FramePeer client(Scarcity scarcity) {
        handler = new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .timer(scarcity.timer(timer))
                        .build());
        return FramePeer.client(handler);
    }

    @Test
    void shouldCloseAfterAnErrorEvenIfTheTimeForTheEndRunsOutOfMemory() {
        Scarcity scarcity = Scarcity.later(0);
        FramePeer peer = client(scarcity);
        scarcity.begin();

        Scarcity.survive(() -> peer.send(frame(DATA, 0, 0)));

        assertTrue(scarcity.wasReached());
        assertFalse(peer.channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** A pipeline that throws when a failure can't be reported, as without memory. */
    private static final class StarvedPipeline extends DefaultChannelPipeline {
        private boolean hasThrown;

        @Override
        protected void notifyHandlerException(ChannelEvent e, Throwable t) {
            if (e instanceof ExceptionEvent) {
                hasThrown = true;
                throw new IllegalStateException("no report", t);
            }
            super.notifyHandlerException(e, t);
        }
    }

    @Test
    void shouldCloseAfterAnErrorEvenIfItCannotBeReported() {
        StarvedPipeline pipeline = new StarvedPipeline();
        handler = new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults()));
        pipeline.addLast("http2", handler);
        pipeline.addLast("application", new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                if (!pipeline.hasThrown) {
                    throw new IllegalStateException("no report");
                }
            }
        });
        Channel channel = new MemoryChannelFactory().newChannel(pipeline);
        channel.connect(new InetSocketAddress(1));

        ((MemoryChannel) channel).receive(ChannelBuffers.wrappedBuffer(new byte[1])); // not HTTP/2
        assertTrue(pipeline.hasThrown);
        timer.advanceMillis(2_000);

        assertFalse(channel.isOpen());
    }

    @Test
    void shouldSendItsLastGoAwayWithTheNextAttemptIfTheTimeForTheDrainRunsOutOfMemory() {
        Scarcity scarcity = Scarcity.later(0);
        FramePeer peer = client(scarcity);
        peer.send(peer.get(1, "/"));
        peer.lines();
        scarcity.begin();

        Scarcity.survive(handler::drain);
        assertTrue(scarcity.wasReached());
        handler.drain();

        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
        timer.advanceMillis(30_000);
        assertAborted(peer, "after GOAWAY, no stream ended and almost nothing was sent or received within 30000 ms");
    }

    @Test
    void shouldCheckAgainAfterACheckRanOutOfMemory() {
        FramePeer peer = client();
        int timeouts = timer.pendingTimeouts();
        peer.channel.scarceTasks(new Scarcity(0));

        Scarcity.survive(() -> timer.advanceMillis(7_500));

        Await.until(() -> timer.pendingTimeouts() == timeouts, "the next check");
    }
}
