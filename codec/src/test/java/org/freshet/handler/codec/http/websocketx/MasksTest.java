package org.freshet.handler.codec.http.websocketx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.junit.jupiter.api.Test;

class MasksTest {
    private static final int MASK = 0x37_FA_21_3D;

    /** RFC 6455, 5.7: a masked "Hello". */
    @Test
    void shouldMaskTheExampleOfTheRfc() {
        byte[] hello = {'H', 'e', 'l', 'l', 'o'};
        Masks.apply(MASK, hello, 0, hello.length);
        assertArrayEquals(new byte[] {0x7F, (byte) 0x9F, 0x4D, 0x51, 0x58}, hello);
    }

    @Test
    void shouldMaskEveryLengthAtEveryOffset() {
        for (int offset = 0; offset < 9; offset++) {
            for (int length = 0; length < 70; length++) {
                byte[] bytes = counted(offset + length + 9);
                byte[] expected = bytes.clone();
                maskBytewise(MASK, expected, offset, length);
                Masks.apply(MASK, bytes, offset, length);
                assertArrayEquals(expected, bytes, "offset " + offset + ", length " + length);
            }
        }
    }

    @Test
    void shouldKeepThePhaseAcrossPieces() {
        byte[] expected = counted(67);
        maskBytewise(MASK, expected, 0, expected.length);
        for (int first = 0; first <= 67; first++) {
            for (int second = first; second <= 67; second++) {
                byte[] source = counted(67);
                byte[] target = new byte[67];
                Masks.copy(MASK, source, 0, target, 0, first);
                Masks.copy(Masks.after(MASK, first), source, first, target, first, second - first);
                Masks.copy(Masks.after(MASK, second), source, second, target, second, 67 - second);
                assertArrayEquals(expected, target, "cut at " + first + " and " + second);
                assertArrayEquals(counted(67), source);
            }
        }
    }

    @Test
    void shouldMaskWhileCopyingBetweenBuffersOfEveryKind() {
        byte[] expected = counted(45);
        maskBytewise(MASK, expected, 0, expected.length);
        for (ChannelBuffer source : kinds(counted(45))) {
            for (ChannelBuffer target : List.of(
                    ChannelBuffers.dynamicBuffer(1),
                    ChannelBuffers.buffer(60).slice(7, 50),
                    ChannelBuffers.directBuffer(60))) {
                target.clear();
                target.writeByte(9);
                Masks.write(MASK, source, source.readerIndex(), target, 45);
                assertEquals(ChannelBuffers.wrappedBuffer(new byte[] {9}, expected), target);
                assertEquals(45, source.readableBytes());
            }
        }
    }

    @Test
    void shouldMaskBuffersOfEveryKindInPlace() {
        byte[] expected = counted(45);
        maskBytewise(MASK, expected, 3, 31);
        for (ChannelBuffer buffer : kinds(counted(45))) {
            Masks.apply(MASK, buffer, buffer.readerIndex() + 3, 31);
            assertEquals(ChannelBuffers.wrappedBuffer(expected), buffer);
        }
    }

    @Test
    void shouldChooseMasksInWhichEveryBitVaries() {
        int ones = 0;
        int zeros = 0;
        for (int i = 0; i < 2000; i++) {
            int mask = Masks.random();
            ones |= mask;
            zeros |= ~mask;
        }
        assertEquals(-1, ones);
        assertEquals(-1, zeros);
    }

    /** Of 40,000 random ints, about 0.2 are expected to equal another one. */
    @Test
    void shouldGiveDifferentMasksToDifferentThreads() {
        Set<Integer> masks = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 40_000).parallel().forEach(i -> masks.add(Masks.random()));
        assertTrue(masks.size() > 39_990, "different masks: " + masks.size());
        assertTrue(new HashSet<>(masks).size() == masks.size());
    }

    private static List<ChannelBuffer> kinds(byte[] content) {
        byte[] padded = new byte[content.length + 10];
        System.arraycopy(content, 0, padded, 5, content.length);
        ChannelBuffer direct = ChannelBuffers.directBuffer(padded.length);
        direct.writeBytes(padded);
        direct.readerIndex(5);
        direct.writerIndex(5 + content.length);
        return List.of(
                ChannelBuffers.wrappedBuffer(padded.clone(), 5, content.length),
                ChannelBuffers.wrappedBuffer(ByteBuffer.wrap(padded.clone(), 5, content.length)),
                direct,
                ChannelBuffers.wrappedBuffer(
                        Arrays.copyOf(content, 20), Arrays.copyOfRange(content, 20, content.length)));
    }

    private static byte[] counted(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + 200);
        }
        return bytes;
    }

    private static void maskBytewise(int mask, byte[] bytes, int from, int length) {
        for (int i = 0; i < length; i++) {
            bytes[from + i] ^= (byte) (mask >>> 24 - (i % 4) * 8);
        }
    }
}
