package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Valid traffic is decoded like by Netty 3: the same number of messages, of the same shape. */
class HttpDecoderDifferentialTest {
    private static final int MAX_CHUNK_SIZE = 64;

    private final ValidTraffic traffic = new ValidTraffic(Seeds.random());

    @Test
    void shouldDecodeRequestsToTheSameMessages() {
        for (int round = 0; round < 400; round++) {
            check(traffic.requests(), true);
        }
    }

    @Test
    void shouldDecodeResponsesToTheSameMessages() {
        for (int round = 0; round < 400; round++) {
            check(traffic.responses(), false);
        }
    }

    private void check(String stream, boolean requests) {
        byte[] bytes = stream.getBytes(ISO_8859_1);
        String whole = stream.replace("\r", "\\r").replace("\n", "\\n");
        assertEquals(theirs(bytes, bytes.length, requests), ours(bytes, bytes.length, requests), whole);
        for (int size : new int[] {1, 7, 40}) {
            assertEquals(
                    joined(theirs(bytes, size, requests)),
                    joined(ours(bytes, size, requests)),
                    "by " + size + ": " + whole);
        }
    }

    private static List<String> ours(byte[] bytes, int size, boolean requests) {
        return Decoded.inPieces(
                () -> requests
                        ? new HttpRequestDecoder(4096, 8192, MAX_CHUNK_SIZE)
                        : new HttpResponseDecoder(4096, 8192, MAX_CHUNK_SIZE),
                bytes,
                size);
    }

    private static List<String> theirs(byte[] bytes, int size, boolean requests) {
        org.jboss.netty.handler.codec.embedder.DecoderEmbedder<Object> embedder =
                new org.jboss.netty.handler.codec.embedder.DecoderEmbedder<>(
                        requests
                                ? new org.jboss.netty.handler.codec.http.HttpRequestDecoder(4096, 8192, MAX_CHUNK_SIZE)
                                : new org.jboss.netty.handler.codec.http.HttpResponseDecoder(
                                        4096, 8192, MAX_CHUNK_SIZE));
        for (int at = 0; at < bytes.length; at += size) {
            byte[] piece = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size));
            embedder.offer(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(piece));
        }
        embedder.finish();
        List<String> descriptions = new ArrayList<>();
        for (Object product = embedder.poll(); product != null; product = embedder.poll()) {
            descriptions.add(describe(product));
        }
        return descriptions;
    }

    private static String describe(Object product) {
        if (product instanceof org.jboss.netty.handler.codec.http.HttpMessage message) {
            String line = message instanceof org.jboss.netty.handler.codec.http.HttpRequest request
                    ? request.getMethod() + " " + request.getUri()
                    : ((org.jboss.netty.handler.codec.http.HttpResponse) message)
                            .getStatus()
                            .toString();
            String content = message.isChunked()
                    ? " chunked"
                    : " <" + message.getContent().toString(ISO_8859_1) + ">";
            return line + " " + message.getProtocolVersion() + headers(message.headers()) + content;
        }
        if (product instanceof org.jboss.netty.handler.codec.http.HttpChunkTrailer trailer) {
            return "end" + headers(trailer.trailingHeaders());
        }
        org.jboss.netty.handler.codec.http.HttpChunk chunk = (org.jboss.netty.handler.codec.http.HttpChunk) product;
        return "chunk " + chunk.getContent().toString(ISO_8859_1);
    }

    private static String headers(org.jboss.netty.handler.codec.http.HttpHeaders headers) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> header : headers) {
            text.append(' ').append(header.getKey()).append(':').append(header.getValue());
        }
        return text.toString();
    }

    /** How many pieces long content is split into depends on the reads. */
    private static String joined(List<String> descriptions) {
        return String.join("\n", descriptions).replaceAll("\nchunk (?=[xy])", "");
    }
}
