package org.freshet.handler.codec.http;

import static org.freshet.handler.codec.http.CodedContent.buffer;
import static org.freshet.handler.codec.http.CodedContent.bytes;
import static org.freshet.handler.codec.http.CodedContent.deflated;
import static org.freshet.handler.codec.http.CodedContent.describe;
import static org.freshet.handler.codec.http.CodedContent.gzipped;
import static org.freshet.handler.codec.http.CodedContent.inflating;
import static org.freshet.handler.codec.http.CodedContent.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.oneone.OneToOneDecoder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which compressed content is refused: too long when decoded, cut off, corrupt or followed by more. */
class HttpDecompressionLimitsTest {
    private final HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");

    @Test
    void shouldRefuseWhatDecodesToTooMuchAndDiscardTheRest() throws Exception {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInflatedBytes(100_000).build();
        MemoryChannel channel = inflating(limits);
        channel.receive(new DefaultHttpChunk(gzipped(text(100_001))));
        channel.receive(new DefaultHttpChunk(buffer("more")));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertEquals(100_000, bytes(channel.takeReceived()));
        channel.receive(request);
        assertEquals(1, channel.takeReceived().size());
    }

    @Test
    void shouldRefuseWhatGrowsTooMuchWhenItIsDecoded() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        channel.receive(new DefaultHttpChunk(gzipped("\0".repeat(20_000_000))));
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertTrue(bytes(channel.takeReceived()) <= (1 << 21) + (1 << 16));
    }

    @Test
    void shouldApplyTheSameLimitsToAWholeMessage() throws Exception {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor());
        request.headers().set("Content-Encoding", "gzip");
        request.setContent(gzipped("\0".repeat(20_000_000)));
        channel.receive(request);
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertEquals(List.of(), channel.takeReceived());
    }

    @Test
    void shouldHoldAUsersDecoderToTheLimitOfBytes() {
        HttpLimits limits =
                HttpLimits.standard().toBuilder().maxInflatedBytes(5).build();
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecoder(limits) {
            @Override
            protected DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) {
                return new DecoderEmbedder<>(new OneToOneDecoder() {
                    @Override
                    protected Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) {
                        return ChannelBuffers.wrappedBuffer((ChannelBuffer) msg, (ChannelBuffer) msg);
                    }
                });
            }
        });
        request.headers().set("Content-Encoding", "double");
        request.setChunked(true);
        channel.receive(request);
        channel.receive(new DefaultHttpChunk(buffer("ab")));
        channel.receive(new DefaultHttpChunk(buffer("ab")));
        assertEquals("failure 413", Decoded.describe(channel.takeCaught().get(0)));
        assertEquals("chunk abab", Decoded.describe(channel.takeReceived().get(1)));
    }

    @Test
    void shouldRefuseContentThatIsCutOffOrCorrupt() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        ChannelBuffer encoded = gzipped("hello");
        channel.receive(new DefaultHttpChunk(encoded.readBytes(encoded.readableBytes() - 1)));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals("failure 400", Decoded.describe(channel.takeCaught().get(0)));

        MemoryChannel other = inflating(HttpLimits.standard());
        other.receive(new DefaultHttpChunk(buffer("this is not gzip")));
        other.receive(HttpChunk.LAST_CHUNK);
        assertEquals("failure 400", Decoded.describe(other.takeCaught().get(0)));
        assertEquals(List.of(), other.takeReceived());
    }

    @ParameterizedTest
    @CsvSource({"gzip, 1", "gzip, 1000", "deflate, 1", "deflate, 1000"})
    void shouldRefuseBytesAfterTheEndOfTheStreamAndKeepNone(String coding, int pieceBytes) throws Exception {
        MemoryChannel channel = inflating(coding, HttpLimits.standard());
        ChannelBuffer hello = coding.equals("gzip") ? gzipped("hello") : deflated("hello");
        ChannelBuffer encoded = ChannelBuffers.wrappedBuffer(hello, buffer("more"));
        while (encoded.readable()) {
            int length = Math.min(pieceBytes, encoded.readableBytes());
            channel.receive(new DefaultHttpChunk(encoded.readBytes(length)));
        }
        assertEquals(List.of("failure 400"), describe(channel.takeCaught()), "before the content ends");
        channel.receive(HttpChunk.LAST_CHUNK);

        String received = String.join("", describe(channel.takeReceived()));
        assertEquals("hello", received.replace("chunk ", ""));
        assertEquals(List.of(), channel.takeCaught());
        channel.receive(request);
        assertEquals(List.of(request), channel.takeReceived());
    }

    @Test
    void shouldRefuseAnIncompleteGzipMember() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        channel.receive(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(gzipped("hello"), buffer("\u001f"))));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("failure 400"), describe(channel.takeCaught()));
    }

    @Test
    void shouldJoinGzipMembers() throws Exception {
        MemoryChannel channel = inflating(HttpLimits.standard());
        channel.receive(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(gzipped("a"), gzipped("b"))));
        channel.receive(HttpChunk.LAST_CHUNK);
        assertEquals(List.of("chunk a", "chunk b", "end"), describe(channel.takeReceived()));
        assertEquals(List.of(), channel.takeCaught());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate"})
    void shouldRefuseBytesAfterTheEndOfTheStreamInAWholeMessage(String coding) throws Exception {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor());
        request.headers().set("Content-Encoding", coding);
        ChannelBuffer hello = coding.equals("gzip") ? gzipped("hello") : deflated("hello");
        request.setContent(ChannelBuffers.wrappedBuffer(hello, buffer("more")));
        channel.receive(request);
        assertEquals(List.of("failure 400"), describe(channel.takeCaught()));
        assertEquals(List.of(), channel.takeReceived());
    }
}
