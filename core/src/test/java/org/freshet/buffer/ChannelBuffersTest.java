package org.freshet.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.freshet.buffer.ChannelBuffers.BIG_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.EMPTY_BUFFER;
import static org.freshet.buffer.ChannelBuffers.LITTLE_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.freshet.buffer.ChannelBuffers.hexDump;
import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

class ChannelBuffersTest {
    private static final ByteBuffer[] NO_BYTE_BUFFERS = {};
    private static final ChannelBuffer[] NO_BUFFERS = {};

    @Test
    void shouldCreateEmptyBuffers() {
        for (ByteOrder order : List.of(BIG_ENDIAN, LITTLE_ENDIAN)) {
            for (ChannelBuffer buffer : List.of(
                    ChannelBuffers.buffer(order, 10),
                    ChannelBuffers.directBuffer(order, 10),
                    ChannelBuffers.dynamicBuffer(order, 10))) {
                assertEquals(order, buffer.order());
                assertEquals(10, buffer.capacity());
                assertEquals(10, buffer.writableBytes());
                assertFalse(buffer.readable());
                assertEquals(order, buffer.factory().getDefaultOrder());
            }
        }
        assertTrue(ChannelBuffers.directBuffer(1).isDirect());
        assertFalse(ChannelBuffers.buffer(1).isDirect());
        assertEquals(256, ChannelBuffers.dynamicBuffer().capacity());
        assertEquals(3, ChannelBuffers.dynamicBuffer(3).capacity());
        assertEquals(BIG_ENDIAN, ChannelBuffers.dynamicBuffer().order());
    }

    @Test
    void shouldTakeOrderAndMemoryOfDynamicBuffersFromTheirFactory() {
        ChannelBufferFactory factory = new DirectChannelBufferFactory(LITTLE_ENDIAN);
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(factory);
        assertEquals(256, buffer.capacity());
        assertEquals(LITTLE_ENDIAN, buffer.order());
        assertTrue(buffer.isDirect());
        assertSame(factory, buffer.factory());
        assertEquals(
                BIG_ENDIAN, ChannelBuffers.dynamicBuffer(BIG_ENDIAN, 5, factory).order());
        assertEquals(LITTLE_ENDIAN, ChannelBuffers.dynamicBuffer(5, factory).order());
    }

    @Test
    void shouldRefuseNegativeCapacities() {
        assertThrows(IllegalArgumentException.class, () -> ChannelBuffers.buffer(-1));
        assertThrows(IllegalArgumentException.class, () -> ChannelBuffers.directBuffer(-1));
        assertThrows(IllegalArgumentException.class, () -> ChannelBuffers.dynamicBuffer(-1));
        assertThrows(IllegalArgumentException.class, () -> new BigEndianHeapChannelBuffer(-1));
        assertEquals(0, new BigEndianHeapChannelBuffer(0).capacity());
    }

    @Test
    void shouldRefuseNull() {
        assertThrows(NullPointerException.class, () -> ChannelBuffers.buffer(null, 0));
        assertThrows(NullPointerException.class, () -> ChannelBuffers.directBuffer(null, 0));
        assertThrows(NullPointerException.class, () -> ChannelBuffers.dynamicBuffer((ByteOrder) null, 1));
        assertThrows(NullPointerException.class, () -> ChannelBuffers.dynamicBuffer((ChannelBufferFactory) null));
        assertThrows(NullPointerException.class, () -> wrappedBuffer((byte[]) null));
        assertThrows(NullPointerException.class, () -> wrappedBuffer((ByteOrder) null, new byte[1]));
        assertThrows(NullPointerException.class, () -> wrappedBuffer((ByteBuffer) null));
        assertThrows(NullPointerException.class, () -> wrappedBuffer((ChannelBuffer) null));
        assertThrows(NullPointerException.class, () -> copiedBuffer((CharSequence) null, UTF_8));
        assertThrows(NullPointerException.class, () -> copiedBuffer("a", null));
        assertThrows(NullPointerException.class, () -> ChannelBuffers.unmodifiableBuffer(null));
        assertThrows(NullPointerException.class, () -> new BigEndianHeapChannelBuffer((byte[]) null));
        assertThrows(NullPointerException.class, () -> new SlicedChannelBuffer(null, 0, 0));
        assertThrows(NullPointerException.class, () -> new DuplicatedChannelBuffer(null));
        assertThrows(NullPointerException.class, () -> new ByteBufferBackedChannelBuffer(null));
        assertThrows(NullPointerException.class, () -> new CompositeChannelBuffer(BIG_ENDIAN, null, false));
    }

