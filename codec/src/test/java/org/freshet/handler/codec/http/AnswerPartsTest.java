package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.HttpTestServer.assertRefused;
import static org.freshet.handler.codec.http.WrittenParts.bytes;
import static org.freshet.handler.codec.http.WrittenParts.chunk;
import static org.freshet.handler.codec.http.WrittenParts.head;
import static org.freshet.handler.codec.http.WrittenParts.inChunks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.handler.codec.http.WrittenParts.Input;
import org.freshet.testing.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What handlers may write before, within and after an answer, and what becomes of it. */
class AnswerPartsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec());
    private final CapturedLog log = CapturedLog.start();

    @AfterEach
    void releaseLog() {
        log.close();
    }

    private ChannelFuture write(Object message) {
        return server.channel.write(message);
    }

    // ---- interim responses ----

    @Test
    void shouldRefuseAnInterimResponseWithinAnAnswer() {
        server.receive(GET);
        write(inChunks(200));
        server.takeSent();
        assertRefused("(102) inside", write(head(102, -1)));
        assertEquals("", server.takeSent());
        write(chunk("a"));
        write(HttpChunk.LAST_CHUNK);
        assertEquals("1\r\na\r\n0\r\n\r\n", server.takeSent());
        assertTrue(server.channel.isOpen());
    }

    /** A proxy may pass on what the server behind it sends early. */
    @Test
    void shouldSendInterimResponsesThatNoRequestWaitsFor() {
        for (int code : new int[] {100, 103}) {
            HttpResponse interim = head(code, 5);
            assertTrue(write(interim).isSuccess());
            assertEquals("HTTP/1.1 " + interim.getStatus() + "\r\n\r\n", server.takeSent());
        }
        server.receive(GET);
        write(head(200, 0));
        assertTrue(server.takeSent().startsWith("HTTP/1.1 200"));
    }

    // ---- answers without a request ----

    @Test
    void shouldSendAnErrorBeforeTheFirstRequestAndClose() {
        HttpResponse busy = head(503, -1);
        busy.setContent(bytes("busy"));
        HttpHeaders.setContentLength(busy, 4);
        assertTrue(write(busy).isSuccess());
        assertTrue(server.takeSent().endsWith("\r\n\r\nbusy"));
        assertFalse(server.channel.isOpen());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseAnAnswerInChunksWithoutARequest(boolean byHeader) {
        HttpResponse response = head(408, -1);
        if (byHeader) {
            response.headers().set("Transfer-Encoding", "chunked");
        } else {
            response.setChunked(true);
        }
        assertRefused("no request waits", write(response));
        assertEquals("", server.takeSent());
        assertTrue(server.channel.isOpen());
    }

    // ---- HEAD ----

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HEAD / HTTP/1.1 | 200 | | Transfer-Encoding: chunked",
                "HEAD / HTTP/1.1 | 200 | Content-Length: 5 | Content-Length: 5",
                "HEAD / HTTP/1.1 | 200 | Transfer-Encoding: gzip, chunked | Transfer-Encoding: gzip, chunked",
                "HEAD / HTTP/1.1 | 304 | | Transfer-Encoding: chunked",
                "HEAD / HTTP/1.1 | 204 | | ",
                "HEAD / HTTP/1.1 | 205 | | Content-Length: 0",
                "HEAD / HTTP/1.0 | 200 | | ",
                "CONNECT a:1 HTTP/1.1 | 200 | | ",
            })
    void shouldDeclareWhatTheContentWouldBe(String request, int code, String declared, String sent) {
        server.receive(request + "\r\nHost: a:1\r\n\r\n");
        HttpResponse response = inChunks(code);
        if (declared != null) {
            String[] header = declared.split(": ");
            response.headers().set(header[0], header[1]);
        }
        write(response);
        String head = server.takeSent();
        assertEquals(sent == null ? "" : sent + "\r\n", head.substring(head.indexOf("\r\n") + 2, head.length() - 2));
    }

    // ---- after HTTP ----

    @Test
    void shouldSendTheContentOfChunksThroughATunnel() {
        server.receive("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
        write(head(200, -1));
        server.takeSent();
        write(chunk("raw"));
        assertTrue(write(HttpChunk.LAST_CHUNK).isSuccess());
        write(bytes("HTTP/1.1"));
        assertEquals("rawHTTP/1.1", server.takeSent());
        Object input = new Input();
        write(input);
        assertSame(input, server.channel.takeWritten().get(0));
    }

    @Test
    void shouldSwitchProtocolsIfABufferGrantsIt() {
        server.receive("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nearly");
        write(bytes("HTTP/1.1 101 Switching Protocols\r\n\r\n"));
        assertEquals("raw early", server.takeReceived().get(1));
    }

    /** A status of CONNECT alone is no grant for another method. */
    @Test
    void shouldGoOnIfABufferRefusesToSwitchProtocols() {
        server.receive("GET / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n" + GET);
        write(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assertEquals("GET / HTTP/1.1 Host:a <>", server.takeReceived().get(1));
    }

    // ---- content of other kinds ----

    @Test
    void shouldNotCountContentOfUnknownSize() {
        server.receive(GET);
        write(head(200, 4));
        Input input = new Input();
        write(input);
        assertSame(input, server.channel.takeWritten().get(1));
        write(bytes("abcd"));
        server.receive(GET);
        assertEquals(2, server.takeReceived().size());
    }

    @Test
    void shouldReleaseContentOfUnknownSizeThatIsDropped() {
        server.receive("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
        write(head(200, 4));
        Input input = new Input();
        assertTrue(write(input).isSuccess());
        assertTrue(input.isClosed);
        assertEquals(1, server.channel.takeWritten().size());
    }

    @Test
    void shouldPassOnWhatIsNotHttp() {
        Object message = new Object();
        write(message);
        assertEquals(List.of(message), server.channel.takeWritten());
    }

    @Test
    void shouldDetectTheEndOfChunksThatTheApplicationEncodesInEachAnswer() {
        server.receive(GET.repeat(3));
        for (int i = 1; i <= 3; i++) {
            assertEquals(1, server.takeReceived().size(), "request " + i);
            write(inChunks(200));
            write(bytes("3\r\nabc\r\n0\r\n\r\n"));
        }
        server.receive(GET);
        assertEquals(1, server.takeReceived().size());
    }

    // ---- without memory ----

    private static HttpChunk chunkWithoutMemory() {
        return new DefaultHttpChunk(bytes("x")) {
            @Override
            public ChannelBuffer getContent() {
                throw new OutOfMemoryError("simulated");
            }
        };
    }

    @Test
    void shouldCloseIfMemoryRunsOutWithinAnAnswer() {
        server.receive(GET);
        write(inChunks(200));
        assertInstanceOf(OutOfMemoryError.class, write(chunkWithoutMemory()).getCause());
        server.channel.takeCaught();
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldStillAnswerIfMemoryRunsOutBeforeTheAnswerBegins() {
        server.receive(GET);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            @Override
            public ChannelBuffer getContent() {
                throw new OutOfMemoryError("simulated");
            }
        };
        assertInstanceOf(OutOfMemoryError.class, write(response).getCause());
        server.channel.takeCaught();
        assertTrue(server.channel.isOpen());
        assertEquals("", server.takeSent());
        write(head(500, 0));
        assertTrue(server.takeSent().startsWith("HTTP/1.1 500"));
    }

    // ---- what follows an answer without content ----

    /** Bytes may be content that the answer didn't declare, or the next answer. */
    @ParameterizedTest
    @CsvSource({
        "HEAD,200,'',false",
        "HEAD,200,abc,true",
        "HEAD,304,'',true",
        "HEAD,204,'',true",
        "GET,304,'',true",
        "GET,204,'',true",
        "GET,204,abc,true",
    })
    void shouldSendTheNextAnswerUnlessItMayBeContent(String method, int code, String content, boolean isSent) {
        server.receive(method + " / HTTP/1.1\r\nHost: a\r\n\r\n" + GET);
        HttpResponse first = head(code, -1);
        first.setContent(bytes(content));
        write(first);
        server.takeSent();
        ChannelFuture next = write(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assertEquals(isSent, next.isSuccess());
        assertEquals(isSent, server.channel.isOpen());
        assertEquals(isSent, !server.takeSent().isEmpty());
    }

    /** The request may have any method; the answer to HEAD has no content, but these bytes are none. */
    @Test
    void shouldPassBytesAfterASwitchOfProtocolsThatHeadAskedFor() {
        server.receive("HEAD / HTTP/1.1\r\nHost: a\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
        write(head(101, -1));
        server.takeSent();
        write(bytes("raw"));
        assertEquals("raw", server.takeSent());
    }

    @Test
    void shouldReleaseContentThatFollowsAnAnswerThatCannotBeCompleted() {
        server.receive(GET);
        write(head(200, 1));
        assertFalse(write(bytes("ab")).isSuccess());
        Input input = new Input();
        assertFalse(write(input).isSuccess());
        assertTrue(input.isClosed);
    }
}
