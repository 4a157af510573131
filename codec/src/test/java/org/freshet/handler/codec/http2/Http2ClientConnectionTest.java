package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** The operations available to users that share a client's connection. */
class Http2ClientConnectionTest {
    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.server(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
            .timer(timer)
            .nanoClock(timer::nanos)
            .build()));
    private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

    private static HttpRequest get() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaders.Names.HOST, "example.com");
        return request;
    }

    @Test
    void shouldOpenAStreamForARequest() {
        ChannelFuture opened = connection.open(log.pipeline());
        opened.getChannel().write(get());

        assertEquals(List.of("HEADERS 1 :method=GET :scheme=http :authority=example.com :path=/ END"), peer.lines());
        assertSame(peer.channel, opened.getChannel().getParent());
        assertSame(peer.channel, connection.getChannel());
    }

    @Test
    void shouldReportTheNumberOfStreamsAndTheirLimit() {
        assertEquals(Long.MAX_VALUE, connection.getMaxStreams());
        peer.send(setting(0x3, 1));
        assertEquals(1, connection.getMaxStreams());
        Channel first = connection.open(log.pipeline()).getChannel();
        ChannelFuture second = connection.open(log.pipeline());
        assertEquals(2, connection.getOpenStreams());
        assertFalse(second.isDone());

        first.close();
        assertTrue(second.isSuccess());
        assertEquals(1, connection.getOpenStreams());
        second.getChannel().close();
        assertEquals(0, connection.getOpenStreams());
    }

    @Test
    void shouldNotLetAStreamWaitForever() {
        peer.send(setting(0x3, 0));
        ChannelFuture waiting = connection.open(log.pipeline());
        int millis = waiting.getChannel().getConfig().getConnectTimeoutMillis();
        timer.advanceMillis(millis - 1);
        assertFalse(waiting.isDone());

        timer.advanceMillis(1);

        assertInstanceOf(ConnectTimeoutException.class, waiting.getCause());
        assertFalse(waiting.getChannel().isOpen());
        assertEquals(0, connection.getOpenStreams());
        peer.send(setting(0x3, 1));
        assertTrue(connection.open(log.pipeline()).isSuccess());
    }

    @Test
    void shouldFailTheConnectOfAWaitingStreamAsSoonAsItIsClosed() {
        peer.send(setting(0x3, 0));
        ChannelFuture waiting = connection.open(log.pipeline());

        waiting.getChannel().close();

        assertInstanceOf(ClosedChannelException.class, waiting.getCause());
        assertEquals(0, connection.getOpenStreams());
    }

    @Test
    void shouldForgetAWaitingStreamWhoseConnectIsCancelled() {
        peer.send(setting(0x3, 1));
        Channel first = connection.open(log.pipeline()).getChannel();
        ChannelFuture waiting = connection.open(log.pipeline());
        log.take();

        assertTrue(waiting.cancel());

        assertFalse(waiting.getChannel().isOpen());
        assertEquals(
                CloseReason.Kind.LOCAL, waiting.getChannel().getCloseReason().kind());
        assertEquals(List.of("0 closed"), log.take());
        assertEquals(1, connection.getOpenStreams());
        first.close();
        assertEquals(List.of("0 disconnected", "0 unbound", "0 closed"), log.take(), "of the first one");
        assertEquals(0, connection.getOpenStreams());
        assertTrue(connection.open(log.pipeline()).isSuccess(), "no place is lost");
    }

    @Test
    void shouldMeasureRoundTrips() {
        CompletableFuture<Duration> first = connection.ping().toCompletableFuture();
        timer.advanceMillis(5);
        CompletableFuture<Duration> second = connection.ping().toCompletableFuture();
        List<FramePeer.Frame> pings = peer.frames();
        assertEquals(
                List.of(PING, PING), pings.stream().map(FramePeer.Frame::type).toList());
        timer.advanceMillis(2);
        peer.send(frame(PING, ACK, 0, new byte[8])); // of no pending ping
        assertFalse(first.isDone());

        for (FramePeer.Frame ping : pings) {
            byte[] data = new byte[8];
            ping.payload().readBytes(data);
            peer.send(frame(PING, ACK, 0, data));
        }

        assertEquals(Duration.ofMillis(7), first.join());
        assertEquals(Duration.ofMillis(2), second.join());
    }

    @Test
    void shouldFailPingsWithTheConnection() {
        CompletableFuture<Duration> ping = connection.ping().toCompletableFuture();

        peer.channel.close();

        assertInstanceOf(
                ClosedChannelException.class,
                assertThrows(CompletionException.class, ping::join).getCause());
        assertTrue(connection.ping().toCompletableFuture().isCompletedExceptionally());
    }

    /** As with allowHalfClosure, where the transport leaves the channel open. */
    @Test
    void shouldEndTheConnectionWhenTheServerEndsItsOutput() {
        Channel stream = connection.open(log.pipeline()).getChannel();
        stream.write(get());

        peer.channel.getPipeline().sendUpstream(new InputShutdownEvent(peer.channel));

        assertFalse(stream.isOpen());
        assertFalse(peer.channel.isOpen());
        assertEquals(CloseReason.Kind.PEER_CLOSED, peer.channel.getCloseReason().kind());
        assertEquals(CloseReason.Kind.PEER_CLOSED, stream.getCloseReason().kind());
        assertTrue(connection.isDraining());
    }

    @Test
    void shouldReportTheServersGoAway() {
        Channel stream = connection.open(log.pipeline()).getChannel();
        stream.write(get());
        assertFalse(connection.isDraining());
        peer.channel.takeUpstream();

        peer.send(setting(0x3, 7), frame(GOAWAY, 0, 0, ints(1, 0, 0x610d0a62)));

        assertTrue(connection.isDraining());
        List<Http2ConnectionEvent> events = peer.channel.takeUpstream().stream()
                .filter(Http2ConnectionEvent.class::isInstance)
                .map(Http2ConnectionEvent.class::cast)
                .toList();
        Http2ConnectionEvent.SettingsReceived settings = (Http2ConnectionEvent.SettingsReceived) events.get(0);
        assertEquals(7, settings.getMaxConcurrentStreams());
        Http2ConnectionEvent.GoAwayReceived goAway = (Http2ConnectionEvent.GoAwayReceived) events.get(1);
        assertEquals(1, goAway.getLastStreamId());
        assertEquals(Http2Error.NO_ERROR, goAway.getError());
        assertEquals("a\\u000d\\u000ab", goAway.getDebugData());
        assertFalse(connection.open(log.pipeline()).isSuccess());
    }

    @Test
    void shouldDrainAndClose() {
        Channel stream = connection.open(log.pipeline()).getChannel();
        stream.write(get());
        peer.lines();
        connection.drain();
        assertTrue(connection.isDraining());
        assertTrue(stream.isOpen());

        ChannelFuture closed = connection.close(Http2Error.INTERNAL_ERROR, "out of order");

        assertTrue(closed.isSuccess());
        assertFalse(stream.isOpen());
        assertEquals(List.of("GOAWAY 0 NO_ERROR", "GOAWAY 0 INTERNAL_ERROR"), peer.lines());
        assertEquals("out of order", peer.channel.getCloseReason().detail());
        assertEquals(CloseReason.Kind.LOCAL, peer.channel.getCloseReason().kind());
    }

    @Test
    void shouldRequireAConnectionWithItsHandler() {
        assertThrows(IllegalArgumentException.class, () -> Http2ClientConnection.of(MemoryChannel.connected()));
    }
}
