package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Equality and order of contents so long that memory is compared as a whole, between any two kinds of buffers. */
class LongContentsTest {
    private static final int SIZE = 1500;

    private final Random random = Seeds.random();
    private final byte[] content = new byte[SIZE];
    private List<ChannelBuffer> all;

    @BeforeEach
    void makeABufferOfEachKindInBothOrders() {
        random.nextBytes(content);
        all = ofEachKind(content);
    }

    private List<ChannelBuffer> ofEachKind(byte[] bytes) {
        List<ChannelBuffer> buffers = new ArrayList<>();
        for (BufferKind kind : BufferKind.values()) {
            buffers.add(kind.make(ByteOrder.BIG_ENDIAN, bytes, random));
            buffers.add(kind.make(ByteOrder.LITTLE_ENDIAN, bytes, random));
        }
        return buffers;
    }

    @Test
    void shouldEqualTheSameBytesInAnyOtherKind() {
        for (int[] range : new int[][] {{0, SIZE}, {7, SIZE - 1}}) {
            all.forEach(buffer -> buffer.setIndex(range[0], range[1]));
            for (ChannelBuffer a : all) {
                for (ChannelBuffer b : all) {
                    assertTrue(a.equals(b), () -> a + " and " + b + ", seed " + Seeds.seed());
                    assertEquals(0, a.compareTo(b));
                }
            }
        }
    }

    @Test
    void shouldNotEqualTheSameBytesFromAnotherIndex() {
        List<ChannelBuffer> shifted = ofEachKind(content);
        all.forEach(buffer -> buffer.setIndex(7, SIZE - 1));
        shifted.forEach(buffer -> buffer.setIndex(8, SIZE));
        for (ChannelBuffer a : all) {
            for (ChannelBuffer b : shifted) {
                assertFalse(a.equals(b), () -> a + " and " + b + ", seed " + Seeds.seed());
            }
        }
    }

    /** Later bytes differ in the other direction, but only the first difference counts. */
    @Test
    void shouldOrderByTheFirstDifference() {
        for (int differsAt : new int[] {2, 700 + random.nextInt(100), SIZE - 1}) {
            byte[] changed = content.clone();
            changed[differsAt] ^= (byte) 0x80;
            int sign = content[differsAt] < 0 ? 1 : -1;
            for (int at = differsAt + 1; at < SIZE; at += 5) {
                changed[at] = (byte) (content[at] + sign);
            }
            List<ChannelBuffer> different = ofEachKind(changed);
            for (ChannelBuffer a : all) {
                for (ChannelBuffer b : different) {
                    a.setIndex(2, SIZE);
                    b.setIndex(2, SIZE);
                    assertFalse(a.equals(b), () -> a + " and " + b + ", seed " + Seeds.seed());
                    assertEquals(sign, a.compareTo(b), () -> a + " and " + b + ", seed " + Seeds.seed());
                    assertEquals(-sign, b.compareTo(a));
                }
            }
        }
    }

    /** Such a buffer may have no array. */
    @Test
    void shouldCompareAUserDefinedBuffer() {
        ChannelBuffer own = new ReadOnlyChannelBuffer(ChannelBuffers.wrappedBuffer(content));
        ChannelBuffer hidden = new HiddenArray(content.clone());
        byte[] changed = content.clone();
        changed[SIZE - 1]++;
        for (ChannelBuffer buffer : all) {
            assertTrue(buffer.equals(hidden));
            assertTrue(hidden.equals(buffer));
            assertFalse(buffer.equals(new HiddenArray(changed)));
            assertFalse(new HiddenArray(changed).equals(buffer));
        }
        assertTrue(hidden.equals(own));
    }

    /** Exposes its memory only through {@code toByteBuffer}. */
    private static final class HiddenArray extends BigEndianHeapChannelBuffer {
        HiddenArray(byte[] bytes) {
            super(bytes);
        }

        @Override
        public boolean hasArray() {
            return false;
        }

        @Override
        public byte[] array() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ByteBuffer toByteBuffer(int index, int length) {
            return super.toByteBuffer(index, length).asReadOnlyBuffer();
        }
    }
}
