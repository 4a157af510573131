package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subclass of {@link HttpRequestDecoder} may change the start line. The decoder checks the result like any other target. */
class HttpRequestDecoderSubclassTest {
    private static DecoderEmbedder<HttpRequest> decoderOf(String target) {
        return new DecoderEmbedder<>(new HttpRequestDecoder() {
            @Override
            protected HttpMessage createMessage(String[] initialLine) throws Exception {
                return super.createMessage(new String[] {initialLine[0], target, initialLine[2]});
            }
        });
    }

    private static ChannelBuffer head() {
        return ChannelBuffers.copiedBuffer("GET / HTTP/1.1\r\nHost: a\r\n\r\n", US_ASCII);
    }

    @Test
    void shouldAcceptAValidTarget() {
        DecoderEmbedder<HttpRequest> decoder = decoderOf("/other");
        decoder.offer(head());
        assertEquals("/other", decoder.poll().getUri());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/\r\nX-Injected: 1"})
    void shouldRefuseATargetThatCannotBeSent(String target) {
        DecoderEmbedder<HttpRequest> decoder = decoderOf(target);
        CodecEmbedderException failure = assertThrows(CodecEmbedderException.class, () -> decoder.offer(head()));
        assertInstanceOf(MalformedHttpMessageException.class, failure.getCause());
    }

    /** Such as a header that says where the request came from. */
    @Test
    void shouldAddReceivedHeadersToThoseOfASubclass() {
        assertEquals(
                List.of("PUT / HTTP/1.1 X-Via:a Host:b Content-Length:1 <c>"),
                Decoded.of(
                        () -> new HttpRequestDecoder() {
                            @Override
                            protected HttpMessage createMessage(String[] initialLine) throws Exception {
                                HttpMessage message = super.createMessage(initialLine);
                                message.headers().add("X-Via", "a");
                                return message;
                            }
                        },
                        "PUT / HTTP/1.1\r\nHost: b\r\nContent-Length: 1\r\n\r\nc"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"G(T", "G\u00e4T", "[GET]"})
    void shouldRefuseAMethodWithoutAskingASubclass(String method) {
        List<String> created = new ArrayList<>();
        DecoderEmbedder<HttpRequest> decoder = new DecoderEmbedder<>(new HttpRequestDecoder() {
            @Override
            protected HttpMessage createMessage(String[] initialLine) {
                created.add(initialLine[0]);
                return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            }
        });
        CodecEmbedderException failure = assertThrows(
                CodecEmbedderException.class,
                () -> decoder.offer(
                        ChannelBuffers.copiedBuffer(method + " / HTTP/1.1\r\nHost: a\r\n\r\n", ISO_8859_1)));
        assertInstanceOf(MalformedHttpMessageException.class, failure.getCause());
        assertEquals(List.of(), created);
    }

    /** Its lines are written from names and values, which are checked then. */
    @Test
    void shouldForwardHeadersThatASubclassKeepsInAnUncheckedMap() {
        DecoderEmbedder<HttpRequest> decoder = new DecoderEmbedder<>(new HttpRequestDecoder() {
            @Override
            protected HttpMessage createMessage(String[] initialLine) {
                return new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", new DefaultHttpHeaders(false));
            }
        });
        decoder.offer(ChannelBuffers.copiedBuffer("GET / HTTP/1.1\r\nHost:  a\r\nX:b\r\n\r\n", US_ASCII));
        EncoderEmbedder<ChannelBuffer> encoder = new EncoderEmbedder<>(new HttpRequestEncoder());
        encoder.offer(decoder.poll());
        assertEquals("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\n", encoder.poll().toString(US_ASCII));
    }

    /** A request of a user's class, which isn't a {@link DefaultHttpRequest}. */
    private static final class OwnRequest extends DefaultHttpMessage implements HttpRequest {
        private HttpMethod method;
        private String uri;

        OwnRequest(String[] line) {
            super(HttpVersion.valueOf(line[2]));
            method = HttpMethod.valueOf(line[0]);
            uri = line[1];
        }

        @Override
        public HttpMethod getMethod() {
            return method;
        }

        @Override
        public void setMethod(HttpMethod method) {
            this.method = method;
        }

        @Override
        public String getUri() {
            return uri;
        }

        @Override
        public void setUri(String uri) {
            this.uri = uri;
        }
    }

    @Test
    void shouldReadTheContentOfARequestOfAUsersClass() {
        assertEquals(
                List.of("PUT / HTTP/1.1 Host:b Content-Length:1 <c>", "GET / HTTP/1.1 Host:b <>"),
                Decoded.of(
                        () -> new HttpRequestDecoder() {
                            @Override
                            protected HttpMessage createMessage(String[] initialLine) {
                                return new OwnRequest(initialLine);
                            }
                        },
                        "PUT / HTTP/1.1\r\nHost: b\r\nContent-Length: 1\r\n\r\ncGET / HTTP/1.1\r\nHost: b\r\n\r\n"));
    }

    private static final class WithoutContent extends HttpRequestDecoder {
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5",
                "Transfer-Encoding: chunked",
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: x, chunked, y"
            })
    void shouldReadNoContentIfThereIsNone(String lines) {
        DecoderEmbedder<HttpRequest> decoder = new DecoderEmbedder<>(new WithoutContent());
        String head = "GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n\r\n";
        decoder.offer(ChannelBuffers.copiedBuffer(head.repeat(2), US_ASCII));
        HttpRequest first = decoder.poll();
        assertFalse(first.isChunked());
        assertFalse(first.headers().contains("Transfer-Encoding"));
        assertEquals(lines.contains("Content-Length"), first.headers().contains("Content-Length"));
        assertFalse(decoder.poll().isChunked());
    }

    private static final class SwitchedWithoutContent extends HttpResponseDecoder {
        @Override
        protected boolean isContentAlwaysEmpty(HttpMessage message) {
            return true;
        }
    }

    @Test
    void shouldReadNoContentOfAHandshakeIfThereIsNone() {
        assertEquals(
                "raw 0123456789abcdef",
                Decoded.of(
                                SwitchedWithoutContent::new,
                                "HTTP/1.1 101 x\r\nSec-WebSocket-Origin: a\r\nSec-WebSocket-Location: b\r\n\r\n"
                                        + "0123456789abcdef")
                        .get(1));
    }
}
