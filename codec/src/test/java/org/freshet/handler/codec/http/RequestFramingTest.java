package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.freshet.handler.codec.http.multipart.HttpPostRequestEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client's output agrees with what its heads declare, so that no content is read as the next request. */
class RequestFramingTest {
    private static final String POST = "POST / HTTP/1.1\r\n";

    @TempDir
    Path folder;

    private enum Client {
        CODEC,
        ENCODER;

        HttpTestServer connect() {
            ChannelHandler handler = this == CODEC ? new HttpClientCodec() : new HttpRequestEncoder();
            return new HttpTestServer(handler);
        }
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    private static HttpChunk chunk(String text) {
        return new DefaultHttpChunk(bytes(text));
    }

    private static HttpRequest post(String content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.setContent(bytes(content));
        return request;
    }

    private static HttpRequest post(long length) {
        HttpRequest request = post("");
        HttpHeaders.setContentLength(request, length);
        return request;
    }

    private static HttpRequest postInChunks() {
        HttpRequest request = post("");
        request.setChunked(true);
        return request;
    }

    private static void assertRefused(Class<? extends Exception> type, String part, ChannelFuture written) {
        assertTrue(written.isDone());
        assertInstanceOf(type, written.getCause());
        assertTrue(written.getCause().getMessage().contains(part), written.getCause()::getMessage);
    }

    private static void assertClosed(HttpTestServer client) {
        assertFalse(client.channel.isOpen());
        assertEquals(CloseReason.Kind.LOCAL, client.channel.getCloseReason().kind());
    }

    // ---- whole requests ----

