package org.freshet.handler.codec.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.freshet.handler.codec.compression.ZlibStreams;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.internal.InflateException.Reason;
import org.freshet.handler.codec.internal.InflatingStream.Format;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Behavior not visible through the handlers: limits on the ratio, and when the stream stops. */
class InflatingStreamTest {
    private static final ChannelBufferFactory FACTORY = HeapChannelBufferFactory.getInstance();
    private static final int MIB = 1 << 20;

    private static byte[] deflated(Format format, byte[] content) {
        ZlibWrapper wrapper = switch (format) {
            case GZIP -> ZlibWrapper.GZIP;
            case RAW -> ZlibWrapper.NONE;
            default -> ZlibWrapper.ZLIB;
        };
        return ZlibStreams.deflated(wrapper, content);
    }

    /** Feeds the input in pieces and returns the number of bytes before the end or the failure. */
    private static long inflate(InflatingStream stream, byte[] input, int pieceBytes) {
        long output = 0;
        try {
            for (int start = 0; start < input.length; start += pieceBytes) {
                stream.feed(ChannelBuffers.wrappedBuffer(input, start, Math.min(pieceBytes, input.length - start)));
                for (ChannelBuffer piece = stream.next(FACTORY); piece != null; piece = stream.next(FACTORY)) {
                    assertTrue(piece.readableBytes() <= 1 << 16, "piece of " + piece.readableBytes());
                    output += piece.readableBytes();
                }
            }
            stream.complete();
        } catch (InflateException e) {
            assertEquals(Reason.TOO_LARGE, e.reason(), e.getMessage());
            return -output;
        }
        return output;
    }

    @ParameterizedTest
    @EnumSource
    void shouldStopABombAtItsRatioHoweverItIsSplit(Format format) {
        byte[] bomb = deflated(format, new byte[20 * MIB]);
        InflateLimits limits = new InflateLimits(Long.MAX_VALUE, 100, MIB);
        long stopped = inflate(new InflatingStream(format, null, limits), bomb, bomb.length);
        assertEquals(-MIB - (1 << 16), stopped, "the allowance without a ratio check, plus one piece");
        for (int pieceBytes : new int[] {1, 7, 100, 1000}) {
            assertEquals(stopped, inflate(new InflatingStream(format, null, limits), bomb, pieceBytes));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptStreamsWithinTheLimits(Format format) {
        Random random = Seeds.random();
        byte[] content = new byte[3 * MIB];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) random.nextInt(4);
        }
        byte[] input = deflated(format, content);
        InflateLimits limits = new InflateLimits(content.length, 20, 0);
        assertEquals(content.length, inflate(new InflatingStream(format, null, limits), input, 1000));
    }

    @Test
    void shouldCountTheInputOfAllMembersForTheRatio() {
        byte[] incompressible = new byte[2 * MIB];
        Seeds.random().nextBytes(incompressible);
        byte[] first = deflated(Format.GZIP, incompressible);
        byte[] second = deflated(Format.GZIP, new byte[10 * MIB]);
        byte[] input = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, input, first.length, second.length);
        InflateLimits limits = new InflateLimits(Long.MAX_VALUE, 10, MIB);
        assertEquals(12 * MIB, inflate(new InflatingStream(Format.GZIP, null, limits), input, input.length));
        assertTrue(inflate(new InflatingStream(Format.GZIP, null, limits), second, second.length) < 0);
    }

    @Test
    void shouldInflateNothingAfterAFailure() {
        InflatingStream stream = new InflatingStream(Format.ZLIB, null, InflateLimits.ofOutput(10));
        byte[] input = deflated(Format.ZLIB, new byte[1000]);
        assertEquals(-10, inflate(stream, input, input.length));
        stream.feed(ChannelBuffers.wrappedBuffer(input));
        assertNull(stream.next(FACTORY));
        stream.complete();
    }

    @Test
    void shouldRefuseInvalidLimits() {
        assertThrows(IllegalArgumentException.class, () -> InflateLimits.ofOutput(0));
        assertThrows(IllegalArgumentException.class, () -> new InflateLimits(1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new InflateLimits(1, 1, -1));
    }
}
