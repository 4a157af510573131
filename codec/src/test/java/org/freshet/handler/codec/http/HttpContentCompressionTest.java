package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.CodedContent.answering;
import static org.freshet.handler.codec.http.CodedContent.buffer;
import static org.freshet.handler.codec.http.CodedContent.gunzip;
import static org.freshet.handler.codec.http.CodedContent.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.handler.codec.oneone.OneToOneEncoder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpContentCompressionTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    private final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);

    // ---- compressing ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "*", "*;q=0.0", "gzip", "compress, gzip;q=0.5", "gzip; q=0.5, identity", "gzip ; q=0.1",
                        " gzip; q=0, deflate",
                " deflate ; q=0 , *;q=0.5", "identity", "deflate", "x-gzip", "x-deflate", "gzip;q=0.2, deflate;q=0.9",
                        "gzip;q=x", "br",
                "gzip, deflate", "identity;q=1, *;q=0", "deflate;q=0.5, gzip;q=0.5", "gzip;q=0, *",
                        "deflate;q=0.1, *;q=0"
            })
    void shouldChooseACodingAsNetty3Does(String acceptEncoding) throws Exception {
        class Theirs extends org.jboss.netty.handler.codec.http.HttpContentCompressor {
            String target() throws Exception {
                return getTargetContentEncoding(acceptEncoding);
            }
        }
        assertEquals(new Theirs().target(), new HttpContentCompressor().getTargetContentEncoding(acceptEncoding));
    }

    @Test
    void shouldCompressAWholeResponse() throws Exception {
        MemoryChannel channel = answering(request, "gzip");
        response.setContent(buffer("hello hello hello"));
        response.headers().set("ETag", "\"x\"").set("Content-Length", 17);
        channel.write(response);

        HttpResponse sent = (HttpResponse) channel.takeWritten().get(0);
        assertEquals("gzip", sent.headers().get("Content-Encoding"));
        assertEquals("W/\"x\"", sent.headers().get("ETag"));
        assertEquals("Accept-Encoding", sent.headers().get("Vary"));
        assertEquals(sent.getContent().readableBytes(), HttpHeaders.getContentLength(sent));
        assertEquals("hello hello hello", gunzip(sent.getContent()));
    }

    @Test
    void shouldCompressChunks() throws Exception {
        MemoryChannel channel = answering(request, "x, gzip;q=0.5");
        response.setChunked(true);
        response.headers().set("Content-Length", 6);
        channel.write(response);
        channel.write(new DefaultHttpChunk(buffer("abc")));
        channel.write(new DefaultHttpChunk(buffer("def")));
        assertTrue(channel.write(HttpChunk.LAST_CHUNK).isSuccess());

        List<Object> sent = channel.takeWritten();
        assertFalse(response.headers().contains("Content-Length"));
        assertEquals(HttpChunk.LAST_CHUNK, sent.get(sent.size() - 1));
        ChannelBuffer all = ChannelBuffers.dynamicBuffer();
        for (Object chunk : sent.subList(1, sent.size() - 1)) {
            all.writeBytes(((HttpChunk) chunk).getContent().duplicate());
        }
        assertEquals("abcdef", gunzip(all));
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 206, 304})
    void shouldNotCompressResponsesThatMustNotBeCompressed(int code) {
        MemoryChannel channel = answering(request, "gzip");
        response.setStatus(HttpResponseStatus.valueOf(code));
        response.setContent(buffer("abc"));
        channel.write(response);
        assertFalse(response.headers().contains("Content-Encoding"));
        assertFalse(response.headers().contains("Vary"));
    }

    @Test
    void shouldNotCompressAResponseThatIsAlreadyEncoded() {
        MemoryChannel channel = answering(request, "gzip");
        response.setContent(buffer("abc"));
        response.headers().set("Content-Encoding", "br");
        channel.write(response);
        assertEquals("br", response.headers().get("Content-Encoding"));
        assertEquals("abc", response.getContent().toString(ISO_8859_1));
    }

    @Test
    void shouldAddVary() {
        MemoryChannel channel = answering(request, "identity");
        response.headers().set("Vary", "Cookie");
        response.setContent(buffer("abc"));
        channel.write(response);
        assertEquals(List.of("Cookie", "Accept-Encoding"), response.headers().getAll("Vary"));
        assertFalse(response.headers().contains("Content-Encoding"));
    }

    @Test
    void shouldSendTheAnswerToARequestThatTheDecoderRefused() {
        MemoryChannel channel = answering(request, "gzip");
        channel.write(response);
        channel.takeWritten();
        HttpResponse refusal = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
        refusal.setContent(buffer("no"));
        assertTrue(channel.write(refusal).isSuccess());
        assertEquals(List.of(refusal), channel.takeWritten());
        assertFalse(refusal.headers().contains("Content-Encoding"));
    }

    @Test
    void shouldRefuseMoreResponsesThanRequestsButNotInterimOnes() {
        MemoryChannel channel = answering(request, "gzip");
        channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
        channel.write(response);
        channel.takeWritten();
        Throwable failure;
        try {
            failure = channel.write(response).getCause();
        } catch (Exception e) {
            failure = e;
        }
        assertInstanceOf(IllegalStateException.class, failure.getCause() == null ? failure : failure.getCause());
        assertEquals(List.of(), channel.takeWritten());
    }

    @Test
    void shouldStopReadingWhileTooManyRequestsAreUnanswered() {
        MemoryChannel channel = answering(request, "gzip");
        for (int i = 1; i < 128; i++) {
            channel.receive(request);
        }
        for (int round = 0; round < 3; round++) {
            assertFalse(channel.isReadable());
            for (int i = 0; i < 31; i++) {
                channel.write(response);
            }
            assertFalse(channel.isReadable());
            channel.write(response);
            assertTrue(channel.isReadable());
            for (int i = 0; i < 32; i++) {
                assertTrue(channel.isReadable());
                channel.receive(request);
            }
        }
    }

    // ---- other codings ----

    private static final ContentCodings REVERSED = ContentCodings.defaults()
            .with(
                    "Reversed",
                    () -> new EncoderEmbedder<>(new Reversing()),
                    () -> new DecoderEmbedder<>(new Reverting()));

    private static ChannelBuffer reversed(ChannelBuffer content) {
        StringBuilder text = new StringBuilder(content.toString(ISO_8859_1));
        return buffer(text.reverse().toString());
    }

    private static final class Reversing extends OneToOneEncoder {
        @Override
        protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            return reversed((ChannelBuffer) msg);
        }
    }

    private static final class Reverting extends OneToOneDecoder {
        @Override
        protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) {
            return reversed((ChannelBuffer) msg);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "reversed, reversed",
        "'gzip, REVERSED', reversed",
        "'gzip, reversed;q=0.9', gzip",
        "'reversed;q=0.5, deflate;q=0.4, *', reversed",
        "'reversed;q=0, deflate', deflate",
        "*, gzip",
        "'gzip;q=0, *', deflate",
        "br,",
        "reversed;q=0,",
        "X-Reversed, reversed",
        "x-reversed;q=0,",
        "'gzip;q=2, deflate;level=9',",
    })
    void shouldPreferAnAddedCodingOfEqualQuality(String acceptEncoding, String chosen) throws Exception {
        assertEquals(chosen, new HttpContentCompressor(REVERSED).getTargetContentEncoding(acceptEncoding));
    }

    @Test
    void shouldPreferTheCodingThatWasAddedFirst() throws Exception {
        ContentCodings codings = ContentCodings.defaults()
                .with("decoded", null, () -> new DecoderEmbedder<>(new Reverting()))
                .with("b", () -> new EncoderEmbedder<>(new Reversing()), null)
                .with("a", () -> new EncoderEmbedder<>(new Reversing()), null);
        HttpContentCompressor compressor = new HttpContentCompressor(codings);
        assertEquals("b", compressor.getTargetContentEncoding("gzip, a, decoded, b"));
        assertEquals("a", compressor.getTargetContentEncoding("b;q=0.8, a;q=0.9, decoded"));
        assertNull(compressor.getTargetContentEncoding("decoded"));
        assertNull(new HttpContentDecompressor(HttpLimits.standard(), codings).newContentDecoder("b"));
    }

    @Test
    void shouldEncodeAndDecodeAnAddedCoding() {
        MemoryChannel server = MemoryChannel.connected(new HttpContentCompressor(REVERSED));
        request.headers().set("Accept-Encoding", "Reversed");
        server.receive(request);
        response.setContent(buffer("abc"));
        HttpHeaders.setContentLength(response, 3);
        server.write(response);
        HttpResponse encoded = (HttpResponse) server.takeWritten().get(0);
        assertEquals(
                "200 OK HTTP/1.1 Vary:Accept-Encoding Content-Encoding:reversed Content-Length:3 <cba>",
                Decoded.describe(encoded));

        MemoryChannel client = MemoryChannel.connected(new HttpContentDecompressor(HttpLimits.standard(), REVERSED));
        encoded.headers().set("Content-Encoding", "REVERSED");
        client.receive(encoded);
        assertEquals(
                "200 OK HTTP/1.1 Vary:Accept-Encoding Content-Length:3 <abc>",
                Decoded.describe(client.takeReceived().get(0)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "X-Deflate", "identity", "*", "", "a b", "a,b", "REVERSED"})
    void shouldRefuseANameThatIsInvalidOrAlreadyKnown(String name) {
        assertThrows(IllegalArgumentException.class, () -> REVERSED.with(name, null, null));
    }
}
