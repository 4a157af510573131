package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpServerCodecTest {
    private static final String GET = "GET / HTTP/1.1\r\n\r\n";

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec());
    private final CapturedLog log = CapturedLog.start();
    private final HttpResponse ok = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    @AfterEach
    void releaseLog() {
        log.close();
    }

    @Test
    void shouldDecodeRequestsAndEncodeResponses() {
        server.receive(GET);
        assertEquals(List.of("GET / HTTP/1.1 <>"), server.takeReceived());
        server.answer(HttpResponseStatus.OK, "hi");
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", server.takeSent());
    }

    @Test
    void shouldSendNoContentInAnswerToHead() {
        server.receive("HEAD / HTTP/1.1\r\n\r\n" + GET + "HEAD / HTTP/1.1\r\n\r\n" + GET);
        server.answer(HttpResponseStatus.OK, "hi");
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", server.takeSent());
        server.answer(HttpResponseStatus.OK, "hi");
        assertTrue(server.takeSent().endsWith("hi"));
        server.answerInChunks(ok, "a", "b");
        assertEquals("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", server.takeSent());
        server.answer(HttpResponseStatus.OK, "hi");
        assertTrue(server.takeSent().endsWith("hi"));
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 205, 304})
    void shouldSendNoContentWithAStatusThatHasNone(int code) {
        server.receive(GET + GET);
        server.answer(HttpResponseStatus.valueOf(code), "hi");
        String sent = server.takeSent();
        assertTrue(sent.endsWith("\r\n\r\n"), sent);
        assertEquals(code == 304, sent.contains("Content-Length: 2"), sent);
        assertEquals(code == 205, sent.contains("Content-Length: 0"), sent);
        server.answerInChunks(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code)), "a");
        assertTrue(server.takeSent().endsWith("\r\n\r\n"));
    }

    @Test
    void shouldNotCountAnInterimResponseAsTheAnswer() {
        server.receive("HEAD / HTTP/1.1\r\n\r\n");
        HttpResponse hints = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(103));
        hints.headers().add("Link", "x").add("Content-Length", 0).add("Transfer-Encoding", "chunked");
        server.channel.write(hints);
        assertEquals("HTTP/1.1 103 Informational (103)\r\nLink: x\r\n\r\n", server.takeSent());
        server.answer(HttpResponseStatus.OK, "hi");
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", server.takeSent());
    }

    @Test
    void shouldSendNeitherChunksNorInterimResponsesToVersion10() {
        server.receive("GET / HTTP/1.0\r\n\r\n");
        server.channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        assertEquals("", server.takeSent());
        server.answerInChunks(ok, "a", "b");
        assertEquals("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nab", server.takeSent());
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldKeepAVersion10ConnectionIfTheLengthIsKnown() {
        server.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        HttpHeaders.setContentLength(ok, 2);
        server.answerInChunks(ok, "a", "b");
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", server.takeSent());
        assertTrue(server.channel.isOpen());
    }

    @Test
    void shouldPassBytesAfterTheProtocolWasSwitched() {
        server.receive("GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nraw");
        assertEquals(List.of("GET / HTTP/1.1 Upgrade:x Connection:upgrade <>"), server.takeReceived());
        server.receive(" bytes");
        assertEquals(List.of(), server.takeReceived());
        server.channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));
        assertEquals(List.of("raw raw bytes"), server.takeReceived());
        server.channel.write(ChannelBuffers.copiedBuffer("back", ISO_8859_1));
        assertEquals("HTTP/1.1 101 Switching Protocols\r\n\r\nback", server.takeSent());
        server.receive("more");
        assertEquals(List.of("raw more"), server.takeReceived());
    }

    @Test
    void shouldDecodeOnIfTheProtocolIsNotSwitched() {
        server.receive("GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + GET);
        assertEquals(1, server.takeReceived().size());
        server.answer(HttpResponseStatus.OK, "");
        assertEquals(List.of("GET / HTTP/1.1 <>"), server.takeReceived());
        assertTrue(server.channel.isReadable());
    }

    @Test
    void shouldOpenATunnelIfConnectIsGranted() {
        server.receive("CONNECT h:1 HTTP/1.1\r\n\r\n\u0016\u0003\u0001");
        HttpHeaders.setContentLength(ok, 5);
        server.channel.write(ok);
        assertEquals("HTTP/1.1 200 OK\r\n\r\n", server.takeSent());
        assertEquals(List.of("CONNECT h:1 HTTP/1.1 <>", "raw \u0016\u0003\u0001"), server.takeReceived());

        HttpTestServer other = new HttpTestServer(new HttpServerCodec());
        other.receive("CONNECT h:1 HTTP/1.1\r\n\r\n" + GET);
        other.answer(HttpResponseStatus.FORBIDDEN, "no");
        assertEquals("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno", other.takeSent());
        assertEquals(List.of("CONNECT h:1 HTTP/1.1 <>", "GET / HTTP/1.1 <>"), other.takeReceived());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT h:1 HTTP/1.1\r\nConnection: close\r\n\r\n", "CONNECT h:1 HTTP/1.0\r\n\r\n"})
    void shouldOpenATunnelEvenIfTheConnectionEndsWithTheRequest(String connect) {
        server.receive(connect + "raw");
        assertEquals(1, server.takeReceived().size());
        server.channel.write(ok);
        assertEquals(List.of("raw raw"), server.takeReceived());
        server.receive("more");
        assertEquals(List.of("raw more"), server.takeReceived());

        HttpTestServer refusing = new HttpTestServer(new HttpServerCodec());
        refusing.receive(connect + GET);
        refusing.answer(HttpResponseStatus.FORBIDDEN, "no");
        refusing.receive(GET);
        assertEquals(1, refusing.takeReceived().size());
    }

    @Test
    void shouldEndTheConnectionAfterAVersion10ResponseOfUnknownLength() {
        server.receive(GET);
        server.answerInChunks(new DefaultHttpResponse(HttpVersion.HTTP_1_0, HttpResponseStatus.OK), "ab", "c");
        assertEquals("HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nabc", server.takeSent());
        assertFalse(server.channel.isOpen());
    }

    private static HttpTestServer pipelining() {
        return new HttpTestServer(new HttpServerCodec(
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(128).build()));
    }

    @Test
    void shouldStopReadingWhileTooManyRequestsAreUnanswered() {
        HttpTestServer server = pipelining();
        server.receive(GET.repeat(300));
        assertEquals(128, server.takeReceived().size());
        assertFalse(server.channel.isReadable());
        for (int i = 0; i < 31; i++) {
            server.answer(HttpResponseStatus.OK, "");
        }
        assertEquals(0, server.takeReceived().size());
        server.answer(HttpResponseStatus.OK, "");
        assertEquals(32, server.takeReceived().size());
        int answered = 32;
        int received = 160;
        while (received < 300) {
            server.answer(HttpResponseStatus.OK, "");
            answered++;
            received += server.takeReceived().size();
            assertTrue(received - answered <= 128);
        }
        assertEquals(300, received);
        assertTrue(server.channel.isReadable());
        assertTrue(log.only().text().contains("128 unanswered"), log.only()::text);
    }

    /** The end of the input is not reported before them, either. */
    @Test
    void shouldDecodeWaitingRequestsEvenIfTheClientHasEndedItsOutput() {
        HttpTestServer server = pipelining();
        server.receive(GET.repeat(130));
        assertEquals(128, server.takeReceived().size());
        server.channel.takeUpstream();
        server.channel.getPipeline().sendUpstream(new InputShutdownEvent(server.channel));
        assertEquals(List.of(), server.channel.takeUpstream());
        for (int i = 0; i < 128; i++) {
            server.answer(HttpResponseStatus.OK, "");
        }
        assertEquals(2, server.takeReceived().size());
        List<ChannelEvent> told = server.channel.takeUpstream();
        assertEquals(
                1, told.stream().filter(InputShutdownEvent.class::isInstance).count());
    }

    @Test
    void shouldResumeReadingOnTheIoThreadWhicheverThreadAnswers() {
        HttpTestServer server = pipelining();
        server.receive(GET.repeat(130));
        assertEquals(128, server.takeReceived().size());
        server.channel.holdTasks().holdWrites(); // so that no event reaches the I/O thread
        for (int i = 0; i < 40; i++) {
            server.answer(HttpResponseStatus.OK, "");
        }
        assertEquals(0, server.takeReceived().size());
        server.channel.runTasks();
        assertEquals(2, server.takeReceived().size());
    }

    @Test
    void shouldNotReadWhileAHandlerHasSuspendedReading() {
        HttpTestServer server = pipelining();
        server.channel.setReadable(false);
        server.receive(GET.repeat(129));
        for (int i = 0; i < 64; i++) {
            server.answer(HttpResponseStatus.OK, "");
        }
        assertFalse(server.channel.isReadable());
        server.channel.setReadable(true);
        assertTrue(server.channel.isReadable());
    }

    @Test
    void shouldHandOverUndecodedBytesWhenItIsReplaced() {
        HttpServerCodec codec = new HttpServerCodec();
        HttpTestServer replaced = new HttpTestServer(codec, new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpRequest) {
                    ctx.getPipeline().remove(codec);
                }
                ctx.sendUpstream(e);
            }
        });
        replaced.receive(GET + "not http");
        assertEquals(List.of("GET / HTTP/1.1 <>", "raw not http"), replaced.takeReceived());
    }

    @Test
    void shouldHandOverUndecodedBytesWhenItIsReplacedWhilePaused() {
        HttpServerCodec codec = new HttpServerCodec();
        HttpTestServer paused = new HttpTestServer(codec);
        paused.receive("CONNECT h:1 HTTP/1.1\r\n\r\nraw");
        paused.channel.getPipeline().remove(codec);
        assertEquals(List.of("CONNECT h:1 HTTP/1.1 <>", "raw raw"), paused.takeReceived());
        assertTrue(paused.channel.isReadable());
    }

    @Test
    void shouldStaySilentIfARequestIsCutOff() {
        server.receive("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab");
        server.channel.close();
        assertEquals(List.of(), server.takeReceived());
    }

    @Test
    void shouldDecodeNothingAfterAMalformedRequest() {
        server.receive("GET /\r\n\r\n" + GET);
        server.receive(GET);
        assertEquals(List.of("failure 400"), server.takeReceived());
    }

    @Test
    void shouldApplyTheLimitsOfItsConstructor() {
        HttpTestServer limited = new HttpTestServer(new HttpServerCodec(20, 100, 3));
        limited.receive("PUT / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd");
        assertEquals(List.of("chunk abc", "chunk d"), limited.takeReceived().subList(1, 3));
        limited.answer(HttpResponseStatus.OK, "");
        limited.receive("GET /23456789 HTTP/1.1\r\n\r\n");
        assertEquals(List.of("failure 414"), limited.takeReceived());
    }

    /** The answers before it don't decide whether the protocol is switched. */
    @Test
    void shouldSwitchProtocolsOnlyWithTheAnswerToTheRequestThatAsked() {
        HttpTestServer server = pipelining();
        server.receive(GET + "CONNECT h:1 HTTP/1.1\r\n\r\n" + GET);
        assertEquals(2, server.takeReceived().size());
        server.answer(HttpResponseStatus.OK, "");
        assertEquals(List.of(), server.takeReceived());
        server.channel.write(ok);
        assertEquals(List.of("raw " + GET), server.takeReceived());
    }

    @Test
    void shouldReportTheEndOfTheInputAfterTheLastWaitingRequest() {
        server.receive(GET.repeat(3));
        server.channel.takeUpstream();
        server.channel.getPipeline().sendUpstream(new InputShutdownEvent(server.channel));
        for (int i = 0; i < 2; i++) {
            assertFalse(server.channel.takeUpstream().stream().anyMatch(InputShutdownEvent.class::isInstance));
            server.answer(HttpResponseStatus.OK, "");
        }
        assertTrue(server.channel.takeUpstream().stream().anyMatch(InputShutdownEvent.class::isInstance));
        assertEquals(3, server.takeReceived().size());
    }

    @Test
    void shouldWarnOnlyOfRequestsThatAreNotAnswered() {
        HttpTestServer server = pipelining();
        server.channel.turnWritable(false);
        server.receive(GET.repeat(2));
        server.channel.turnWritable(true);
        assertEquals(2, server.takeReceived().size());
        assertEquals(List.of(), log.messages());
    }

    @Test
    void shouldNotResumeWhileTheChannelIsNotWritable() {
        server.receive(GET + GET);
        server.takeReceived();
        server.channel.turnWritable(false);
        server.answer(HttpResponseStatus.OK, "");
        assertEquals(List.of(), server.takeReceived());
        server.channel.getPipeline().remove(HttpServerCodec.class);
        assertEquals(List.of("raw " + GET), server.takeReceived());
        assertTrue(server.channel.isReadable());
    }
}
