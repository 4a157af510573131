package org.freshet.handler.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.compression.ZlibStreams.WRAPPERS;
import static org.freshet.handler.codec.compression.ZlibStreams.all;
import static org.freshet.handler.codec.compression.ZlibStreams.inflate;
import static org.freshet.handler.codec.compression.ZlibStreams.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.embedder.EncoderEmbedder;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

class ZlibEncoderTest {
    @Test
    void shouldWriteTheEndOnceOnCloseAndPassLaterWrites() {
        ZlibEncoder encoder = new ZlibEncoder();
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        embedder.offer(wrap("hello".getBytes(US_ASCII)));
        ChannelFuture closed = encoder.close();
        assertTrue(closed.isSuccess());
        assertTrue(encoder.isClosed());
        assertTrue(encoder.close().isSuccess());
        assertEquals("hello", inflate(new ZlibDecoder(), all(embedder.pollAll())));
        ChannelBuffer raw = wrap("raw".getBytes(US_ASCII));
        embedder.offer(raw);
        assertSame(raw, embedder.poll());
        assertFalse(embedder.finish());
    }

    @Test
    void shouldWriteTheEndOfTheStreamBeforeTheEndOfTheOutput() {
        MemoryChannel channel = MemoryChannel.connected(new ZlibEncoder());
        channel.write(wrap("hello".getBytes(US_ASCII)));
        Channels.shutdownOutput(channel);
        List<Object> written = channel.takeWritten();
        assertSame(OutputShutdown.INSTANCE, written.remove(written.size() - 1));
        assertEquals("hello", inflate(new ZlibDecoder(), all(written.toArray())));
    }

    @Test
    void shouldWriteAStreamWithoutContent() {
        for (ZlibWrapper wrapper : WRAPPERS) {
            EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(new JdkZlibEncoder(wrapper));
            assertTrue(embedder.finish());
            assertEquals("", inflate(new ZlibDecoder(wrapper), all(embedder.pollAll())));
        }
    }

    @Test
    void shouldPassEmptyBuffersAndOtherMessages() {
        EncoderEmbedder<Object> embedder = new EncoderEmbedder<>(new ZlibEncoder());
        embedder.offer(ChannelBuffers.EMPTY_BUFFER);
        assertSame(ChannelBuffers.EMPTY_BUFFER, embedder.poll());
        embedder.offer("text");
        assertSame("text", embedder.poll());
    }

    @Test
    void shouldNotWriteTheEndWhenRemoved() {
        ZlibEncoder encoder = new ZlibEncoder();
        EncoderEmbedder<ChannelBuffer> embedder = new EncoderEmbedder<>(encoder);
        embedder.offer(wrap("hello".getBytes(US_ASCII)));
        embedder.poll();
        embedder.getPipeline().remove(encoder);
        assertFalse(embedder.finish());
        assertThrows(IllegalStateException.class, encoder::close);
    }

    @Test
    void shouldRefuseBadArguments() {
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB_OR_NONE));
        assertThrows(IllegalArgumentException.class, () -> new JdkZlibEncoder(ZlibWrapper.ZLIB_OR_NONE));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(10));
        assertThrows(IllegalArgumentException.class, () -> new JdkZlibEncoder(-1));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB, 6, 8, 8));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB, 6, 16, 8));
        assertThrows(IllegalArgumentException.class, () -> new ZlibEncoder(ZlibWrapper.ZLIB, 6, 9, 10));
        assertThrows(NullPointerException.class, () -> new ZlibEncoder(6, (byte[]) null));
        assertThrows(NullPointerException.class, () -> new ZlibEncoder((ZlibWrapper) null));
        assertThrows(NullPointerException.class, () -> new ZlibDecoder((ZlibWrapper) null));
        assertThrows(NullPointerException.class, () -> new ZlibDecoder((byte[]) null));
        assertThrows(IllegalArgumentException.class, () -> new ZlibDecoder(ZlibWrapper.ZLIB, 0));
    }
}
