package org.freshet.buffer;

import static org.freshet.buffer.ChannelBuffers.BIG_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.LITTLE_ENDIAN;
import static org.freshet.buffer.ChannelBuffers.hexDump;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class DynamicChannelBufferTest {
    @Test
    void shouldDoubleItsCapacity() {
        assertEquals(List.of(0, 1, 2, 4, 8, 16, 32, 64), capacitiesWhileWriting(0, 64));
        assertEquals(List.of(3, 6, 12, 24, 48), capacitiesWhileWriting(3, 48));
        ChannelBuffer buffer = new DynamicChannelBuffer(10);
        buffer.ensureWritableBytes(11);
        assertEquals(20, buffer.capacity());
        buffer.ensureWritableBytes(5000);
        assertEquals(5120, buffer.capacity());
        buffer.ensureWritableBytes(-1);
        buffer.ensureWritableBytes(5120);
        assertEquals(5120, buffer.capacity());
    }

    @Test
    void shouldStayInItsMemoryWhileThereIsRoom() {
        ChannelBuffer buffer = new DynamicChannelBuffer(16);
        byte[] array = buffer.array();
        buffer.ensureWritableBytes(-1);
        buffer.ensureWritableBytes(0);
        buffer.writeLong(1);
        buffer.writeBytes(new byte[8]);
        assertSame(array, buffer.array());
    }

    @Test
    void shouldRefuseANegativeLengthWhateverItsFactoryWouldMakeOfIt() {
        ChannelBufferFactory tolerant = new HeapChannelBufferFactory() {
            @Override
            public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
                return super.getBuffer(order, Math.max(capacity, 1));
            }
        };
        assertThrows(IllegalArgumentException.class, () -> new DynamicChannelBuffer(BIG_ENDIAN, -1, tolerant));
    }

    @Test
    void shouldSayWhereItBeginsInAnArrayThatItSharesWithOthers() {
        ChannelBuffer buffer = new DynamicChannelBuffer(BIG_ENDIAN, 4, new HeapChannelBufferFactory() {
            @Override
            public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
                return super.getBuffer(order, new byte[capacity + 5], 3, capacity);
            }
        });
        buffer.writeLong(0x1122334455667788L);
        assertEquals(8, buffer.capacity());
        assertEquals(3, buffer.arrayOffset());
        assertEquals(0x44, buffer.array()[buffer.arrayOffset() + 3]);
    }

    private static List<Integer> capacitiesWhileWriting(int initial, int bytes) {
        ChannelBuffer buffer = new DynamicChannelBuffer(initial);
        List<Integer> capacities = new ArrayList<>(List.of(initial));
        for (int i = 0; i < bytes; i++) {
            buffer.writeByte(i);
            if (buffer.capacity() != capacities.get(capacities.size() - 1)) {
                capacities.add(buffer.capacity());
            }
        }
        return capacities;
    }

    @Test
    void shouldKeepEveryByteWhenItGrows() {
        ChannelBuffer buffer = new DynamicChannelBuffer(LITTLE_ENDIAN, 4);
        buffer.setInt(0, 0x04030201);
        buffer.writerIndex(2);
        buffer.ensureWritableBytes(10);
        assertEquals("01020304", hexDump(buffer, 0, 4));
        assertEquals(LITTLE_ENDIAN, buffer.order());
    }

    @Test
    void shouldNotGrowOnAbsoluteAccess() {
        ChannelBuffer buffer = new DynamicChannelBuffer(4);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.setInt(1, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writerIndex(5));
        assertEquals(4, buffer.capacity());
    }

    @Test
    void shouldNotGrowForAWriteThatFails() {
        ChannelBuffer buffer = new DynamicChannelBuffer(4);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(new byte[5], 1, 5));
        ChannelBuffer src = ChannelBuffers.buffer(9);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(src, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeBytes(src, 5, 5));
        assertEquals(4, buffer.capacity());
        assertEquals(0, buffer.writerIndex());
    }

    @Test
    void shouldRefuseToExceedTheLongestArray() {
        ChannelBuffer buffer = new DynamicChannelBuffer(8);
        buffer.writeInt(1);
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.ensureWritableBytes(Integer.MAX_VALUE));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.ensureWritableBytes(Integer.MAX_VALUE - 8));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.writeZero(Integer.MAX_VALUE));
        assertEquals(8, buffer.capacity());
        assertEquals(4, buffer.writerIndex());
    }

    @Test
    void shouldStopDoublingAtTheLongestArray() {
        List<Integer> asked = new ArrayList<>();
        ChannelBuffer buffer = new DynamicChannelBuffer(BIG_ENDIAN, 3 << 29, new HeapChannelBufferFactory() {
            @Override
            public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
                asked.add(capacity);
                if (asked.size() > 1) {
                    throw new OutOfMemoryError("as expected");
                }
                ChannelBuffer part = ChannelBuffers.buffer(1 << 24);
                return new CompositeChannelBuffer(order, Collections.nCopies(3 << 5, part), false);
            }
        });
        buffer.writerIndex(buffer.capacity());
        assertThrows(OutOfMemoryError.class, () -> buffer.writeByte(1));
        assertEquals(List.of(3 << 29, Integer.MAX_VALUE - 8), asked);
        assertEquals(3 << 29, buffer.writerIndex());
    }

    @Test
    void shouldAskForTheLongestArrayIfThatManyBytesAreNeeded() {
        List<Integer> asked = new ArrayList<>();
        ChannelBuffer buffer = new DynamicChannelBuffer(BIG_ENDIAN, 8, new HeapChannelBufferFactory() {
            @Override
            public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
                asked.add(capacity);
                if (capacity > 8) {
                    throw new OutOfMemoryError("as expected");
                }
                return super.getBuffer(order, capacity);
            }
        });
        assertThrows(OutOfMemoryError.class, () -> buffer.ensureWritableBytes(Integer.MAX_VALUE - 8));
        assertThrows(IndexOutOfBoundsException.class, () -> buffer.ensureWritableBytes(Integer.MAX_VALUE - 7));
        assertEquals(List.of(8, Integer.MAX_VALUE - 8), asked);
    }

    @Test
    void shouldUpdateItsViewsWhenItGrows() {
        ChannelBuffer buffer = new DynamicChannelBuffer(4);
        buffer.writeInt(0x01020304);
        ChannelBuffer slice = buffer.slice(1, 2);
        ChannelBuffer head = buffer.slice(0, 4);
        ChannelBuffer duplicate = buffer.duplicate();
        buffer.writeLong(0);
        buffer.setByte(1, 0x77);
        assertEquals("7703", hexDump(slice));
        assertEquals("01770304", hexDump(head));
        assertEquals("01770304", hexDump(duplicate));
        assertEquals(16, duplicate.capacity());
        assertEquals(4, duplicate.writerIndex());
        assertThrows(IndexOutOfBoundsException.class, () -> duplicate.ensureWritableBytes(13));
    }

    @Test
    void shouldCopyToAGrowingBufferOfTheSameFactory() {
        ChannelBufferFactory factory = new HeapChannelBufferFactory(LITTLE_ENDIAN);
        ChannelBuffer buffer = ChannelBuffers.dynamicBuffer(4, factory);
        buffer.writeInt(1);
        ChannelBuffer copy = buffer.copy(0, 2);
        copy.writeLong(7);
        assertEquals("0100" + "0700000000000000", hexDump(copy));
        assertEquals("01000000", hexDump(buffer));
        assertSame(factory, copy.factory());
    }

    @Test
    void shouldAppendItself() {
        ChannelBuffer buffer = new DynamicChannelBuffer(3);
        buffer.writeMedium(0x010203);
        buffer.writeBytes(buffer, 0, 3);
        assertEquals("010203010203", hexDump(buffer));
        buffer.writeBytes(buffer);
        assertEquals("010203010203", hexDump(buffer));
        assertEquals(6, buffer.readerIndex(), "it read what it wrote");
    }

    @Test
    void shouldMakeRoomForStreamsAndByteBuffers() throws IOException {
        ChannelBuffer buffer = new DynamicChannelBuffer(2);
        assertEquals(5, buffer.writeBytes(new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5}), 9));
        assertEquals(3, buffer.writeBytes(ScriptedChannel.giving(2, new byte[] {6, 7, 8}), 9));
        buffer.writeBytes(ByteBuffer.wrap(new byte[] {9, 10, 11}, 1, 2));
        assertEquals("01020304050607080a0b", hexDump(buffer));
        buffer.clear();
        assertEquals(-1, buffer.writeBytes(new ByteArrayInputStream(new byte[0]), 9));
        assertEquals(0, buffer.writerIndex());
    }
}