    @ParameterizedTest
    @EnumSource
    void shouldAddTheLengthOfAWholeRequest(Client kind) {
        HttpTestServer client = kind.connect();
        client.channel.write(post("GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"));
        assertEquals(POST + "Content-Length: 33\r\n\r\nGET /hidden HTTP/1.1\r\nHost: a\r\n\r\n", client.takeSent());
        client.channel.write(post("next"));
        assertEquals(POST + "Content-Length: 4\r\n\r\nnext", client.takeSent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldAlsoAddTheLengthInVersion10(Client kind) {
        HttpTestServer client = kind.connect();
        HttpRequest request = post("ab");
        request.setProtocolVersion(HttpVersion.HTTP_1_0);
        client.channel.write(request);
        assertEquals("POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab", client.takeSent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendARequestWithoutContentUnchanged(Client kind) {
        HttpTestServer client = kind.connect();
        client.channel.write(post(""));
        assertEquals(POST + "\r\n", client.takeSent());
        client.channel.write(HttpChunk.LAST_CHUNK);
        assertEquals("", client.takeSent());
        assertTrue(client.channel.isOpen());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAWholeRequestThatIsLongerThanItSays(Client kind) {
        HttpTestServer client = kind.connect();
        for (int declared : new int[] {0, 4}) {
            HttpRequest request = post("12345");
            HttpHeaders.setContentLength(request, declared);
            ChannelFuture refused = client.channel.write(request);
            assertRefused(IllegalArgumentException.class, "Content-Length of " + declared + " but has 5", refused);
            assertEquals("", client.takeSent());
        }
        client.channel.write(post("right"));
        assertTrue(client.takeSent().endsWith("\r\n\r\nright"), "nothing was sent, so the connection is usable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+2", "0x2", "two", "2,2", "", "99999999999999999999"})
    void shouldRefuseAnInvalidLength(String length) {
        HttpTestServer client = Client.CODEC.connect();
        HttpRequest request = post("ab");
        request.headers().set("Content-Length", length);
        assertRefused(IllegalArgumentException.class, "Content-Length", client.channel.write(request));
        assertEquals("", client.takeSent());
    }

    @Test
    void shouldRefuseTwoLengthsIfOneIsWrong() {
        HttpTestServer client = Client.CODEC.connect();
        HttpRequest request = post("ab");
        request.headers().add("Content-Length", 2).add("Content-Length", 0);
        assertRefused(IllegalArgumentException.class, "[2, 0]", client.channel.write(request));
        assertEquals("", client.takeSent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendAnotherCodingInOneChunkAndNothingAfterIt(Client kind) {
        HttpTestServer client = kind.connect();
        HttpRequest request = post("ab");
        request.headers().set("Transfer-Encoding", "gzip").set("Content-Length", 9);
        client.channel.write(request);
        assertEquals(POST + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", client.takeSent());
        client.channel.write(post(0));
        assertEquals(POST + "Content-Length: 0\r\n\r\n", client.takeSent());
    }

    /** Only the key headers announce its eight bytes of content. */
    @ParameterizedTest
    @EnumSource
    void shouldNotChangeADraft76Handshake(Client kind) {
        HttpTestServer client = kind.connect();
        HttpRequest handshake = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        handshake
                .headers()
                .set("Upgrade", "WebSocket")
                .set("Sec-WebSocket-Key1", "1")
                .set("Sec-WebSocket-Key2", "2");
        handshake.setContent(bytes("12345678"));
        client.channel.write(handshake);
        assertTrue(client.takeSent().endsWith("Sec-WebSocket-Key2: 2\r\n\r\n12345678"));
    }

    // ---- content of a declared length ----

    @ParameterizedTest
    @EnumSource
    void shouldAcceptContentUntilItsLengthIsReached(Client kind) {
        HttpTestServer client = kind.connect();
        HttpRequest request = post("ab");
        HttpHeaders.setContentLength(request, 6);
        client.channel.write(request);
        client.channel.write(bytes("cd"));
        client.channel.write(chunk("ef"));
        client.channel.write(HttpChunk.LAST_CHUNK);
        client.channel.write(post("x"));
        assertEquals(POST + "Content-Length: 6\r\n\r\nabcdef" + POST + "Content-Length: 1\r\n\r\nx", client.takeSent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseInsteadOfSendingMoreThanWasDeclared(Client kind) throws IOException {
        HttpTestServer client = kind.connect();
        client.channel.write(post(4));
        FileChannel file = FileChannel.open(Files.createFile(folder.resolve("empty")));
        ChannelFuture refused = client.channel.write(new DefaultFileRegion(file, 0, 5, true));
        assertRefused(IllegalStateException.class, "4 are left", refused);
        assertFalse(file.isOpen());
        assertEquals(POST + "Content-Length: 4\r\n\r\n", client.takeSent());
        assertClosed(client);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseIfAChunkIsLongerThanWhatIsLeft(Client kind) {
        HttpTestServer client = kind.connect();
        client.channel.write(post(4));
        client.channel.write(chunk("abc"));
        assertRefused(IllegalStateException.class, "1 are left", client.channel.write(chunk("de")));
        assertTrue(client.takeSent().endsWith("\r\n\r\nabc"));
        assertClosed(client);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseIfChunksEndBeforeTheDeclaredLength(Client kind) {
        HttpTestServer client = kind.connect();
        HttpRequest request = postInChunks();
        HttpHeaders.setContentLength(request, 4);
        client.channel.write(request);
        client.channel.write(chunk("abc"));
        assertRefused(IllegalStateException.class, "1 bytes", client.channel.write(HttpChunk.LAST_CHUNK));
        assertClosed(client);
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountChunksIfTheHeadHasBothFramings(Client kind) {
        HttpTestServer client = kind.connect();
        HttpRequest request = postInChunks();
        request.headers().set("Transfer-Encoding", "chunked").set("Content-Length", 2);
        client.channel.write(request);
        assertEquals(POST + "Content-Length: 2\r\n\r\n", client.takeSent());
        assertRefused(IllegalStateException.class, "2 are left", client.channel.write(chunk("abc")));
        assertClosed(client);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendAForm(Client kind) throws Exception {
        HttpTestServer client = kind.connect();
        HttpPostRequestEncoder form = new HttpPostRequestEncoder(post(""), true);
        form.addBodyAttribute("title", "Report");
        HttpRequest head = form.finalizeRequest();
        client.channel.write(head);
        while (form.hasNextChunk()) {
            assertTrue(client.channel.write(form.nextChunk()).isSuccess());
        }
        client.channel.write(post("x"));
        assertTrue(client.takeSent().endsWith("\r\n\r\nx"));
    }

    // ---- content in chunks ----

    @ParameterizedTest
    @EnumSource
    void shouldFrameChunks(Client kind) {
        HttpTestServer client = kind.connect();
        client.channel.write(postInChunks());
        client.channel.write(chunk("ab"));
        client.channel.write(HttpChunk.LAST_CHUNK);
        client.channel.write(post(0));
        String chunked = POST + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
        assertEquals(chunked + POST + "Content-Length: 0\r\n\r\n", client.takeSent());
    }

    @ParameterizedTest
    @EnumSource
    void shouldCloseIfAnotherRequestBeginsWithinOne(Client kind) {
        for (HttpRequest begun : List.of(postInChunks(), post(2))) {
            HttpTestServer client = kind.connect();
            client.channel.write(begun);
            assertRefused(IllegalStateException.class, "before the previous one", client.channel.write(post(0)));
            assertTrue(client.takeSent().endsWith("\r\n\r\n"));
            assertClosed(client);
        }
    }

    /** Like Async HTTP Client, whose bodies are buffers already encoded as chunks. */
    @ParameterizedTest
    @EnumSource
    void shouldPassChunksEncodedByTheApplication(Client kind) {
        HttpTestServer client = kind.connect();
        client.channel.write(postInChunks());
        client.channel.write(bytes("2\r\nab\r\n"));
        client.channel.write(bytes("0\r\n\r\n"));
        client.channel.write(post("x"));
        assertTrue(client.takeSent().contains("\r\n\r\n2\r\nab\r\n0\r\n\r\n" + POST));
        assertTrue(client.channel.isOpen());
    }

    // ---- content that no head declares ----

    @ParameterizedTest
    @EnumSource
    void shouldRefuseContentAfterAHeadThatDeclaresNone(Client kind) throws IOException {
        HttpTestServer client = kind.connect();
        client.channel.write(post(""));
        client.takeSent();
        FileChannel file = FileChannel.open(Files.createFile(folder.resolve("empty")));
        Class<IllegalStateException> type = IllegalStateException.class;
        assertRefused(type, "a buffer was written after", client.channel.write(bytes("GET / HTTP/1.1")));
        ChannelFuture region = client.channel.write(new DefaultFileRegion(file, 0, 5, true));
        assertRefused(type, "a file region was written after", region);
        assertRefused(type, "a chunk was written after", client.channel.write(chunk("a")));
        assertFalse(file.isOpen());
        assertEquals("", client.takeSent());
        assertTrue(client.channel.write(ChannelBuffers.EMPTY_BUFFER).isSuccess(), "a place in the order");
        client.channel.write(post("next"));
        assertTrue(client.takeSent().endsWith("\r\n\r\nnext"), "nothing was sent, so the connection is usable");
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassBytesBeforeTheFirstRequest(Client kind) {
        HttpTestServer client = kind.connect();
        client.channel.write(bytes("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n"));
        client.channel.write(post(""));
        assertEquals("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n" + POST + "\r\n", client.takeSent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "GET"})
    void shouldPassBytesAfterARequestThatMayEndHttp(String method) {
        HttpTestServer client = Client.ENCODER.connect();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "a:1");
        if (method.equals("GET")) {
            request.headers().set("Upgrade", "x").set("Connection", "Upgrade");
        }
        client.channel.write(request);
        client.channel.write(bytes("raw"));
        assertTrue(client.takeSent().endsWith("\r\n\r\nraw"));
    }

    // ---- answers that are missing ----

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldDetectACompleteRequestHoweverItsContentWasWritten(boolean answered) {
        HttpTestServer client = new HttpTestServer(new HttpClientCodec(HttpLimits.defaults(), true));
        client.channel.write(post(2));
        client.channel.write(bytes("ab"));
        client.channel.write(postInChunks());
        client.channel.write(bytes("0\r\n\r\n"));
        client.receive("HTTP/1.1 204 x\r\n\r\n".repeat(answered ? 2 : 1));
        client.channel.close();
        List<Throwable> caught = client.channel.takeCaught();
        assertEquals(answered ? 0 : 1, caught.size());
        if (!answered) {
            assertInstanceOf(PrematureChannelClosureException.class, caught.get(0));
            assertTrue(caught.get(0).getMessage().contains("1 response"), caught.get(0)::getMessage);
        }
    }
}
