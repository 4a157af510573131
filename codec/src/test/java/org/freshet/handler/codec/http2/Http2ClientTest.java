package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.data;
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
import java.util.List;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The streams that a client opens, and the requests and answers on them. */
class Http2ClientTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
    private final ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(peer.channel));

    Http2ClientTest() {
        streams.setPipelineFactory(log::pipeline);
    }

    private ChannelFuture connect() {
        return streams.connect(new LocalAddress("ignored"));
    }

    private static HttpRequest get(String uri) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, uri);
        request.headers().set("Host", "example.com");
        return request;
    }

    @Test
    void shouldBeginWithPrefaceAndSettings() {
        FramePeer fresh = new FramePeer(new Http2ClientHandler());

        String first = ((ChannelBuffer) fresh.channel.takeWritten().get(0)).toString(ISO_8859_1);

        assertTrue(first.startsWith("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), first);
    }

    @Test
    void shouldSendARequestAndReceiveItsAnswer() {
        ChannelFuture connect = connect();
        assertTrue(connect.isSuccess());
        connect.getChannel().write(get("/a"));
        assertEquals(List.of("HEADERS 1 :method=GET :scheme=http :authority=example.com :path=/a END"), peer.lines());

        peer.send(peer.headers(1, false, ":status", "200", "content-length", "5"), data(1, true, "hello"));

        assertEquals(
                List.of("0 open", "0 bound", "0 connected", "1 200 'hello'", "1 disconnected", "1 unbound", "1 closed"),
                log.take());
        assertFalse(connect.getChannel().isOpen());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldNumberStreamsInTheOrderOfTheirRequests() {
        ChannelFuture first = connect();
        ChannelFuture second = connect();

        second.getChannel().write(get("/second"));
        first.getChannel().write(get("/first"));

        assertEquals(
                List.of(
                        "HEADERS 1 :method=GET :scheme=http :authority=example.com :path=/second END",
                        "HEADERS 3 :method=GET :scheme=http :authority=example.com :path=/first END"),
                peer.lines());
    }

    @Test
    void shouldSendContent() {
        HttpRequest request = get("/");
        request.setMethod(HttpMethod.POST);
        request.setContent(ChannelBuffers.copiedBuffer("hello", ISO_8859_1));

        connect().getChannel().write(request);

        assertEquals(
                List.of("HEADERS 1 :method=POST :scheme=http :authority=example.com :path=/", "DATA 1 'hello' END"),
                peer.lines());
    }

    @Test
    void shouldUseAuthorityAndPathOfAnAbsoluteTarget() {
        connect().getChannel().write(get("https://other.example:8443/a?b"));

        assertEquals(
                List.of("HEADERS 1 :method=GET :scheme=https :authority=other.example:8443 :path=/a?b END"),
                peer.lines());
    }

    @Test
    void shouldSendConnectWithItsAuthorityOnly() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "example.com:443");

        connect().getChannel().write(request);

        assertEquals(List.of("HEADERS 1 :method=CONNECT :authority=example.com:443"), peer.lines());
    }

    @Test
    void shouldPassOnInformationalAnswersChunksAndTrailers() {
        connect().getChannel().write(get("/"));
        log.take();

        peer.send(
                peer.headers(1, false, ":status", "103"),
                peer.headers(1, false, ":status", "200"),
                data(1, false, "x"),
                peer.headers(1, true, "check", "1"));

        assertEquals(
                List.of("1 103", "1 200 chunked", "1 chunk 'x'", "1 last [check=1]"),
                log.take().subList(0, 4));
    }

    @Test
    void shouldNotWaitForContentOfAnAnswerWithoutContent() {
        HttpRequest head = get("/");
        head.setMethod(HttpMethod.HEAD);
        connect().getChannel().write(head);
        log.take();

        peer.send(peer.headers(1, true, ":status", "200", "content-length", "5"));

        assertEquals("1 200", log.take().get(0));
    }

    @Test
    void shouldWaitInOrderWhileTheServerAllowsNoMoreStreams() {
        peer.send(setting(0x3, 1));
        ChannelFuture first = connect();
        ChannelFuture second = connect();
        ChannelFuture third = connect();
        first.getChannel().write(get("/"));
        assertFalse(second.isDone());

        peer.send(peer.headers(1, true, ":status", "200"));
        assertTrue(second.isSuccess());
        assertFalse(third.isDone());
        second.getChannel().close();

        assertTrue(third.isSuccess());
    }

    @Test
    void shouldConnectWaitingStreamsWhenTheServerAllowsMore() {
        peer.send(setting(0x3, 0));
        ChannelFuture connect = connect();
        assertFalse(connect.isDone());

        peer.send(setting(0x3, 1));

        assertTrue(connect.isSuccess());
    }

    @Test
    void shouldFailRequestsThatTheServerHasNotProcessed() {
        ChannelFuture first = connect();
        ChannelFuture second = connect();
        ChannelFuture answered = first.getChannel().write(get("/"));
        second.getChannel().write(get("/"));
        assertTrue(answered.isSuccess());

        peer.send(frame(GOAWAY, 0, 0, ints(1, 0)));

        assertTrue(first.getChannel().isOpen());
        assertFalse(second.getChannel().isOpen());
        assertInstanceOf(ClosedChannelException.class, connect().getCause());
        peer.send(peer.headers(1, true, ":status", "200"));
        assertFalse(peer.channel.isOpen(), "nothing is left to do");
    }

    /** The stream connected before the server's GOAWAY, and has not sent its request yet. */
    @Test
    void shouldRefuseARequestAfterTheServersGoAway() {
        ChannelFuture asked = connect();
        ChannelFuture idle = connect();
        asked.getChannel().write(get("/"));
        peer.lines();
        peer.send(frame(GOAWAY, 0, 0, ints(Integer.MAX_VALUE, 0)));

        ChannelFuture late = idle.getChannel().write(get("/"));

        assertEquals(List.of(), peer.lines());
        assertInstanceOf(ClosedChannelException.class, late.getCause());
        assertEquals(
                CloseReason.Kind.REFUSED, idle.getChannel().getCloseReason().kind());
        Http2StreamException cause = assertInstanceOf(
                Http2StreamException.class, idle.getChannel().getCloseReason().cause());
        assertEquals(Http2Error.REFUSED_STREAM, cause.error());
        assertTrue(asked.getChannel().isOpen());
    }

    /** A transfer may take as long as it needs; only this side's own drain has a limit. */
    @Test
    void shouldLetStreamsContinueIndefinitelyAfterTheServersGoAway() {
        FakeTimer timer = new FakeTimer();
        FramePeer server = FramePeer.server(new Http2ClientHandler(
                Http2Settings.defaults().toBuilder().timer(timer).build()));
        ClientBootstrap bootstrap = new ClientBootstrap(new Http2StreamChannelFactory(server.channel));
        bootstrap.setPipelineFactory(log::pipeline);
        Channel stream = bootstrap.connect(new LocalAddress("ignored")).getChannel();
        stream.write(get("/"));
        server.send(frame(GOAWAY, 0, 0, ints(1, 0)), server.headers(1, false, ":status", "200"));

        timer.advanceMillis(1_000_000);

        assertTrue(stream.isOpen());
        server.send(data(1, true, "end"));
        assertFalse(server.channel.isOpen());
        assertEquals(List.of(), server.channel.takeCaught());
    }

    @Test
    void shouldBecomeWritableEvenIfItConnectedWhileTheConnectionWasUnwritable() {
        peer.channel.turnWritable(false);
        Channel stream = connect().getChannel();
        assertFalse(stream.isWritable());

        peer.channel.turnWritable(true);

        assertTrue(stream.isWritable());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"search?u=http://x/", "http://user@example.com/", "http:///", "http://a b/", "relative", "*"})
    void shouldRefuseAnInvalidTargetAndContinue(String target) {
        Channel stream = connect().getChannel();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.setUri("/");
        try {
            request.setUri(target);
        } catch (IllegalArgumentException refusedAtOnce) {
            return;
        }
        request.headers().set(HttpHeaders.Names.HOST, "example.com");

        assertInstanceOf(IllegalArgumentException.class, stream.write(request).getCause());

        assertEquals(List.of(), peer.lines());
        stream.write(get("/right"));
        assertEquals(
                List.of("HEADERS 1 :method=GET :scheme=http :authority=example.com :path=/right END"), peer.lines());
    }

    @ParameterizedTest
    @CsvSource({
        "GET, HTTP://Example.com#part, :scheme=http :authority=Example.com :path=/",
        "GET, http://example.com?q, :scheme=http :authority=example.com :path=/?q",
        "OPTIONS, http://example.com, :scheme=http :authority=example.com :path=*",
        "OPTIONS, *, :scheme=http :authority=example.com :path=*",
        "GET, /a#b, :scheme=http :authority=example.com :path=/a"
    })
    void shouldSplitTargetsAndDropTheFragment(String method, String target, String expected) {
        HttpRequest request = get(target);
        request.setMethod(HttpMethod.valueOf(method));

        connect().getChannel().write(request);

        assertEquals(List.of("HEADERS 1 :method=" + method + " " + expected + " END"), peer.lines());
    }

    @Test
    void shouldSendTeTrailersAndNoOtherTeValue() {
        HttpRequest request = get("/");
        request.headers().add("TE", "trailers");
        connect().getChannel().write(request);
        request = get("/");
        request.headers().add("TE", "gzip");
        request.headers().add("Connection", "a");
        request.headers().add("Connection", "b");
        request.headers().add("B", "1");
        connect().getChannel().write(request);

        List<String> lines = peer.lines();
        assertTrue(lines.get(0).endsWith(" te=trailers END"), lines.get(0));
        assertTrue(lines.get(1).endsWith(" :path=/ END"), lines.get(1));
    }

    @Test
    void shouldExplainWhatToCheckWhenTheServerUsesHttp1() {
        FramePeer server = new FramePeer(new Http2ClientHandler());

        server.send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(ISO_8859_1));

        List<Throwable> caught = server.channel.takeCaught();
        assertTrue(caught.get(0).getMessage().contains("answers in HTTP/1.1"), caught.toString());
    }

    /** A server may repeat frames that would be an attack on a server. */
    @Test
    void shouldNotLimitServersByDefault() {
        connect().getChannel().write(get("/"));
        peer.send(peer.headers(1, false, ":status", "200"));
        for (int i = 0; i < 30_000; i++) {
            peer.send(data(1, false, ""), frame(FramePeer.PING, 0, 0, new byte[8]));
        }

        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldFailWaitingStreamsWhenTheConnectionEnds() {
        peer.send(setting(0x3, 0));
        ChannelFuture connect = connect();

        peer.channel.close();

        assertInstanceOf(ClosedChannelException.class, connect.getCause());
    }

    @Test
    void shouldResetAStreamThatIsClosedBeforeItsAnswer() {
        ChannelFuture connect = connect();
        connect.getChannel().write(get("/"));
        peer.lines();

        connect.getChannel().close();

        assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
    }

    @Test
    void shouldSendNothingForAnUnusedStream() {
        ChannelFuture connect = connect();

        connect.getChannel().close();

        assertEquals(List.of(), peer.lines());
        assertEquals(
                List.of("0 open", "0 bound", "0 connected", "0 disconnected", "0 unbound", "0 closed"), log.take());
    }

    @Test
    void shouldResetAStreamWhoseAnswerIsMalformed() {
        connect().getChannel().write(get("/"));
        peer.lines();

        peer.send(peer.headers(1, false, ":status", "2000"));

        assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
    }

    @Test
    void shouldRequireAConnectionWithItsHandler() {
        Exception failure = assertThrows(
                IllegalArgumentException.class, () -> new Http2StreamChannelFactory(MemoryChannel.connected()));

        assertTrue(failure.getMessage().startsWith("the connection's pipeline has no Http2ClientHandler"));
        assertSame(peer.channel, connect().getChannel().getParent());
    }
}
