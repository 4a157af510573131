package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Valid traffic comes out as it does of Netty 3's decoders: as many messages, of the same shape. */
class HttpDecoderDifferentialTest {
    private static final int MAX_CHUNK_SIZE = 64;

    private final Random random = Seeds.random();

    @Test
    void shouldMakeTheSameMessagesOfRequests() {
        for (int round = 0; round < 400; round++) {
            StringBuilder stream = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String method = pick("GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND");
                stream.append(method)
                        .append(' ')
                        .append(pick("/", "/a?b=c", "http://h/x", "/%20"))
                        .append(" HTTP/1.1\r\n");
                stream.append("Host: h\r\n");
                appendRest(stream, false);
            }
            check(stream.toString(), true);
        }
    }

    @Test
    void shouldMakeTheSameMessagesOfResponses() {
        for (int round = 0; round < 400; round++) {
            StringBuilder stream = new StringBuilder();
            for (int i = random.nextInt(4); i >= 0; i--) {
                String status =
                        pick("200 OK", "404 Not Found", "204 No Content", "304 Not Modified", "100 Continue", "299 x");
                stream.append("HTTP/1.1 ").append(status).append("\r\n");
                boolean empty = status.startsWith("1") || status.contains("04 No C") || status.contains("304");
                if (empty) {
                    stream.append("A: b\r\n\r\n");
                } else {
                    appendRest(stream, true);
                }
            }
            check(stream.toString(), false);
        }
    }

    private void appendRest(StringBuilder stream, boolean lengthNeeded) {
        for (int i = random.nextInt(4); i > 0; i--) {
            stream.append(pick("X-A: b", "Accept:c", "accept: \td e ", "Empty:", "User-Agent: x/1 (y; z)"))
                    .append("\r\n");
        }
        int length = pick(0, 1, 10, 63, 64, 65, 200);
        switch (random.nextInt(lengthNeeded ? 2 : 4)) {
            case 0:
                stream.append("Content-Length: ").append(length).append("\r\n");
                stream.append(pick("", "Expect: 100-continue\r\n")).append("\r\n");
                stream.append("x".repeat(length));
                break;
            case 1:
                stream.append("Transfer-Encoding: chunked\r\n\r\n");
                for (int i = random.nextInt(3); i > 0; i--) {
                    int size = pick(1, 10, 63, 64, 65, 200);
                    stream.append(Integer.toHexString(size))
                            .append(pick("", ";a=b"))
                            .append("\r\n");
                    stream.append("y".repeat(size)).append("\r\n");
                }
                stream.append("0\r\n").append(pick("", "Checksum: 1\r\n")).append("\r\n");
                break;
            default:
                stream.append("\r\n");
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

    /** How many pieces a long content comes in depends on the reads. */
    private static String joined(List<String> descriptions) {
        return String.join("\n", descriptions).replaceAll("\nchunk (?=[xy])", "");
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
