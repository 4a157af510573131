package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/**
 * Valid traffic is read the same as by Netty 4.2, however messages and bytes are split, and so is the output of each
 * encoder.
 */
class Netty4DifferentialTest {
    private static final int ROUNDS = 400;

    private final ValidTraffic traffic = new ValidTraffic(Seeds.random());

    @Test
    void shouldReadTheSameRequests() {
        for (int round = 0; round < ROUNDS; round++) {
            check(traffic.requests(), true);
        }
    }

    @Test
    void shouldReadTheSameResponses() {
        for (int round = 0; round < ROUNDS; round++) {
            check(traffic.responses(), false);
        }
    }

    private static void check(String stream, boolean requests) {
        byte[] bytes = stream.getBytes(ISO_8859_1);
        for (int size : new int[] {bytes.length, 1, 7, 40}) {
            List<String> expected = theirs(bytes, size, requests);
            assertFalse(expected.isEmpty());
            assertEquals(expected, ours(bytes, size, requests), () -> "by " + size + ": " + SeenRequest.shown(bytes));
        }
        byte[] encoded = encodedByUs(bytes, requests);
        assertEquals(
                theirs(bytes, bytes.length, requests),
                theirs(encoded, encoded.length, requests),
                () -> SeenRequest.shown(bytes) + "\nencoded: " + SeenRequest.shown(encoded));
    }

    private static List<Object> decodedByUs(byte[] bytes, int size, boolean requests) {
        DecoderEmbedder<Object> embedder =
                new DecoderEmbedder<>(requests ? new HttpRequestDecoder() : new HttpResponseDecoder());
        for (int at = 0; at < bytes.length; at += size) {
            embedder.offer(ChannelBuffers.copiedBuffer(bytes, at, Math.min(size, bytes.length - at)));
        }
        embedder.finish();
        return Arrays.asList(embedder.pollAll());
    }

    private static List<String> ours(byte[] bytes, int size, boolean requests) {
        Messages messages = new Messages();
        for (Object product : decodedByUs(bytes, size, requests)) {
            if (product instanceof HttpMessage message) {
                String line = message instanceof HttpRequest request
                        ? request.getMethod() + " " + request.getUri()
                        : ((HttpResponse) message).getStatus().toString();
                messages.begin(line + " " + message.getProtocolVersion(), message.headers());
                messages.add(message.getContent().toString(ISO_8859_1));
                if (!message.isChunked()) {
                    messages.end(HttpHeaders.EMPTY_HEADERS);
                }
            } else {
                HttpChunk chunk = (HttpChunk) product;
                messages.add(chunk.getContent().toString(ISO_8859_1));
                if (chunk.isLast()) {
                    messages.end(((HttpChunkTrailer) chunk).trailingHeaders());
                }
            }
        }
        return messages.texts;
    }

    private static byte[] encodedByUs(byte[] bytes, boolean requests) {
        HttpTestServer side = new HttpTestServer(requests ? new HttpRequestEncoder() : new HttpResponseEncoder());
        decodedByUs(bytes, bytes.length, requests).forEach(side.channel::write);
        return side.takeSent().getBytes(ISO_8859_1);
    }

    private static List<String> theirs(byte[] bytes, int size, boolean requests) {
        EmbeddedChannel channel = new EmbeddedChannel(
                requests
                        ? new io.netty.handler.codec.http.HttpRequestDecoder()
                        : new io.netty.handler.codec.http.HttpResponseDecoder());
        for (int at = 0; at < bytes.length; at += size) {
            channel.writeInbound(Unpooled.copiedBuffer(bytes, at, Math.min(size, bytes.length - at)));
        }
        channel.finish();
        Messages messages = new Messages();
        for (Object product = channel.readInbound(); product != null; product = channel.readInbound()) {
            if (product instanceof io.netty.handler.codec.http.HttpMessage message) {
                assertEquals("success", message.decoderResult().toString(), () -> SeenRequest.shown(bytes));
                String line = message instanceof io.netty.handler.codec.http.HttpRequest request
                        ? request.method() + " " + request.uri()
                        : ((io.netty.handler.codec.http.HttpResponse) message)
                                .status()
                                .toString();
                messages.begin(line + " " + message.protocolVersion(), message.headers());
            }
            if (product instanceof HttpContent content) {
                messages.add(content.content().toString(ISO_8859_1));
            }
            if (product instanceof LastHttpContent last) {
                messages.end(last.trailingHeaders());
            }
            ReferenceCountUtil.release(product);
        }
        return messages.texts;
    }

    /** Complete messages as texts: start line, headers, content, trailer. */
    private static final class Messages {
        final List<String> texts = new ArrayList<>();
        private final StringBuilder message = new StringBuilder();

        void begin(String line, Iterable<Map.Entry<String, String>> headers) {
            message.append(line);
            append(headers);
            message.append(" <");
        }

        void add(String content) {
            message.append(content);
        }

        void end(Iterable<Map.Entry<String, String>> trailer) {
            message.append('>');
            append(trailer);
            texts.add(message.toString());
            message.setLength(0);
        }

        private void append(Iterable<Map.Entry<String, String>> headers) {
            for (Map.Entry<String, String> header : headers) {
                message.append(' ').append(header.getKey()).append(':').append(header.getValue());
            }
        }
    }
}
