package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferInputStream;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.testing.MemoryChannel;

/** Content for tests of content codings, and channels that encode or decode it. */
public final class CodedContent {
    private CodedContent() {}

    static MemoryChannel answering(HttpRequest request, String acceptEncoding) {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentCompressor());
        request.headers().set("Accept-Encoding", acceptEncoding);
        channel.receive(request);
        channel.takeReceived();
        return channel;
    }

    static List<String> describe(List<?> events) {
        List<String> descriptions = new ArrayList<>();
        events.forEach(event -> descriptions.add(Decoded.describe(event)));
        return descriptions;
    }

    static MemoryChannel inflating(HttpLimits limits) {
        return inflating("gzip", limits);
    }

    static MemoryChannel inflating(String coding, HttpLimits limits) {
        MemoryChannel channel = MemoryChannel.connected(new HttpContentDecompressor(limits));
        HttpRequest chunked = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        chunked.headers().set("Content-Encoding", coding).set("Content-Length", 5);
        chunked.setChunked(true);
        channel.receive(chunked);
        assertEquals(List.of(chunked), channel.takeReceived());
        assertTrue(chunked.headers().isEmpty());
        return channel;
    }

    static int bytes(List<Object> chunks) {
        return chunks.stream()
                .mapToInt(chunk -> ((HttpChunk) chunk).getContent().readableBytes())
                .sum();
    }

    /** Text that doesn't repeat itself. */
    public static String text(int length) {
        StringBuilder text = new StringBuilder(length + 16);
        for (long i = 1; text.length() < length; i = i * 6364136223846793005L + 1442695040888963407L) {
            text.append(Long.toString(i >>> 40, 36)).append(' ');
        }
        return text.substring(0, length);
    }

    static ChannelBuffer buffer(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    static ChannelBuffer gzipped(String latin1) {
        return ChannelBuffers.wrappedBuffer(ZlibStreams.gzipped(latin1.getBytes(ISO_8859_1)));
    }

    static ChannelBuffer deflated(String latin1) {
        return ChannelBuffers.wrappedBuffer(ZlibStreams.deflated(ZlibWrapper.ZLIB, latin1.getBytes(ISO_8859_1)));
    }

    static String gunzip(ChannelBuffer encoded) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ChannelBufferInputStream(encoded.duplicate()))) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
    }
}
