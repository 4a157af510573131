package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.junit.jupiter.api.Test;

/**
 * A compressed response whose handler declares a length: the client sees no length, so only the compressor can keep it
 * from taking a part of the content for all of it.
 */
class HttpCompressedLengthTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec(), new HttpContentCompressor());

    private HttpResponse declare(int length) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, length);
        return response;
    }

    private void begin(int length) {
        server.receive(GET);
        HttpResponse response = declare(length);
        response.setChunked(true);
        assertTrue(server.channel.write(response).isSuccess());
    }

    private ChannelFuture write(String content) {
        return server.channel.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(content, ISO_8859_1)));
    }

    private ChannelFuture end() {
        return server.channel.write(HttpChunk.LAST_CHUNK);
    }

    private static void isRefused(ChannelFuture write, String problem) {
        Throwable refusal = assertInstanceOf(IllegalStateException.class, write.getCause());
        assertTrue(refusal.getMessage().startsWith(problem), refusal.getMessage());
    }

    private void isCut() {
        String sent = server.takeSent();
        assertTrue(sent.contains("Content-Encoding: gzip\r\n"), sent);
        assertFalse(sent.endsWith(LAST_CHUNK), sent);
        assertEquals(CloseReason.Kind.LOCAL, server.channel.getCloseReason().kind());
        assertFalse(server.channel.isOpen());
        assertEquals(0, WriteAccount.waitingBytes(server.channel));
    }

    @Test
    void shouldBeReachedByTheChunks() {
        begin(4);
        assertTrue(write("abc").isSuccess());
        assertTrue(write("d").isSuccess());
        assertTrue(end().isSuccess());
        assertTrue(server.takeSent().endsWith(LAST_CHUNK));
        assertTrue(server.channel.isOpen());
    }

    @Test
    void shouldCutTheResponseIfContentIsMissing() {
        begin(4);
        write("abc");
        isRefused(end(), "1 bytes of the declared Content-Length are missing");
        isCut();
    }

    @Test
    void shouldCutTheResponseIfAChunkIsTooLong() {
        begin(4);
        write("abc");
        server.channel.holdWrites(); // the close waits, and what follows must not complete the response
        isRefused(write("de"), "2 bytes of content were written where 1 are left");
        isRefused(write("d"), "2 bytes of content");
        isRefused(end(), "2 bytes of content");
        server.channel.completeWrites();
        isCut();
    }

    @Test
    void shouldRefuseChunksAfterTheLastByte() {
        begin(3);
        write("abc");
        isRefused(write("d"), "1 bytes of content were written where 0 are left");
        assertTrue(end().isSuccess());
        assertTrue(server.takeSent().endsWith(LAST_CHUNK));
        assertTrue(server.channel.isOpen());
    }

    /** Compressed, the part would be the whole. */
    @Test
    void shouldNotCompressAPartOfTheContent() {
        server.receive(GET);
        HttpResponse response = declare(4);
        response.setContent(ChannelBuffers.copiedBuffer("abc", ISO_8859_1));
        server.channel.write(response);
        server.channel.write(ChannelBuffers.copiedBuffer("d", ISO_8859_1));
        String sent = server.takeSent();
        assertFalse(response.headers().contains(Names.CONTENT_ENCODING));
        assertTrue(sent.endsWith("Content-Length: 4\r\n\r\nabcd"), sent);
    }

    @Test
    void shouldNotCountForTheNextResponse() {
        begin(4);
        write("abcd");
        end();
        server.receive(GET);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        server.answerInChunks(response, "more than before");
        assertTrue(server.takeSent().endsWith(LAST_CHUNK));
        assertTrue(server.channel.isOpen());
    }
}
