package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.server.Connection.content;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/** The rules, and HTTP/1.0 requests. */
class SelectiveContentCompressorTest extends SelectiveContentCompressorContract {
    SelectiveContentCompressorTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @Test
    void shouldCompressChunksOfUnknownLength() throws IOException {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set("Content-Type", "text/plain");
        head.setChunked(true);
        Connection connection = new Connection(wire, () -> new ChannelHandler[] {new SelectiveContentCompressor()});
        connection.send("GET / HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
        connection.client.channel().write(head);
        connection.client.channel().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(LONG, ISO_8859_1)));
        connection.client.channel().write(HttpChunk.LAST_CHUNK);
        byte[] content = content(connection.takeSent()).getBytes(ISO_8859_1);
        assertEquals(
                LONG, new String(new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes(), ISO_8859_1));
    }

    @Test
    void shouldApplyUserDefinedRules() {
        CompressionRules rules = CompressionRules.defaults().withMinBytes(3).withTypes("Application/X-Mine");
        assertTrue(rules.apply(response(200, "abc", "Content-Type: application/x-mine")));
        assertTrue(!rules.apply(response(200, "ab", "Content-Type: application/x-mine")));
        assertTrue(!rules.apply(response(200, "abc", "Content-Type: text/html")));
        assertThrows(IllegalArgumentException.class, () -> rules.withMinBytes(-1));
    }
}
