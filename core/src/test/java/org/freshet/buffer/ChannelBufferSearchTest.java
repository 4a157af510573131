package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.ByteOrder;
import java.util.List;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Searches and comparisons. */
class ChannelBufferSearchTest extends ChannelBufferContract {
    private static final List<ChannelBufferIndexFinder> FINDERS = List.of(
            ChannelBufferIndexFinder.NUL,
            ChannelBufferIndexFinder.NOT_NUL,
            ChannelBufferIndexFinder.CR,
            ChannelBufferIndexFinder.NOT_CR,
            ChannelBufferIndexFinder.LF,
            ChannelBufferIndexFinder.NOT_LF,
            ChannelBufferIndexFinder.CRLF,
            ChannelBufferIndexFinder.NOT_CRLF,
            ChannelBufferIndexFinder.LINEAR_WHITESPACE,
            ChannelBufferIndexFinder.NOT_LINEAR_WHITESPACE);

    @Test
    void shouldFindAByteThatIsTheFirst() {
        assertEquals(0, buffer.bytesBefore(0, SIZE, bytes[0]));
        assertEquals(0, buffer.bytesBefore(7, 1, bytes[7]));
        assertEquals(-1, buffer.bytesBefore(7, 0, bytes[7]));
        assertEquals(0, buffer.bytesBefore(0, SIZE, (b, index) -> true));
    }

    @Test
    void shouldFindBytesInBothDirections() {
        for (int round = 0; round < 300; round++) {
            byte value = bytes[random.nextInt(SIZE)];
            int from = random.nextInt(SIZE + 10) - 5;
            int to = random.nextInt(SIZE + 10) - 5;
            int expected = searchPlainly(from, to, value);
            assertEquals(expected, buffer.indexOf(from, to, value), () -> "seed " + Seeds.seed());
            assertEquals(expected, buffer.indexOf(from, to, (b, index) -> b.getByte(index) == value));
        }
        assertEquals(-1, buffer.indexOf(-5, -1, bytes[0]));
        assertEquals(0, buffer.indexOf(Integer.MIN_VALUE, Integer.MAX_VALUE, bytes[0]));
        assertEquals(SIZE - 1, buffer.indexOf(Integer.MAX_VALUE, Integer.MIN_VALUE, bytes[SIZE - 1]));
        assertThrows(NullPointerException.class, () -> buffer.indexOf(0, 1, null));
    }

    @Test
    void shouldFindTheSameWithEachConstantAsWithAUsersFinder() {
        assumeFalse(kind.readOnly());
        byte[] likely = {0, '\r', '\n', ' ', '\t', 'x', 1, (byte) 0x80, (byte) 0x8a, (byte) 0xff};
        for (ChannelBufferIndexFinder constant : FINDERS) {
            boolean rare = random.nextBoolean();
            for (int i = 0; i < SIZE; i++) {
                buffer.setByte(i, likely[rare && random.nextInt(20) > 0 ? 5 : random.nextInt(likely.length)]);
            }
            ChannelBufferIndexFinder own = (b, index) -> constant.find(b, index);
            for (int round = 0; round < 50; round++) {
                int from = random.nextInt(SIZE + 5) - 2;
                int to = random.nextInt(SIZE + 5) - 2;
                int expected = buffer.indexOf(from, to, own);
                assertEquals(expected, buffer.indexOf(from, to, constant), () -> "seed " + Seeds.seed());
            }
        }
    }

    @Test
    void shouldCountBytesBeforeAHit() {
        assumeFalse(kind.readOnly());
        buffer.setZero(0, SIZE);
        buffer.setByte(20, 7);
        buffer.setIndex(5, 40);
        assertEquals(15, buffer.bytesBefore((byte) 7));
        assertEquals(15, buffer.bytesBefore(ChannelBufferIndexFinder.NOT_NUL));
        assertEquals(-1, buffer.bytesBefore(15, (byte) 7));
        assertEquals(15, buffer.bytesBefore(16, (byte) 7));
        assertEquals(-1, buffer.bytesBefore(15, ChannelBufferIndexFinder.NOT_NUL));
        assertEquals(3, buffer.bytesBefore(17, 44, (byte) 7));
        assertEquals(3, buffer.bytesBefore(17, 4, ChannelBufferIndexFinder.NOT_NUL));
        assertEquals(-1, buffer.bytesBefore(17, 3, (byte) 7));
        assertEquals(-1, buffer.bytesBefore(21, 40, (byte) 7));
    }

    @Test
    void shouldEqualAndOrderByContentAlone() {
        for (BufferKind other : BufferKind.values()) {
            for (ByteOrder otherOrder : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
                ChannelBuffer same = other.make(otherOrder, bytes, random);
                assertEquals(buffer, same);
                assertEquals(buffer.hashCode(), same.hashCode());
                assertEquals(0, buffer.compareTo(same));
                same.skipBytes(1);
                assertFalse(buffer.equals(same));
                assertEquals(buffer.slice(1, SIZE - 1), same);
                same.setIndex(0, SIZE - 2);
                assertEquals(2, buffer.compareTo(same), "a prefix comes first");
                assertEquals(-2, same.compareTo(buffer));
                for (int differsAt : new int[] {0, 7, 31, SIZE - 1}) {
                    byte[] changed = bytes.clone();
                    changed[differsAt]++;
                    ChannelBuffer different = other.make(otherOrder, changed, random);
                    int sign = (bytes[differsAt] & 0xff) < (changed[differsAt] & 0xff) ? -1 : 1;
                    assertFalse(buffer.equals(different));
                    assertEquals(sign, buffer.compareTo(different));
                    assertEquals(-sign, different.compareTo(buffer));
                }
            }
        }
        assertFalse(buffer.equals(null));
        assertFalse(buffer.equals("text"));
    }

    private int searchPlainly(int from, int to, byte value) {
        int step = from <= to ? 1 : -1;
        for (int i = from <= to ? from : from - 1; from <= to ? i < to : i >= to; i += step) {
            if (i >= 0 && i < SIZE && bytes[i] == value) {
                return i;
            }
        }
        return -1;
    }
}