    @Test
    void shouldReturnTheEmptyBufferForNoBytes() {
        for (ChannelBuffer nothing : List.of(
                ChannelBuffers.buffer(LITTLE_ENDIAN, 0),
                ChannelBuffers.directBuffer(0),
                wrappedBuffer(new byte[0]),
                wrappedBuffer(new byte[4], 4, 0),
                wrappedBuffer(ByteBuffer.allocateDirect(0)),
                wrappedBuffer(ChannelBuffers.buffer(3)),
                wrappedBuffer(ChannelBuffers.unmodifiableBuffer(ChannelBuffers.buffer(3))),
                wrappedBuffer(new byte[0][]),
                wrappedBuffer(NO_BUFFERS),
                wrappedBuffer(NO_BYTE_BUFFERS),
                copiedBuffer(new byte[0]),
                copiedBuffer(ByteBuffer.allocate(0)),
                copiedBuffer(ChannelBuffers.directBuffer(3)),
                copiedBuffer(new byte[0][]),
                copiedBuffer(NO_BUFFERS),
                copiedBuffer(NO_BYTE_BUFFERS),
                copiedBuffer("", UTF_8),
                hexDump(""))) {
            assertSame(EMPTY_BUFFER, nothing);
        }
    }

    @Test
    void shouldNeverChangeTheEmptyBuffer() {
        EMPTY_BUFFER.clear();
        EMPTY_BUFFER.setIndex(0, 0);
        EMPTY_BUFFER.markReaderIndex();
        EMPTY_BUFFER.discardReadBytes();
        EMPTY_BUFFER.writeBytes(new byte[0]);
        EMPTY_BUFFER.ensureWritableBytes(0);
        assertThrows(IndexOutOfBoundsException.class, () -> EMPTY_BUFFER.writeByte(0));
        assertThrows(IndexOutOfBoundsException.class, () -> EMPTY_BUFFER.writerIndex(1));
        assertThrows(IndexOutOfBoundsException.class, EMPTY_BUFFER::readByte);
        assertThrows(IndexOutOfBoundsException.class, () -> EMPTY_BUFFER.copy(0, 1));
        assertSame(EMPTY_BUFFER, EMPTY_BUFFER.duplicate());
        assertSame(EMPTY_BUFFER, EMPTY_BUFFER.copy());
        assertSame(EMPTY_BUFFER, EMPTY_BUFFER.slice());
        assertEquals(EMPTY_BUFFER, ChannelBuffers.buffer(4));
        assertEquals(EMPTY_BUFFER.hashCode(), ChannelBuffers.buffer(4).hashCode());
        assertEquals(-1, EMPTY_BUFFER.indexOf(0, 5, (byte) 0));
    }

    @Test
    void shouldShareWrappedArrays() {
        byte[] array = {1, 2, 3, 4, 5};
        ChannelBuffer whole = wrappedBuffer(LITTLE_ENDIAN, array);
        ChannelBuffer part = wrappedBuffer(array, 1, 3);
        array[2] = 9;
        assertEquals("0102090405", hexDump(whole));
        assertEquals("020904", hexDump(part));
        assertEquals(LITTLE_ENDIAN, whole.order());
        assertEquals(BIG_ENDIAN, part.order());
        assertSame(array, part.array());
        assertEquals(1, part.arrayOffset());
    }

