package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ByteStringTest {
    private final Random random = Seeds.random();

    @Test
    void shouldNotChangeWithItsSourceArray() {
        byte[] bytes = {1, 2, 3};
        ByteString string = ByteString.of(bytes);
        ByteString part = ByteString.copyOf(bytes, 1, 2);
        ChannelBuffer buffer = ChannelBuffers.wrappedBuffer(bytes);
        ByteString ofBuffer = ByteString.copyOf(buffer);
        bytes[1] = 9;
        assertArrayEquals(new byte[] {1, 2, 3}, string.toByteArray());
        assertArrayEquals(new byte[] {2, 3}, part.toByteArray());
        assertArrayEquals(new byte[] {1, 2, 3}, ofBuffer.toByteArray());
        assertEquals(0, buffer.readerIndex());
        string.toByteArray()[0] = 9;
        assertEquals(1, string.byteAt(0));
    }

    @Test
    void shouldCopyTheReadableBytesOfEachKindOfBuffer() {
        byte[] bytes = bytes(40);
        for (BufferKind kind : BufferKind.values()) {
            ChannelBuffer buffer = kind.make(ByteOrder.BIG_ENDIAN, bytes, random);
            buffer.setIndex(3, 30);
            ByteString string = ByteString.copyOf(buffer);
            assertArrayEquals(Arrays.copyOfRange(bytes, 3, 30), string.toByteArray(), kind.name());
            assertTrue(string.isAt(buffer, 3), kind.name());
            assertFalse(string.isAt(buffer, 4), kind.name());
            assertFalse(string.isAt(buffer, 14), kind.name());
            assertFalse(string.isAt(buffer, -1), kind.name());
            assertTrue(ByteString.copyOf(bytes, 0, 5).isAt(buffer, 0), kind.name());
            assertTrue(ByteString.copyOf(bytes, 35, 5).isAt(buffer, 35), kind.name());
            assertFalse(ByteString.copyOf(bytes, 35, 5).isAt(buffer, 36), kind.name());
        }
    }

    @Test
    void shouldEqualTheSameBytesTakenFromElsewhere() {
        for (int length = 0; length < 70; length++) {
            byte[] bytes = bytes(length);
            byte[] longer = new byte[length + 9];
            System.arraycopy(bytes, 0, longer, 4, length);
            ByteString whole = ByteString.of(bytes);
            ByteString part = ByteString.of(longer).slice(4, length);
            assertEquals(whole, part);
            assertEquals(part, whole);
            assertEquals(whole.hashCode(), part.hashCode());
            assertEquals(0, whole.compareTo(part));
            for (int i = 0; i < length; i++) {
                byte[] other = bytes.clone();
                other[i] ^= 0x40;
                assertNotEquals(whole, ByteString.of(other));
                assertNotEquals(part, ByteString.of(other));
                assertEquals(
                        Integer.signum(Arrays.compareUnsigned(bytes, other)),
                        Integer.signum(part.compareTo(ByteString.of(other))));
            }
        }
    }

    @Test
    void shouldEqualWhetherItsHashIsKnownOrNot() {
        ByteString known = ByteString.ascii("topic");
        known.hashCode();
        assertEquals(known, ByteString.ascii("topic"));
        assertEquals(ByteString.ascii("topic"), known);
        ByteString other = ByteString.ascii("topik");
        assertNotEquals(known, other);
        other.hashCode();
        assertNotEquals(known, other);
        assertNotEquals(known, "topic");
        assertEquals(known, known);
    }

    @Test
    void shouldNotEqualAPrefix() {
        ByteString text = ByteString.ascii("topics");
        for (ByteString shorter : List.of(ByteString.ascii("topic"), text.slice(0, 5), text.slice(1, 5))) {
            assertNotEquals(text, shorter);
            assertNotEquals(shorter, text);
        }
        assertNotEquals(text.slice(0, 5), text.slice(0, 4));
        assertNotEquals(text.slice(0, 4), text.slice(0, 5));
    }

    /** 0 would be computed again each time. */
    @Test
    void shouldNotHaveTheHashZero() {
        byte[] hashToZero = {-31};
        assertEquals(0, Arrays.hashCode(hashToZero));
        assertEquals(1, ByteString.of(hashToZero).hashCode());
        assertEquals(1, ByteString.of((byte) 9, (byte) -31).slice(1, 1).hashCode());
    }

    @Test
    void shouldKnowItsLength() {
        assertEquals(3, ByteString.ascii("abc").length());
        assertEquals(2, ByteString.ascii("abc").slice(1, 2).length());
        assertEquals('c', ByteString.ascii("abc").slice(1, 2).byteAt(1));
        assertFalse(ByteString.ascii("a").isEmpty());
        assertTrue(ByteString.EMPTY.isEmpty());
        ByteString whole = ByteString.ascii("abc");
        assertSame(whole, whole.slice(0, 3));
    }

    @Test
    void shouldFindAMapValueByBytesJustRead() {
        Map<ByteString, Integer> map = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            map.put(ByteString.ascii("topic/" + i), i);
        }
        for (int i = 0; i < 1000; i++) {
            ChannelBuffer read = ChannelBuffers.copiedBuffer("SEND topic/" + i, StandardCharsets.US_ASCII);
            read.skipBytes(5);
            assertEquals(i, map.get(ByteString.copyOf(read)));
        }
    }

    @Test
    void shouldStayFastAsAKeyWhenAllHashesAreTheSame() {
        Map<ByteString, Integer> map = new HashMap<>();
        int keys = 1 << 12;
        for (int key = 0; key < keys; key++) {
            map.put(collision(key, 12), key);
        }
        assertEquals(
                1, map.keySet().stream().map(ByteString::hashCode).distinct().count());
        for (int key = 0; key < keys; key++) {
            assertEquals(key, map.get(collision(key, 12)));
        }
    }

    /** A pair of bytes (0, 31) has the same hash as (1, 0). */
    private static ByteString collision(int key, int bits) {
        byte[] bytes = new byte[2 * bits];
        for (int bit = 0; bit < bits; bit++) {
            boolean set = (key >> bit & 1) != 0;
            bytes[2 * bit] = (byte) (set ? 1 : 0);
            bytes[2 * bit + 1] = (byte) (set ? 0 : 31);
        }
        return ByteString.of(bytes);
    }

    @Test
    void shouldOrderBytesAsUnsignedAndAPrefixFirst() {
        assertTrue(ByteString.of((byte) 0x80).compareTo(ByteString.of((byte) 0x7F)) > 0);
        assertTrue(ByteString.ascii("ab").compareTo(ByteString.ascii("abc")) < 0);
        assertTrue(ByteString.EMPTY.compareTo(ByteString.of((byte) 0)) < 0);
    }

    @Test
    void shouldFindBytesAndSubsequences() {
        ByteString text = ByteString.ascii("x--boundary--").slice(1, 12);
        assertEquals(0, text.indexOf((byte) '-', 0));
        assertEquals(10, text.indexOf((byte) '-', 2));
        assertEquals(-1, text.indexOf((byte) 'x', 0));
        assertEquals(-1, text.indexOf((byte) '-', 12));
        assertEquals(2, text.indexOf(ByteString.ascii("bound"), 0));
        assertEquals(-1, text.indexOf(ByteString.ascii("bound"), 3));
        assertEquals(5, text.indexOf(ByteString.EMPTY, 5));
        assertEquals(-1, text.indexOf(ByteString.ascii("--x"), 0));
        assertEquals(10, text.indexOf(ByteString.ascii("--"), 1));
        assertEquals(-1, text.indexOf(ByteString.ascii("--"), 11));
        assertEquals(12, text.indexOf(ByteString.EMPTY, 12));
        assertTrue(text.startsWith(ByteString.ascii("--")));
        assertFalse(text.startsWith(ByteString.ascii("--boundary--!")));
        assertTrue(text.startsWith(text));
        assertFalse(text.startsWith(ByteString.ascii("-b")));
        assertTrue(text.endsWith(ByteString.ascii("y--")));
        assertTrue(text.endsWith(text));
        assertFalse(text.endsWith(ByteString.ascii("x--boundary--")));
        assertFalse(text.endsWith(ByteString.ascii("y-")));
        assertThrows(IllegalArgumentException.class, () -> text.indexOf((byte) 'x', -1));
    }

    @Test
    void shouldRefuseIndicesOutsideOfAPart() {
        ByteString part = ByteString.of(bytes(20)).slice(5, 10);
        assertThrows(IndexOutOfBoundsException.class, () -> part.byteAt(10));
        assertThrows(IndexOutOfBoundsException.class, () -> part.byteAt(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> part.slice(5, 6));
        assertThrows(IndexOutOfBoundsException.class, () -> part.slice(1, Integer.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> ByteString.copyOf(new byte[3], 1, 3));
    }

    @Test
    void shouldShareItsBytesWithAReadOnlyBuffer() {
        ByteString string = ByteString.ascii("HTTP/1.1 200 OK").slice(5, 3);
        ChannelBuffer buffer = string.toChannelBuffer();
        assertEquals("1.1", buffer.toString(StandardCharsets.US_ASCII));
        assertThrows(ReadOnlyBufferException.class, () -> buffer.setByte(0, 0));
        ChannelBuffer target = ChannelBuffers.dynamicBuffer(1);
        string.writeTo(target);
        assertEquals(buffer, target);
    }

    @Test
    void shouldRefuseTextThatIsNotAscii() {
        assertEquals("plain", ByteString.ascii("plain").toString(StandardCharsets.US_ASCII));
        assertEquals("Größe", ByteString.utf8("Größe").toString(StandardCharsets.UTF_8));
        assertEquals(0x7F, ByteString.ascii("\u007F").byteAt(0));
        assertThrows(IllegalArgumentException.class, () -> ByteString.ascii("\u0080"));
        Exception refusal = assertThrows(IllegalArgumentException.class, () -> ByteString.ascii("ab\u010A"));
        assertEquals("not ASCII: U+010A at 2; use utf8(text) for other characters", refusal.getMessage());
    }

    @Test
    void shouldShowItsBytes() {
        assertEquals(
                "ByteString(3: 00ff41)",
                ByteString.of((byte) 0, (byte) -1, (byte) 'A').toString());
        assertEquals(
                "ByteString(100: " + "00".repeat(64) + "...)",
                ByteString.of(new byte[100]).toString());
        assertSame(ByteString.EMPTY, ByteString.of());
        assertSame(ByteString.EMPTY, ByteString.ascii("a").slice(1, 0));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
