package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.handler.ssl.SslHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpClientCodecTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";

    private final HttpTestServer client = new HttpTestServer(new HttpClientCodec(4096, 8192, 8192, true));

    @Test
    void shouldReadTheAnswerToHeadWithoutContent() {
        ask(HttpMethod.HEAD);
        ask(HttpMethod.GET);
        client.receive(OK + OK + "ab");
        assertEquals(
                List.of("200 OK HTTP/1.1 Content-Length:2 <>", "200 OK HTTP/1.1 Content-Length:2 <ab>"),
                client.takeReceived());
    }

    @Test
    void shouldNotTakeAnInterimResponseForTheAnswer() {
        ask(HttpMethod.GET);
        ask(HttpMethod.HEAD);
        client.receive("HTTP/1.1 103 x\r\n\r\nHTTP/1.1 100 y\r\n\r\n" + OK + "ab" + OK);
        assertEquals(
                List.of(
                        "103 x HTTP/1.1 <>",
                        "100 y HTTP/1.1 <>",
                        "200 OK HTTP/1.1 Content-Length:2 <ab>",
                        "200 OK HTTP/1.1 Content-Length:2 <>"),
                client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.takeReceived());
    }

    @Test
    void shouldRefuseAnUnsolicitedResponse() {
        ask(HttpMethod.GET);
        client.receive(OK + "ab" + OK + "cd");
        assertEquals(List.of("200 OK HTTP/1.1 Content-Length:2 <ab>", "failure 502"), client.takeReceived());
        assertFalse(client.channel.isOpen());
    }

    @Test
    void shouldRefuseASwitchOfProtocolsThatWasNotAskedFor() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nraw");
        List<String> received = client.takeReceived();
        assertEquals(2, received.size(), "the failure, and that the response is missing");
        assertEquals("failure 502", received.get(1));
        assertFalse(client.channel.isOpen());
    }

    @Test
    void shouldSwitchProtocolsIfRequested() {
        HttpRequest upgrade = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        upgrade.headers().set("Upgrade", "x").set("Connection", "Upgrade");
        client.channel.write(upgrade);
        client.receive("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw");
        assertEquals(List.of("101 x HTTP/1.1 Upgrade:x Connection:Upgrade <>", "raw raw"), client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.channel.takeCaught(), "it was answered");
    }

    @Test
    void shouldPassBytesThroughATunnel() {
        ask(HttpMethod.CONNECT);
        client.receive("HTTP/1.1 201 x\r\nTransfer-Encoding: chunked\r\n\r\nraw");
        assertEquals("raw raw", client.takeReceived().get(1));
    }

    @Test
    void shouldReadTheRefusalOfATunnelAsAResponse() {
        ask(HttpMethod.CONNECT);
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 407 x\r\nContent-Length: 2\r\n\r\nab" + OK + "cd");
        assertEquals(
                List.of("407 x HTTP/1.1 Content-Length:2 <ab>", "200 OK HTTP/1.1 Content-Length:2 <cd>"),
                client.takeReceived());
    }

    @Test
    void shouldFailForEachResponseThatIsMissingWhenTheChannelCloses() {
        ask(HttpMethod.GET);
        ask(HttpMethod.GET);
        client.receive(OK + "a");
        client.channel.close();
        List<Throwable> caught = client.channel.takeCaught();
        assertEquals(1, caught.size());
        assertEquals(PrematureChannelClosureException.class, caught.get(0).getClass());
        assertEquals(
                "the channel closed with 2 responses missing", caught.get(0).getMessage());
    }

    @Test
    void shouldCountAResponseThatEndsWithTheConnection() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        client.channel.close();
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab", "end"), client.takeReceived());
    }

    @ParameterizedTest
    @EnumSource(
            value = CloseReason.Kind.class,
            names = {"PEER_RESET", "READ_FAILED", "TIMED_OUT", "TLS", "SHUTDOWN"})
    void shouldNotCountAResponseThatIsCutOff(CloseReason.Kind kind) {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        Channels.noteCloseReason(client.channel, CloseReason.of(kind));
        client.channel.close();
        List<Throwable> caught = client.channel.takeCaught();
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab"), client.takeReceived());
        assertEquals(2, caught.size(), "one for the response, one for its request");
        assertEquals(PrematureChannelClosureException.class, caught.get(0).getClass());
        String reason = client.channel.getCloseReason().toString();
        assertTrue(caught.get(0).getMessage().contains(reason), caught.get(0)::getMessage);
    }

    @Test
    void shouldEndAResponseThatTheEndOfTheInputEnds() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        client.channel.getPipeline().sendUpstream(new InputShutdownEvent(client.channel));
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab", "end"), client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.takeReceived());
        assertEquals(List.of(), client.channel.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakeAResponseForCutOffIfTlsEndedWithoutCloseNotify(boolean isNotified) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        SslHandler tls = new SslHandler(engine);
        client.channel.getPipeline().addLast("tls", tls);
        if (isNotified) {
            tls.getSSLEngineInboundCloseFuture().setSuccess();
        }
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        client.channel.takeReceived();
        client.channel.getPipeline().sendUpstream(new InputShutdownEvent(client.channel));
        List<Throwable> caught = client.channel.takeCaught();
        assertEquals(isNotified ? 0 : 1, caught.size());
        if (!isNotified) {
            assertTrue(caught.get(0).getMessage().contains("close_notify"), caught.get(0)::getMessage);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CloseReason.Kind.class,
            names = {"PEER_CLOSED", "COMPLETED", "LOCAL"})
    void shouldEndAResponseThatAnOrderlyCloseEnds(CloseReason.Kind kind) {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        Channels.noteCloseReason(client.channel, CloseReason.of(kind));
        client.channel.close();
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab", "end"), client.takeReceived());
    }

    @Test
    void shouldHandOverUndecodedBytesWhenItIsReplaced() {
        HttpClientCodec codec = new HttpClientCodec();
        HttpTestServer replaced = new HttpTestServer(codec, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpResponse) {
                    ctx.getPipeline().remove(codec);
                }
                ctx.sendUpstream(e);
            }
        });
        replaced.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        replaced.receive(OK + "abnot http");
        assertEquals(List.of("200 OK HTTP/1.1 Content-Length:2 <ab>", "raw not http"), replaced.takeReceived());
        replaced.channel.write(ChannelBuffers.copiedBuffer("more", ISO_8859_1));
        assertTrue(replaced.takeSent().endsWith("more"));
    }

    @Test
    void shouldPassWhateverIsWrittenAfterASwitchOfProtocols() {
        HttpRequest upgrade = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/");
        upgrade.headers().set("Upgrade", "x").set("Connection", "Upgrade");
        client.channel.write(upgrade);
        client.receive("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw");
        assertEquals("raw raw", client.takeReceived().get(1));
        client.channel.takeWritten();
        HttpRequest notHttp = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        client.channel.write(notHttp);
        assertEquals(List.of(notHttp), client.channel.takeWritten());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 102, 199})
    void shouldReadAnyInterimResponseBeforeTheFinalOne(int code) {
        ask(HttpMethod.CONNECT);
        client.receive("HTTP/1.1 " + code + " x\r\n\r\n" + "HTTP/1.1 299 x\r\n\r\nraw");
        assertEquals(List.of(code + " x HTTP/1.1 <>", "299 x HTTP/1.1 <>", "raw raw"), client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.channel.takeCaught());
    }

    @Test
    void shouldApplyTheLimitsOfItsConstructor() {
        HttpTestServer limited = new HttpTestServer(new HttpClientCodec(20, 8192, 8192));
        limited.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        limited.receive("HTTP/1.1 200 " + "x".repeat(20) + "\r\n\r\n");
        assertEquals(List.of("failure 502"), limited.takeReceived());
        limited.channel.close();
        assertEquals(List.of(), limited.takeReceived(), "it doesn't report missing responses");

        HttpTestServer reporting = new HttpTestServer(new HttpClientCodec(4096, 8192, 8192, true));
        reporting.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        reporting.channel.close();
        assertEquals(
                "the channel closed with 1 response missing",
                reporting.channel.takeCaught().get(0).getMessage());
    }

    private void ask(HttpMethod method) {
        client.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/"));
    }

    @Test
    void shouldMissTheAnswerAfterAnInterimResponse() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 103 x\r\n\r\n");
        client.channel.close();
        assertEquals(
                List.of("the channel closed with 1 response missing"),
                client.channel.takeCaught().stream().map(Throwable::getMessage).toList());
    }

    @Test
    void shouldDecodeAgainOnceItIsAddedAgain() {
        HttpClientCodec codec = new HttpClientCodec();
        HttpTestServer again = new HttpTestServer(codec);
        for (int i = 0; i < 2; i++) {
            again.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
            again.receive(OK + "ab");
            assertEquals(List.of("200 OK HTTP/1.1 Content-Length:2 <ab>"), again.takeReceived());
            again.channel.getPipeline().remove(codec);
            again.receive("raw");
            assertEquals(List.of("raw raw"), again.takeReceived());
            again.channel.getPipeline().addFirst("again", codec);
        }
    }

    @Test
    void shouldSwitchProtocolsIfHeadAskedForIt() {
        HttpRequest upgrade = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.HEAD, "/");
        upgrade.headers().set("Upgrade", "x").set("Connection", "Upgrade");
        client.channel.write(upgrade);
        client.receive("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw");
        assertEquals(List.of("101 x HTTP/1.1 Upgrade:x Connection:Upgrade <>", "raw raw"), client.takeReceived());
    }
}