    @Test
    void shouldRefuseArrayPartsOutOfRange() {
        byte[] array = new byte[5];
        int[][] bad = {{-1, 2}, {1, 5}, {1, Integer.MAX_VALUE}, {6, 0}, {Integer.MAX_VALUE, 1}, {0, -1}};
        for (int[] part : bad) {
            assertThrows(IndexOutOfBoundsException.class, () -> wrappedBuffer(array, part[0], part[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> copiedBuffer(array, part[0], part[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> hexDumpUnlessNegative(array, part));
            assertThrows(IndexOutOfBoundsException.class, () -> copiedBuffer("hello", part[0], part[1], UTF_8));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> copiedBuffer("hello".toCharArray(), part[0], part[1], UTF_8));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> new SlicedChannelBuffer(wrappedBuffer(array), part[0], part[1]));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> new TruncatedChannelBuffer(wrappedBuffer(array), 6));
        assertThrows(IndexOutOfBoundsException.class, () -> new TruncatedChannelBuffer(wrappedBuffer(array), -1));
    }

    private static void hexDumpUnlessNegative(byte[] array, int[] part) {
        if (part[1] < 0) {
            assertThrows(IllegalArgumentException.class, () -> hexDump(wrappedBuffer(array), part[0], part[1]));
            throw new IndexOutOfBoundsException();
        }
        hexDump(wrappedBuffer(array), part[0], part[1]);
    }

    @Test
    void shouldWrapWhatRemainsInAByteBuffer() {
        byte[] array = {1, 2, 3, 4, 5, 6};
        ByteBuffer heap = ByteBuffer.wrap(array, 1, 4).slice().position(1).order(LITTLE_ENDIAN);
        ByteBuffer direct =
                ByteBuffer.allocateDirect(6).put(array).position(2).limit(5).order(LITTLE_ENDIAN);
        for (ByteBuffer source : List.of(heap, direct, heap.asReadOnlyBuffer().order(LITTLE_ENDIAN))) {
            ByteBuffer before = source.duplicate();
            ChannelBuffer wrapped = wrappedBuffer(source);
            assertEquals("030405", hexDump(wrapped));
            assertEquals(LITTLE_ENDIAN, wrapped.order());
            assertEquals(source.isDirect(), wrapped.isDirect());
            assertEquals(before, source);
            assertEquals(before.position(), source.position());
        }
        wrappedBuffer(heap).setByte(0, 77);
        assertEquals(77, array[2]);
        assertThrows(
                ReadOnlyBufferException.class,
                () -> wrappedBuffer(heap.asReadOnlyBuffer()).setByte(0, 1));
    }

    @Test
    void shouldNotBeTouchedByLaterChangesOfAWrappedByteBuffersPosition() {
        ByteBuffer source = ByteBuffer.allocateDirect(8).put(0, (byte) 5);
        ChannelBuffer wrapped = new ByteBufferBackedChannelBuffer(source);
        source.position(3).limit(4).order(LITTLE_ENDIAN);
        assertEquals(8, wrapped.capacity());
        assertEquals(0x0500, wrapped.getShort(0));
    }

    @Test
    void shouldJoinWhatItWrapsWithoutACopy() {
        byte[] first = {1, 2};
        byte[] second = {3, 4, 5};
        ChannelBuffer joined = wrappedBuffer(LITTLE_ENDIAN, first, new byte[0], second);
        second[0] = 9;
        assertEquals("0102090405", hexDump(joined));
        assertEquals(LITTLE_ENDIAN, joined.order());
        assertEquals(2, assertInstanceOf(CompositeChannelBuffer.class, joined).numComponents());
        ChannelBuffer ofByteBuffers =
                wrappedBuffer(ByteBuffer.wrap(first), ByteBuffer.wrap(second).position(1));
        assertEquals("01020405", hexDump(ofByteBuffers));
        assertEquals("0102", hexDump(wrappedBuffer(new byte[0], first)));
        assertFalse(wrappedBuffer(new byte[0], first) instanceof CompositeChannelBuffer);
    }

    @Test
    void shouldTreatNullAsEmptyWhenWrapping() {
        assertEquals("0102", hexDump(wrappedBuffer(new byte[] {1}, null, new byte[] {2})));
        ChannelBuffer one = wrappedBuffer(new byte[] {1});
        assertEquals("0101", hexDump(wrappedBuffer(one, null, one, null)));
        ByteBuffer two = ByteBuffer.wrap(new byte[] {2});
        assertEquals("0202", hexDump(wrappedBuffer(null, two, two)));
    }

    @Test
    void shouldJoinOnlyReadableBytesAndLeaveIndicesAlone() {
        ChannelBuffer first = wrappedBuffer(new byte[] {1, 2, 3});
        ChannelBuffer second = wrappedBuffer(new byte[] {4, 5, 6});
        first.skipBytes(1);
        second.writerIndex(2);
        assertEquals("02030405", hexDump(wrappedBuffer(first, second)));
        assertEquals("02030405", hexDump(copiedBuffer(first, second)));
        assertEquals(1, first.readerIndex());
        assertEquals(0, second.readerIndex());
    }

    @Test
    void shouldTakeCompositesApartWhenJoining() {
        ChannelBuffer inner = wrappedBuffer(new byte[] {1, 2}, new byte[] {3, 4}, new byte[] {5, 6});
        inner.skipBytes(3);
        CompositeChannelBuffer outer =
                assertInstanceOf(CompositeChannelBuffer.class, wrappedBuffer(true, inner, wrappedBuffer(new byte[1])));
        assertEquals("04050600", hexDump(outer));
        assertEquals(3, outer.numComponents());
        assertTrue(outer.useGathering());
        assertFalse(((CompositeChannelBuffer) inner).useGathering());
    }

    @Test
    void shouldRefuseToJoinDifferentOrdersUnlessEmpty() {
        ChannelBuffer big = wrappedBuffer(BIG_ENDIAN, new byte[2]);
        ChannelBuffer little = wrappedBuffer(LITTLE_ENDIAN, new byte[2]);
        assertThrows(IllegalArgumentException.class, () -> wrappedBuffer(big, little));
        assertThrows(IllegalArgumentException.class, () -> copiedBuffer(big, little));
        assertThrows(
                IllegalArgumentException.class,
                () -> wrappedBuffer(
                        ByteBuffer.allocate(2), ByteBuffer.allocate(2).order(LITTLE_ENDIAN)));
        assertThrows(
                IllegalArgumentException.class,
                () -> copiedBuffer(
                        ByteBuffer.allocate(2), ByteBuffer.allocate(2).order(LITTLE_ENDIAN)));
        big.skipBytes(2);
        assertEquals(LITTLE_ENDIAN, wrappedBuffer(big, little, little).order());
        assertEquals(
                LITTLE_ENDIAN, copiedBuffer(big, little, EMPTY_BUFFER, little).order());
        assertEquals(LITTLE_ENDIAN, wrappedBuffer(EMPTY_BUFFER, little).order());
    }

    @Test
    void shouldShareNoBytesWithTheSourceOfACopy() {
        byte[] array = {1, 2, 3};
        ByteBuffer byteBuffer = ByteBuffer.wrap(array).position(1);
        List<ChannelBuffer> copies = List.of(
                copiedBuffer(array),
                copiedBuffer(array, 0, 3),
                copiedBuffer(wrappedBuffer(array)),
                copiedBuffer(new byte[] {1}, new byte[] {2, 3}),
                copiedBuffer(wrappedBuffer(array, 0, 1), wrappedBuffer(array, 1, 2)),
                copiedBuffer(new ByteBuffer[] {ByteBuffer.wrap(array)}),
                copiedBuffer(ByteBuffer.wrap(array, 0, 1), byteBuffer));
        array[0] = array[1] = array[2] = 0;
        for (ChannelBuffer copy : copies) {
            assertEquals("010203", hexDump(copy));
            assertTrue(copy.hasArray(), "in one piece");
        }
        assertEquals(1, byteBuffer.position());
    }

    @Test
    void shouldKeepOrderAndMemoryOfACopiedBuffer() {
        ChannelBuffer direct = ChannelBuffers.directBuffer(LITTLE_ENDIAN, 4);
        direct.writeShort(1);
        ChannelBuffer copy = copiedBuffer(direct);
        assertTrue(copy.isDirect());
        assertEquals(LITTLE_ENDIAN, copy.order());
        assertEquals("0100", hexDump(copy));
        assertTrue(copiedBuffer(new ChannelBuffer[] {direct}).isDirect());
        assertEquals(
                LITTLE_ENDIAN,
                copiedBuffer(ByteBuffer.allocate(1).order(LITTLE_ENDIAN)).order());
        assertEquals(LITTLE_ENDIAN, copiedBuffer(LITTLE_ENDIAN, new byte[1]).order());
        assertEquals(
                LITTLE_ENDIAN,
                copiedBuffer(LITTLE_ENDIAN, new byte[1], new byte[1]).order());
    }

    @Test
    void shouldEncodeText() {
        String text = "a\u00e9\u20ac\ud83d\ude00";
        for (ChannelBuffer buffer : List.of(
                copiedBuffer(text, UTF_8),
                copiedBuffer(new StringBuilder(text), UTF_8),
                copiedBuffer(text.toCharArray(), UTF_8),
                copiedBuffer("[" + text + "]", 1, text.length(), UTF_8),
                copiedBuffer(CharBuffer.wrap("[" + text + "]").position(1), 0, text.length(), UTF_8),
                copiedBuffer(("[" + text + "]").toCharArray(), 1, text.length(), UTF_8),
                copiedBuffer(LITTLE_ENDIAN, text, UTF_8),
                copiedBuffer(LITTLE_ENDIAN, text.toCharArray(), UTF_8))) {
            assertEquals("61c3a9e282acf09f9880", hexDump(buffer));
            assertEquals(text, buffer.toString(UTF_8));
        }
        assertEquals(
                LITTLE_ENDIAN, copiedBuffer(LITTLE_ENDIAN, "a", 0, 1, UTF_8).order());
        assertEquals("feff00610062", hexDump(copiedBuffer(LITTLE_ENDIAN, "ab", UTF_16)), "its own order");
        assertEquals("61006200", hexDump(copiedBuffer("ab", UTF_16LE)));
    }

    @Test
    void shouldReplaceWhatACharsetCannotExpress() {
        assertEquals("613f3f62", hexDump(copiedBuffer("a\u00e9\ud800b", US_ASCII)));
        assertEquals("613f62", hexDump(copiedBuffer("a\ud800b", UTF_8)));
    }

    @Test
    void shouldProtectAnUnmodifiableBufferOnce() {
        ChannelBuffer buffer = wrappedBuffer(new byte[] {1, 2, 3});
        buffer.skipBytes(1);
        ChannelBuffer once = ChannelBuffers.unmodifiableBuffer(buffer);
        ChannelBuffer twice = ChannelBuffers.unmodifiableBuffer(once);
        assertNotSame(once, twice);
        assertSame(buffer, assertInstanceOf(ReadOnlyChannelBuffer.class, twice).unwrap());
        once.skipBytes(1);
        assertEquals("0203", hexDump(twice));
        assertEquals(1, buffer.readerIndex());
        buffer.setByte(1, 7);
        assertEquals("0703", hexDump(twice));
        assertThrows(ReadOnlyBufferException.class, () -> twice.writeByte(1));
    }

    @Test
    void shouldDumpAndParseHex() {
        ChannelBuffer buffer = wrappedBuffer(new byte[] {0, 15, 16, -1});
        assertEquals("000f10ff", hexDump(buffer));
        assertEquals("0f10", hexDump(buffer, 1, 2));
        buffer.skipBytes(3);
        assertEquals("ff", hexDump(buffer));
        assertEquals("", hexDump(EMPTY_BUFFER));
        assertEquals(wrappedBuffer(new byte[] {0, 15, 16, -1}), hexDump("000F10ff"));
        for (String bad : List.of("0", "0g", "+1", "0x", "00 f", "\u0660\u0660")) {
            assertThrows(IllegalArgumentException.class, () -> hexDump(bad), bad);
        }
        assertThrows(IllegalArgumentException.class, () -> hexDump(wrappedBuffer(new byte[4]), 1, -1));
    }

    @Test
    void shouldSwapBytes() {
        assertEquals(0x3412, ChannelBuffers.swapShort((short) 0x1234));
        assertEquals(0x563412, ChannelBuffers.swapMedium(0x123456));
        assertEquals(0x803412, ChannelBuffers.swapMedium(0x123480));
        assertEquals(0x563412, ChannelBuffers.swapMedium(0xff123456));
        assertEquals(0x78563412, ChannelBuffers.swapInt(0x12345678));
        assertEquals(0xf0debc9a78563412L, ChannelBuffers.swapLong(0x123456789abcdef0L));
    }

    @Test
    void shouldHashAndCompareLikeNetty3() {
        Random random = Seeds.random();
        for (int i = 0; i < 2000; i++) {
            byte[] a = new byte[random.nextInt(40)];
            random.nextBytes(a);
            byte[] b = a.clone();
            if (b.length > 0 && random.nextBoolean()) {
                b[random.nextInt(b.length)] ^= (byte) (1 << random.nextInt(8));
            }
            ChannelBuffer ourA = wrappedBuffer(LITTLE_ENDIAN, a);
            ChannelBuffer ourB = wrappedBuffer(new byte[0], b);
            org.jboss.netty.buffer.ChannelBuffer theirA = NettyBuffers.heap(BIG_ENDIAN, a);
            org.jboss.netty.buffer.ChannelBuffer theirB = NettyBuffers.heap(BIG_ENDIAN, b);
            assertEquals(theirA.hashCode(), ChannelBuffers.hashCode(ourA), () -> "seed " + Seeds.seed());
            assertEquals(theirA.equals(theirB), ChannelBuffers.equals(ourA, ourB), () -> "seed " + Seeds.seed());
            assertEquals(
                    Integer.signum(theirA.compareTo(theirB)),
                    Integer.signum(ChannelBuffers.compare(ourA, ourB)),
                    () -> "seed " + Seeds.seed());
        }
    }

    @Test
    void shouldNeverHashToZero() {
        byte[] wouldBeZero = {-1, -1, -1, (byte) 0xe1};
        assertEquals(1, wrappedBuffer(wouldBeZero).hashCode());
    }

    @Test
    void shouldCompareBytesAsUnsigned() {
        assertEquals(-1, ChannelBuffers.compare(wrappedBuffer(new byte[] {1}), wrappedBuffer(new byte[] {-128})));
        assertEquals(1, ChannelBuffers.compare(wrappedBuffer(new byte[] {-1}), wrappedBuffer(new byte[] {1, 2})));
        assertEquals(-3, ChannelBuffers.compare(EMPTY_BUFFER, wrappedBuffer(new byte[3])));
    }

    @Test
    void shouldAlsoSearchThroughStaticMethods() {
        ChannelBuffer buffer = copiedBuffer("abcabc", US_ASCII);
        assertEquals(1, ChannelBuffers.indexOf(buffer, 0, 6, (byte) 'b'));
        assertEquals(4, ChannelBuffers.indexOf(buffer, 6, 0, (byte) 'b'));
        assertEquals(5, ChannelBuffers.indexOf(buffer, 6, 0, (b, i) -> b.getByte(i) == 'c'));
    }

    @Test
    void shouldFindTheFirstOfManyBytesAtEachDistance() {
        for (int value : new int[] {0, 1, 127, 128, 255}) {
            for (int hit = 0; hit < 40; hit++) {
                byte[] array = new byte[50];
                // Neighbours of the value: a search of eight bytes at a time could mistake them for it.
                Arrays.fill(array, (byte) (value + 1));
                array[hit] = (byte) value;
                array[hit + 3] = (byte) value;
                assertEquals(hit, wrappedBuffer(array).indexOf(0, 50, (byte) value));
                assertEquals(hit + 3, wrappedBuffer(array).indexOf(hit + 1, 50, (byte) value));
                assertEquals(-1, wrappedBuffer(array).indexOf(hit + 4, 50, (byte) value));
                ChannelBuffer direct = ChannelBuffers.directBuffer(LITTLE_ENDIAN, 50);
                direct.writeBytes(array);
                assertEquals(hit, direct.indexOf(0, 50, (byte) value));
                assertEquals(
                        hit,
                        ChannelBuffers.unmodifiableBuffer(wrappedBuffer(array)).indexOf(0, 50, (byte) value));
            }
        }
    }

    @Test
    void shouldClassifyEachByteByTheIndexFinders() {
        for (int value = 0; value < 256; value++) {
            ChannelBuffer one = wrappedBuffer(new byte[] {(byte) value});
            check(value == 0, ChannelBufferIndexFinder.NUL, ChannelBufferIndexFinder.NOT_NUL, one);
            check(value == 13, ChannelBufferIndexFinder.CR, ChannelBufferIndexFinder.NOT_CR, one);
            check(value == 10, ChannelBufferIndexFinder.LF, ChannelBufferIndexFinder.NOT_LF, one);
            boolean endsLine = value == 10 || value == 13;
            check(endsLine, ChannelBufferIndexFinder.CRLF, ChannelBufferIndexFinder.NOT_CRLF, one);
            boolean blank = value == 9 || value == 32;
            check(
                    blank,
                    ChannelBufferIndexFinder.LINEAR_WHITESPACE,
                    ChannelBufferIndexFinder.NOT_LINEAR_WHITESPACE,
                    one);
        }
    }

    private static void check(
            boolean expected, ChannelBufferIndexFinder finder, ChannelBufferIndexFinder opposite, ChannelBuffer one) {
        assertEquals(expected, finder.find(one, 0));
        assertEquals(!expected, opposite.find(one, 0));
    }

    @Test
    void shouldLetUsersExtendTheAbstractBuffers() {
        ChannelBuffer custom = new BigEndianHeapChannelBuffer(8) {
            @Override
            protected void checkReadableBytes(int minimumReadableBytes) {
                if (minimumReadableBytes > readableBytes()) {
                    throw new IllegalStateException("more to come");
                }
            }

            @Override
            public byte getByte(int index) {
                return (byte) (array[index] ^ 1);
            }
        };
        custom.writeByte(4);
        assertEquals(5, custom.readByte());
        assertThrows(IllegalStateException.class, custom::readInt);
        assertThrows(IllegalStateException.class, () -> custom.readBytes(2));
        assertArrayEquals(new byte[] {4, 0}, new byte[] {custom.array()[0], custom.array()[1]});
    }

    @Test
    void shouldShowABufferInTheOtherOrder() {
        for (BufferKind kind : BufferKind.values()) {
            ChannelBuffer buffer = kind.make(ByteOrder.BIG_ENDIAN, new byte[] {9, 1, 2, 3, 4}, new Random(1));
            buffer.setIndex(1, 5);
            ChannelBuffer view = ChannelBuffers.ordered(buffer, ByteOrder.LITTLE_ENDIAN);
            assertEquals(ByteOrder.LITTLE_ENDIAN, view.order());
            assertEquals(1, view.readerIndex());
            assertEquals(5, view.writerIndex());
            assertEquals(0x04030201, view.readInt(), kind.name());
            assertEquals(1, buffer.readerIndex());
            ChannelBuffer back = ChannelBuffers.ordered(view, ByteOrder.BIG_ENDIAN);
            assertEquals(0x01020304, back.getInt(1), kind.name());
            if (!kind.readOnly()) {
                view.setShort(1, 0x0102);
                assertEquals(0x0201, buffer.getShort(1), kind.name());
            }
        }
        assertSame(
                ChannelBuffers.EMPTY_BUFFER,
                ChannelBuffers.ordered(ChannelBuffers.EMPTY_BUFFER, ByteOrder.LITTLE_ENDIAN));
    }

    @Test
    void shouldFollowAGrowingBufferInTheOtherOrder() {
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(2);
        ChannelBuffer view = ChannelBuffers.ordered(buffer, ByteOrder.LITTLE_ENDIAN);
        buffer.writeLong(0x0102030405060708L);
        view.setIndex(0, 8);
        assertEquals(0x0807060504030201L, view.readLong());
    }
}
