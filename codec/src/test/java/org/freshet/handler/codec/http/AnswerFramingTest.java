package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.WrittenParts.bytes;
import static org.freshet.handler.codec.http.WrittenParts.head;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.WrittenParts.Input;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server's output agrees with what its heads declare, whatever handlers write, and each request has one answer. */
class AnswerFramingTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir
    Path folder;

    private Path file;

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec());

    @BeforeEach
    void createFile() throws IOException {
        file = Files.createFile(folder.resolve("empty"));
    }

    private ChannelFuture write(Object message) {
        return server.channel.write(message);
    }

    private static void assertRefused(Class<? extends Exception> type, String part, ChannelFuture written) {
        assertTrue(written.isDone());
        assertInstanceOf(type, written.getCause());
        assertTrue(written.getCause().getMessage().contains(part), written.getCause()::getMessage);
    }

    /** A region that must not be sent; counts its releases. */
    private static final class Region extends DefaultFileRegion {
        int released;

        Region(FileChannel file, long count) {
            super(file, 0, count, true);
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) {
            throw new AssertionError("sent");
        }

        @Override
        public void releaseExternalResources() {
            released++;
            super.releaseExternalResources();
        }
    }

    // ---- answers without content ----

    @ParameterizedTest
    @CsvSource({"HEAD,200", "GET,204", "GET,205", "GET,304"})
    void shouldSwallowWhateverFollowsAHeadWithoutContent(String method, int code) throws Exception {
        server.receive(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
        write(head(code, 40));
        Region region = new Region(FileChannel.open(file), 40);
        Input input = new Input();
        for (Object content : new Object[] {
            bytes("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"),
            region,
            input,
            new DefaultHttpChunk(bytes("x")),
            HttpChunk.LAST_CHUNK
        }) {
            assertTrue(write(content).isSuccess(), content.toString());
        }
        String sent = server.takeSent();
        assertTrue(sent.startsWith("HTTP/1.1 " + code) && sent.endsWith("\r\n\r\n"), sent);
        assertEquals(sent.length(), sent.indexOf("\r\n\r\n") + 4, sent);
        assertEquals(1, region.released);
        assertTrue(input.isClosed);
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "next");
        assertTrue(server.takeSent().endsWith("\r\n\r\nnext"));
    }

    private static final String RAW = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nraw";

    @ParameterizedTest
    @CsvSource({"GET,204,-1", "GET,205,-1", "GET,304,-1", "GET,304,0", "HEAD,200,0", "HEAD,304,-1"})
    void shouldSendAnAnswerEncodedByTheApplicationAfterOneWithoutContent(String method, int code, long length) {
        server.receive(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
        write(head(code, length));
        server.takeSent();
        server.receive(GET);
        assertTrue(write(bytes(RAW)).isSuccess());
        assertEquals(RAW, server.takeSent());
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "next");
        assertTrue(server.takeSent().endsWith("\r\n\r\nnext"));
    }

    @Test
    void shouldSendAnEncodedAnswerOnceTheDroppedContentIsComplete() {
        server.receive(HEAD);
        write(head(200, 8));
        server.takeSent();
        server.receive(GET);
        for (String part : new String[] {"HT", "TP/1.1"}) { // content of the answer to HEAD, written by another thread
            assertTrue(write(bytes(part)).isSuccess());
        }
        assertEquals("", server.takeSent());
        write(bytes(RAW));
        assertEquals(RAW, server.takeSent());

        server.receive(HEAD);
        server.answerInChunks(head(200, -1), "x");
        server.takeSent();
        server.receive(GET);
        write(bytes(RAW));
        assertEquals(RAW, server.takeSent());
    }

    @ParameterizedTest
    @CsvSource({"HEAD,200,40", "HEAD,304,40", "GET,204,40", "GET,205,40", "GET,304,40", "GET,204,-1", "GET,304,-1"})
    void shouldCloseWhereBytesMayBeSwallowedContentOrTheNextAnswer(String method, int code, long length) {
        server.receive(method + " / HTTP/1.1\r\nHost: a\r\n\r\n");
        HttpResponse empty = head(code, length);
        empty.setChunked(length < 0);
        write(empty);
        server.receive(GET);
        server.takeSent();
        assertRefused(IllegalStateException.class, "content of a response without any", write(bytes(RAW)));
        assertEquals("", server.takeSent());
        assertFalse(server.channel.isOpen());
    }

    // ---- chunks framed by the application ----

    /** The second chunk contains bytes that look like the end. */
    private static final String OWN_CHUNKS = "2;a=b\r\nab\r\n0d\r\n\r\n0\r\n\r\n0\r\n\r\nx\r\n0\r\nX: y\r\n\r\n";

    @Test
    void shouldDetectTheEndOfChunksEncodedByTheApplication() {
        for (int cut = 1; cut <= OWN_CHUNKS.length(); cut++) {
            HttpTestServer own = new HttpTestServer(new HttpServerCodec());
            own.receive(GET + GET);
            assertEquals(1, own.takeReceived().size());
            HttpResponse head = head(200, -1);
            HttpHeaders.setTransferEncodingChunked(head);
            own.channel.write(head);
            own.takeSent();
            own.channel.write(bytes(OWN_CHUNKS.substring(0, cut)));
            assertEquals(cut == OWN_CHUNKS.length() ? 1 : 0, own.takeReceived().size(), "cut " + cut);
            own.channel.write(bytes(OWN_CHUNKS.substring(cut)));
            assertEquals(OWN_CHUNKS, own.takeSent());
            assertEquals(cut == OWN_CHUNKS.length() ? 0 : 1, own.takeReceived().size(), "cut " + cut);
            own.answer(HttpResponseStatus.OK, "next");
            assertTrue(own.takeSent().endsWith("\r\n\r\nnext"));
        }
    }

    @Test
    void shouldCountARegionAmongChunksEncodedByTheApplication() throws IOException {
        server.receive(GET + GET);
        HttpResponse head = head(200, -1);
        HttpHeaders.setTransferEncodingChunked(head);
        write(head);
        server.takeReceived();
        write(bytes("28\r\n"));
        write(new DefaultFileRegion(FileChannel.open(file), 0, 40, true));
        write(bytes("\r\n0\r\n"));
        assertEquals(List.of(), server.takeReceived());
        write(bytes("\r\n"));
        assertEquals(1, server.takeReceived().size());
    }

    @Test
    void shouldTreatNothingAsTheNextAnswerIfTheEndOfChunksIsNotDetected() {
        server.receive(GET + GET);
        HttpResponse head = head(200, -1);
        HttpHeaders.setTransferEncodingChunked(head);
        write(head);
        server.takeReceived();
        for (String text : new String[] {"2\r\nabc\r\n", "0\r\n\r\n", "0\r\n\r\n"}) {
            assertTrue(write(bytes(text)).isSuccess());
        }
        assertEquals(List.of(), server.takeReceived());
        write(HttpChunk.LAST_CHUNK);
        assertEquals(1, server.takeReceived().size());
    }

    // ---- content of a declared length ----

    @Test
    void shouldAcceptContentAfterAHeadUntilItsLengthIsReached() {
        server.receive(GET + GET);
        write(head(200, 10));
        write(bytes("12345"));
        assertEquals(1, server.takeReceived().size(), "the answer is not complete");
        write(bytes("67890"));
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1234567890", server.takeSent());
        assertEquals(1, server.takeReceived().size());
    }

    @Test
    void shouldAcceptTheRestOfContentThatBeganWithTheHead() {
        server.receive(GET);
        HttpResponse response = head(200, 4);
        response.setContent(bytes("ab"));
        write(response);
        write(bytes("cd"));
        assertTrue(server.takeSent().endsWith("\r\n\r\nabcd"));
        assertEquals(0, exchanges().unanswered());
    }

    private Exchanges exchanges() {
        return Exchanges.of(server.channel.getPipeline());
    }

    @Test
    void shouldRefuseAWholeMessageThatIsLongerThanItSays() {
        server.receive(GET);
        HttpResponse response = head(200, 4);
        response.setContent(bytes("12345"));
        assertRefused(IllegalArgumentException.class, "Content-Length of 4 but has 5", write(response));
        assertEquals("", server.takeSent());
        server.answer(HttpResponseStatus.OK, "right");
        assertTrue(server.takeSent().endsWith("right"), "another answer takes its place");
    }

    @Test
    void shouldCloseInsteadOfSendingMoreThanWasDeclared() throws IOException {
        server.receive(GET);
        write(head(200, 4));
        Region region = new Region(FileChannel.open(file), 5);
        assertRefused(IllegalStateException.class, "4 are left", write(region));
        assertEquals(1, region.released);
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", server.takeSent());
        assertFalse(server.channel.isOpen());
        assertEquals(CloseReason.Kind.LOCAL, server.channel.getCloseReason().kind());
    }

    @Test
    void shouldCloseIfChunksEndBeforeTheDeclaredLength() {
        server.receive(GET);
        HttpResponse response = head(200, 4);
        response.setChunked(true);
        write(response);
        write(new DefaultHttpChunk(bytes("abc")));
        assertRefused(IllegalStateException.class, "1 bytes", write(HttpChunk.LAST_CHUNK));
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldCountChunksIfTheHeadHasBothFramings() {
        server.receive(GET);
        HttpResponse response = head(200, 2);
        response.headers().set("Transfer-Encoding", "chunked");
        write(response);
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", server.takeSent());
        assertRefused(IllegalStateException.class, "2 are left", write(new DefaultHttpChunk(bytes("abc"))));
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldEndAnAnswerInAnotherCodingWithItsOnlyChunk() {
        server.receive(GET + GET);
        HttpResponse response = head(200, 9);
        response.headers().set("Transfer-Encoding", "gzip");
        response.setContent(bytes("ab"));
        write(response);
        assertTrue(server.takeSent().endsWith("gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"));
        server.answer(HttpResponseStatus.OK, "next");
        assertTrue(server.takeSent().endsWith("\r\n\r\nnext"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+2", "two", "2,2", ""})
    void shouldRefuseAnInvalidLength(String length) {
        server.receive(GET);
        HttpResponse response = head(200, -1);
        response.headers().set("Content-Length", length);
        response.setContent(bytes("ab"));
        assertRefused(IllegalArgumentException.class, "Content-Length", write(response));
        assertEquals("", server.takeSent());
        server.answer(HttpResponseStatus.OK, "right");
        assertTrue(server.takeSent().endsWith("right"), "another answer takes its place");
    }

    @Test
    void shouldRefuseTwoLengthsIfOneIsWrong() {
        server.receive(GET);
        HttpResponse response = head(200, 2);
        response.headers().add("Content-Length", 0);
        response.setContent(bytes("ab"));
        assertRefused(IllegalArgumentException.class, "[2, 0]", write(response));
        assertEquals("", server.takeSent());
    }

    /**
     * A handler below may take its time to close, as TLS does: bytes sent until then would be read as the missing
     * content.
     */
    @Test
    void shouldSendNothingAfterAnAnswerThatCouldNotBeCompleted() {
        SimpleChannelHandler slowCloser = new SimpleChannelHandler() {
            @Override
            public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {}
        };
        HttpLimits limits =
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(2).build();
        HttpTestServer slow = new HttpTestServer(slowCloser, new HttpServerCodec(limits));
        slow.receive(GET + GET);
        slow.channel.write(head(200, 2));
        assertRefused(IllegalStateException.class, "2 are left", slow.channel.write(bytes("abc")));
        slow.takeSent();
        for (Object message : new Object[] {head(200, 0), bytes("HTTP/1.1 200 OK"), new DefaultHttpChunk(bytes("x"))}) {
            assertRefused(IllegalStateException.class, "is closed", slow.channel.write(message));
        }
        assertEquals("", slow.takeSent());
    }

    @Test
    void shouldCloseIfAnotherAnswerBeginsWithinOne() {
        server.receive(GET);
        HttpResponse response = head(200, -1);
        response.setChunked(true);
        write(response);
        write(new DefaultHttpChunk(bytes("abc")));
        assertRefused(IllegalStateException.class, "before the previous one was complete", write(head(500, 0)));
        assertFalse(server.takeSent().contains("500"));
        assertFalse(server.channel.isOpen());
    }

    @Test
    void shouldAddTheLengthOfAWholeMessage() {
        server.receive(GET);
        HttpResponse response = head(200, -1);
        response.setContent(bytes("abc"));
        write(response);
        assertEquals("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", server.takeSent());
    }

    /** Like Netty 3 programs that answer an HTTP/1.0 client. */
    @Test
    void shouldNotChangeContentThatEndsWithTheConnection() {
        server.receive("GET / HTTP/1.0\r\n\r\n");
        write(head(200, -1));
        write(bytes("a")).isSuccess();
        write(bytes("b")).isSuccess();
        assertEquals("HTTP/1.1 200 OK\r\n\r\nab", server.takeSent());
        assertTrue(server.channel.isOpen());
    }

    // ---- one answer for each request ----

    @Test
    void shouldRefuseASecondAnswer() {
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "first");
        server.takeSent();
        assertRefused(IllegalStateException.class, "one response", write(head(500, 0)));
        assertEquals("", server.takeSent());
        server.receive(GET);
        server.answer(HttpResponseStatus.OK, "second");
        assertTrue(server.takeSent().endsWith("second"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", GET})
    void shouldSendATimeOutResponseWithoutARequest(String before) {
        if (!before.isEmpty()) {
            server.receive(before);
            server.answer(HttpResponseStatus.OK, "");
            server.takeSent();
        }
        write(head(408, 0));
        assertTrue(server.takeSent().startsWith("HTTP/1.1 408"));
        assertFalse(server.channel.isOpen(), "it is the last of the connection");
    }

    @Test
    void shouldRefuseAChunkWithoutAHead() {
        server.receive(GET);
        assertRefused(IllegalStateException.class, "without a response", write(new DefaultHttpChunk(bytes("x"))));
        server.answer(HttpResponseStatus.OK, "ok");
        assertTrue(server.takeSent().endsWith("ok"));
    }

    @Test
    void shouldLetOnlyOneOfTwoThreadsAnswer() {
        server.receive(GET);
        Exchange exchange = exchanges().current();
        assertTrue(exchange.claim());
        assertRefused(IllegalStateException.class, "another thread", write(head(500, 0)));
        exchange.withdrawClaim();
        server.answer(HttpResponseStatus.OK, "ok");
        assertTrue(server.takeSent().endsWith("ok"));
    }

    // ---- answers encoded by the application ----

    @Test
    void shouldTreatABufferAsAnAnswer() {
        server.receive(GET.repeat(300));
        for (int i = 0; i < 300; i++) {
            assertEquals(List.of("GET / HTTP/1.1 Host:a <>"), server.takeReceived(), "request " + i);
            write(bytes("HTTP/1.1 204 No Content\r\n\r\n"));
        }
        assertEquals(300 * 27, server.takeSent().length());
    }

    @Test
    void shouldNotTreatAnInterimResponseAsAnAnswer() {
        server.receive(GET + GET);
        server.takeReceived();
        write(bytes("HTTP/1.1 100 Continue\r\n\r\n"));
        write(ChannelBuffers.EMPTY_BUFFER);
        assertEquals(List.of(), server.takeReceived());
        assertEquals(1, exchanges().unanswered());
    }

    @Test
    void shouldOpenATunnelThatABufferGrants() {
        server.receive("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\nearly");
        server.takeReceived();
        write(bytes("HTTP/1.1 200 Connection established\r\n\r\n"));
        assertEquals(List.of("raw early"), server.takeReceived());
    }

    @Test
    void shouldNotOpenATunnelThatABufferRefuses() {
        server.receive("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
        server.takeReceived();
        write(bytes("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"));
        server.receive(GET);
        assertEquals(List.of("GET / HTTP/1.1 Host:a <>"), server.takeReceived());
    }

    // ---- one at a time ----

    @Test
    void shouldDecodeOneRequestAtATime() {
        server.receive(GET + HEAD + GET);
        assertEquals(1, server.takeReceived().size());
        assertFalse(server.channel.isReadable());
        server.answer(HttpResponseStatus.OK, "1");
        assertEquals(List.of("HEAD / HTTP/1.1 Host:a <>"), server.takeReceived());
        server.answer(HttpResponseStatus.OK, "2");
        assertEquals(1, server.takeReceived().size());
        assertTrue(server.channel.isReadable());
    }

    @Test
    void shouldDecodeNothingForAClientThatDoesNotRead() {
        server.channel.turnWritable(false);
        server.receive(GET.repeat(1000));
        assertEquals(List.of(), server.takeReceived());
        assertFalse(server.channel.isReadable());
        server.channel.turnWritable(true);
        assertEquals(1, server.takeReceived().size());
        server.channel.turnWritable(false);
        server.answer(HttpResponseStatus.OK, "1");
        assertEquals(List.of(), server.takeReceived());
        server.channel.turnWritable(true);
        assertEquals(1, server.takeReceived().size());
    }
}
