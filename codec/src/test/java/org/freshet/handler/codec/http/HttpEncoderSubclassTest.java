package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.Test;

/** A subclass of an encoder writes the start line; the encoder writes everything after it. */
class HttpEncoderSubclassTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/x");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    private static String encode(EncoderEmbedder<Object> encoder, Object message) {
        encoder.offer(message);
        return ((ChannelBuffer) encoder.poll()).toString(ISO_8859_1);
    }

    @Test
    void shouldAskAUsersEncoderForTheStartLine() {
        EncoderEmbedder<Object> encoder = new EncoderEmbedder<>(new HttpMessageEncoder() {
            @Override
            protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception {
                encodeAscii("ICY " + "x".repeat(100) + "\u00e4", buf);
                buf.writeByte('\r');
                buf.writeByte('\n');
            }
        });
        response.headers().add("A", "b");
        assertEquals("ICY " + "x".repeat(100) + "\u00e4\r\nA: b\r\n\r\n", encode(encoder, response));
    }

    @Test
    void shouldSendTheStartLineOfASubclass() {
        EncoderEmbedder<Object> radio = new EncoderEmbedder<>(new HttpResponseEncoder() {
            @Override
            protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) {
                encodeAscii("ICY 200 OK", buf);
                buf.writeBytes(new byte[] {'\r', '\n'});
            }
        });
        assertEquals("ICY 200 OK\r\n\r\n", encode(radio, response));
        EncoderEmbedder<Object> pings = new EncoderEmbedder<>(new HttpRequestEncoder() {
            @Override
            protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) {
                encodeAscii("PING", buf);
                buf.writeBytes(new byte[] {'\r', '\n'});
            }
        });
        assertEquals("PING\r\n\r\n", encode(pings, request));
    }

    /** Their start lines may differ, so they are asked for them. */
    @Test
    void shouldEncodeTheSameInASubclass() {
        EncoderEmbedder<Object> ownRequests = new EncoderEmbedder<>(new HttpRequestEncoder() {});
        request.setUri("http://h?q");
        request.headers().add("A", "b");
        assertEquals("GET http://h/?q HTTP/1.1\r\nA: b\r\n\r\n", encode(ownRequests, request));

        EncoderEmbedder<Object> ownResponses = new EncoderEmbedder<>(new HttpResponseEncoder() {});
        response.headers().add("A", "b");
        response.setContent(ChannelBuffers.copiedBuffer("cd", ISO_8859_1));
        assertEquals("HTTP/1.1 200 OK\r\nA: b\r\n\r\ncd", encode(ownResponses, response));
        response.setStatus(new HttpResponseStatus(999, "x y"));
        assertEquals("HTTP/1.1 999 x y\r\nA: b\r\n\r\ncd", encode(ownResponses, response));
    }

    /** HTTP/1.0 has no chunks, whatever a message of a user's class says about itself. */
    @Test
    void shouldSendNoCodingInVersion10() {
        HttpResponse own = new DefaultHttpResponse(HttpVersion.HTTP_1_0, HttpResponseStatus.OK) {
            @Override
            public boolean isChunked() {
                return false;
            }
        };
        own.headers().set("Transfer-Encoding", "chunked");
        own.setContent(ChannelBuffers.copiedBuffer("ab", ISO_8859_1));
        assertEquals("HTTP/1.0 200 OK\r\n\r\nab", encode(new EncoderEmbedder<>(new HttpResponseEncoder()), own));
    }

    @Test
    void shouldLeaveTheCodingOfAMessageThatIsRefused() {
        HttpHeaders headers =
                new DefaultHttpHeaders(false).add("Transfer-Encoding", "gzip").add("A", "b\r\nC: d");
        HttpResponse whole = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            @Override
            public HttpHeaders headers() {
                return headers;
            }
        };
        EncoderEmbedder<Object> encoder = new EncoderEmbedder<>(new HttpResponseEncoder());
        assertThrows(CodecEmbedderException.class, () -> encoder.offer(whole));
        assertEquals("gzip", headers.get("Transfer-Encoding"));
    }
}
