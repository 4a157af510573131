package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first and the last byte of each kind of buffer, and sources that reach beyond their readable bytes. */
class ChannelBufferEdgesTest {
    private static final int SIZE = 20;

    private final Random random = Seeds.random();
    private final byte[] bytes = new byte[SIZE];

    private ChannelBuffer make(BufferKind kind, ByteOrder order) {
        random.nextBytes(bytes);
        return kind.make(order, bytes, random);
    }

    private static List<ByteOrder> orders() {
        return List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN);
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteNumbersUpToEachEnd(BufferKind kind) {
        assumeFalse(kind.readOnly());
        for (ByteOrder order : orders()) {
            ChannelBuffer buffer = make(kind, order);
            byte[] expected = bytes.clone();
            buffer.setMedium(0, 0x123456);
            assertEquals(0x123456, buffer.getMedium(0));
            buffer.setMedium(SIZE - 3, 0x654321);
            assertEquals(0x654321, buffer.getMedium(SIZE - 3));
            buffer.setShort(0, 0x1234);
            assertEquals(0x1234, buffer.getShort(0));
            buffer.setShort(SIZE - 2, 0x4321);
            assertEquals(0x4321, buffer.getShort(SIZE - 2));
            buffer.setInt(SIZE - 4, 0x12345678);
            assertEquals(0x12345678, buffer.getInt(SIZE - 4));
            buffer.setInt(0, 0x12345678);
            assertEquals(0x12345678, buffer.getInt(0));
            byte[] inner = new byte[SIZE - 8];
            buffer.getBytes(4, inner);
            assertArrayEquals(Arrays.copyOfRange(expected, 4, SIZE - 4), inner, () -> "seed " + Seeds.seed());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCopyNothingFromBytesThatAreNotReadable(BufferKind kind) {
        assumeFalse(kind.readOnly());
        ChannelBuffer buffer = make(kind, ByteOrder.BIG_ENDIAN);
        ChannelBuffer partlyRead = ChannelBuffers.wrappedBuffer(new byte[8]);
        partlyRead.setIndex(2, 6);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.setBytes(0, partlyRead, 5));
        buffer.writerIndex(0);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(partlyRead, 5));
        assertEquals(0, buffer.writerIndex());
        assertEquals(2, partlyRead.readerIndex());
        assertEquals(ChannelBuffers.wrappedBuffer(bytes), buffer.slice(0, SIZE));
        buffer.setBytes(0, partlyRead, 4);
        assertEquals(6, partlyRead.readerIndex());
    }

    /** Also if the destination is full, or the source has no bytes left. */
    @ParameterizedTest
    @EnumSource
    void shouldTransferNoBytesIfAskedForNone(BufferKind kind) {
        ChannelBuffer buffer = make(kind, ByteOrder.BIG_ENDIAN);
        ChannelBuffer full = ChannelBuffers.wrappedBuffer(new byte[2]);
        buffer.readerIndex(SIZE);
        buffer.getBytes(SIZE, full, 0);
        buffer.readBytes(full, 0);
        buffer.skipBytes(0);
        if (!kind.readOnly()) {
            ChannelBuffer usedUp = ChannelBuffers.wrappedBuffer(new byte[2]);
            usedUp.skipBytes(2);
            buffer.setBytes(SIZE, usedUp, 0);
            buffer.writeBytes(usedUp, 0);
            buffer.writeBytes(usedUp);
            assertEquals(2, usedUp.readerIndex());
        }
        assertEquals(2, full.writerIndex());
        assertEquals(SIZE, buffer.readerIndex());
        assertEquals(SIZE, buffer.writerIndex());
        assertEquals(ChannelBuffers.wrappedBuffer(bytes), buffer.slice(0, SIZE));
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheRangeThatABufferOfEachKindIsTooLongFor(BufferKind source) {
        ChannelBuffer src = make(source, ByteOrder.BIG_ENDIAN);
        for (BufferKind kind : BufferKind.values()) {
            if (!kind.readOnly()) {
                ChannelBuffer buffer = kind.make(ByteOrder.BIG_ENDIAN, new byte[SIZE], random);
                IndexOutOfBoundsException refusal =
                        assertThrows(IndexOutOfBoundsException.class, () -> buffer.setBytes(SIZE - 3, src, 0, 4));
                assertEquals("outside the buffer: index", refusal.getMessage().substring(0, 25), kind::name);
                assertEquals(ChannelBuffers.wrappedBuffer(new byte[SIZE]), buffer);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNameTheRangeThatIsNotInASourceOfEachKind(BufferKind source) {
        ChannelBuffer src = make(source, ByteOrder.BIG_ENDIAN);
        for (BufferKind kind : BufferKind.values()) {
            if (!kind.readOnly()) {
                ChannelBuffer buffer = kind.make(ByteOrder.BIG_ENDIAN, new byte[SIZE], random);
                for (int[] range : new int[][] {{SIZE - 3, 4}, {-1, 4}, {0, -1}, {3, Integer.MAX_VALUE}}) {
                    IndexOutOfBoundsException refusal = assertThrows(
                            IndexOutOfBoundsException.class, () -> buffer.setBytes(0, src, range[0], range[1]));
                    assertEquals(
                            "outside the buffer: index", refusal.getMessage().substring(0, 25), kind::name);
                }
                assertEquals(ChannelBuffers.wrappedBuffer(new byte[SIZE]), buffer);
            }
        }
    }

    /** Even if that is its own order already. */
    @ParameterizedTest
    @EnumSource
    void shouldBeShownInItsOwnOrder(BufferKind kind) {
        for (ByteOrder order : orders()) {
            ChannelBuffer buffer = make(kind, order);
            buffer.setIndex(3, 9);
            ChannelBuffer same = ChannelBuffers.ordered(buffer, order);
            assertEquals(order, same.order());
            assertEquals(buffer.getLong(1), same.getLong(1));
            assertEquals(3, same.readerIndex());
            assertEquals(9, same.writerIndex());
            same.skipBytes(1);
            assertEquals(3, buffer.readerIndex());
        }
    }

    /** Which a stream should not do. */
    @ParameterizedTest
    @EnumSource
    void shouldReadOnIfAStreamReturnsNoBytesAtFirst(BufferKind kind) throws IOException {
        assumeFalse(kind.readOnly());
        ChannelBuffer buffer = make(kind, ByteOrder.BIG_ENDIAN);
        InputStream hesitant = new InputStream() {
            private int calls;
            private int last;

            @Override
            public int read() {
                return last < 5 ? ++last : -1;
            }

            @Override
            public int read(byte[] dst, int offset, int length) {
                if (++calls % 2 == 1) {
                    return 0;
                }
                dst[offset] = (byte) read();
                return 1;
            }
        };
        assertEquals(5, buffer.setBytes(3, hesitant, 5));
        assertEquals("0102030405", ChannelBuffers.hexDump(buffer, 3, 5));
    }

    /** Each call may be a system call. */
    @ParameterizedTest
    @EnumSource
    void shouldNotAskAChannelForMoreOnceItHasAllBytes(BufferKind kind) throws IOException {
        assumeFalse(kind.readOnly());
        assumeFalse(kind.name().contains("COMPOSITE"), "each of its components is filled by a call");
        ChannelBuffer buffer = make(kind, ByteOrder.BIG_ENDIAN);
        ScriptedChannel channel = ScriptedChannel.giving(4, new byte[30]);
        assertEquals(8, buffer.setBytes(2, channel, 8));
        assertEquals(2, channel.calls);
    }
}
