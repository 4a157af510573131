package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/** Numbers, text, indices and marks, and growth. */
class ChannelBufferAccessTest extends ChannelBufferContract {
    @Test
    void shouldInitiallyBeReadableAsAWhole() {
        assertEquals(SIZE, buffer.capacity());
        assertEquals(0, buffer.readerIndex());
        assertEquals(SIZE, buffer.writerIndex());
        assertEquals(SIZE, buffer.readableBytes());
        assertEquals(0, buffer.writableBytes());
        assertTrue(buffer.readable());
        assertFalse(buffer.writable());
        assertEquals(order, buffer.order());
        assertEquals(buffer.isDirect(), buffer.factory().getBuffer(1).isDirect());
    }

    @Test
    void shouldReadNumbersOfEachWidthAtEachIndex() {
        for (int i = 0; i < SIZE; i++) {
            assertEquals(bytes[i], buffer.getByte(i));
            assertEquals(bytes[i] & 0xff, buffer.getUnsignedByte(i));
        }
        for (int i = 0; i <= SIZE - 2; i++) {
            assertEquals(model.getShort(i), buffer.getShort(i));
            assertEquals(model.getShort(i) & 0xffff, buffer.getUnsignedShort(i));
            assertEquals(model.getChar(i), buffer.getChar(i));
        }
        for (int i = 0; i <= SIZE - 3; i++) {
            assertEquals(medium(i), buffer.getUnsignedMedium(i));
            assertEquals(medium(i) << 8 >> 8, buffer.getMedium(i));
        }
        for (int i = 0; i <= SIZE - 4; i++) {
            assertEquals(model.getInt(i), buffer.getInt(i));
            assertEquals(model.getInt(i) & 0xffff_ffffL, buffer.getUnsignedInt(i));
            assertEquals(model.getInt(i), Float.floatToRawIntBits(buffer.getFloat(i)));
        }
        for (int i = 0; i <= SIZE - 8; i++) {
            assertEquals(model.getLong(i), buffer.getLong(i));
            assertEquals(model.getLong(i), Double.doubleToRawLongBits(buffer.getDouble(i)));
        }
        assertEquals(0, buffer.readerIndex());
    }

    @Test
    void shouldWriteNumbersOfEachWidthAtEachIndex() {
        assumeFalse(kind.readOnly());
        for (int i = 0; i <= SIZE - 8; i++) {
            long value = random.nextLong();
            buffer.setLong(i, value);
            model.putLong(i, value);
            buffer.setInt(i + 1, (int) value);
            model.putInt(i + 1, (int) value);
            buffer.setMedium(i + 3, (int) value);
            putMedium(i + 3, (int) value);
            assertContent();
            buffer.setShort(i + 4, (int) value);
            model.putShort(i + 4, (short) value);
            buffer.setByte(i + 7, (int) value);
            model.put(i + 7, (byte) value);
            assertContent();
        }
        buffer.setFloat(3, 1.5f);
        model.putFloat(3, 1.5f);
        buffer.setDouble(11, -2.25);
        model.putDouble(11, -2.25);
        buffer.setChar(30, 0x12345);
        model.putChar(30, (char) 0x2345);
        assertContent();
    }

    @Test
    void shouldReadRelativelyWhatWasWrittenRelatively() {
        assumeFalse(kind.readOnly());
        buffer.clear();
        buffer.writeByte(0x1ff);
        buffer.writeShort(-2);
        buffer.writeMedium(0x80_0001);
        buffer.writeMedium(0x80_0001);
        buffer.writeInt(-3);
        buffer.writeInt(-3);
        buffer.writeLong(Long.MIN_VALUE + 1);
        buffer.writeChar('x');
        buffer.writeFloat(0.5f);
        buffer.writeDouble(0.25);
        buffer.writeByte(-1);
        assertEquals(40, buffer.writerIndex());

        assertEquals(-1, buffer.readByte());
        assertEquals(0xfffe, buffer.readUnsignedShort());
        assertEquals(0x80_0001 - 0x100_0000, buffer.readMedium());
        assertEquals(0x80_0001, buffer.readUnsignedMedium());
        assertEquals(-3, buffer.readInt());
        assertEquals(0xffff_fffdL, buffer.readUnsignedInt());
        assertEquals(Long.MIN_VALUE + 1, buffer.readLong());
        assertEquals('x', buffer.readChar());
        assertEquals(0.5f, buffer.readFloat());
        assertEquals(0.25, buffer.readDouble());
        assertEquals(255, buffer.readUnsignedByte());
        assertFalse(buffer.readable());
        assertEquals(40, buffer.readerIndex());
    }

    @Test
    void shouldKeepItsIndicesInOrder() {
        buffer.setIndex(10, 20);
        refuses(() -> buffer.readerIndex(21));
        refuses(() -> buffer.readerIndex(-1));
        refuses(() -> buffer.writerIndex(9));
        refuses(() -> buffer.writerIndex(SIZE + 1));
        refuses(() -> buffer.setIndex(21, 20));
        refuses(() -> buffer.setIndex(-1, 20));
        refuses(() -> buffer.setIndex(0, SIZE + 1));
        assertEquals(10, buffer.readerIndex());
        assertEquals(20, buffer.writerIndex());
        buffer.readerIndex(20);
        buffer.writerIndex(SIZE);
        buffer.clear();
        assertEquals(0, buffer.readerIndex());
        assertEquals(0, buffer.writerIndex());
    }

    @Test
    void shouldGoBackToItsMarks() {
        buffer.setIndex(10, 20);
        buffer.markReaderIndex();
        buffer.markWriterIndex();
        buffer.setIndex(15, 40);
        buffer.resetReaderIndex();
        buffer.resetWriterIndex();
        assertEquals(10, buffer.readerIndex());
        assertEquals(20, buffer.writerIndex());
        buffer.setIndex(0, 5);
        refuses(buffer::resetReaderIndex);
        buffer.setIndex(21, 22);
        refuses(buffer::resetWriterIndex);
        assertEquals(21, buffer.readerIndex());
        assertEquals(22, buffer.writerIndex());
    }

    @Test
    void shouldMoveContentAndMarksWhenReadBytesAreDiscarded() {
        assumeFalse(kind.readOnly());
        buffer.setIndex(20, 50);
        buffer.markReaderIndex();
        buffer.writerIndex(10 + 20);
        buffer.markWriterIndex();
        buffer.setIndex(13, 50);
        buffer.discardReadBytes();
        assertEquals(0, buffer.readerIndex());
        assertEquals(37, buffer.writerIndex());
        assertEquals(SIZE, buffer.capacity());
        assertEquals(ChannelBuffers.wrappedBuffer(bytes, 13, 37), buffer);
        buffer.resetWriterIndex();
        buffer.resetReaderIndex();
        assertEquals(7, buffer.readerIndex());
        assertEquals(17, buffer.writerIndex());
        buffer.readerIndex(17);
        buffer.discardReadBytes();
        buffer.writerIndex(1);
        buffer.resetReaderIndex();
        assertEquals(0, buffer.readerIndex(), "a mark before the discarded bytes");
    }

    @Test
    void shouldDiscardNothingIfNothingWasRead() {
        assumeFalse(buffer instanceof ReadOnlyChannelBuffer);
        buffer.discardReadBytes();
        assertIndices(0, SIZE, SIZE, buffer);
        assertContent();
    }

    @Test
    void shouldDecodeText() {
        byte[] text = "a\u00e9\u20ac\ud83d\ude00z".getBytes(StandardCharsets.UTF_8);
        ChannelBuffer encoded = kind.make(order, text, random);
        assertEquals("a\u00e9\u20ac\ud83d\ude00z", encoded.toString(StandardCharsets.UTF_8));
        assertEquals("\u20ac", encoded.toString(3, 3, StandardCharsets.UTF_8));
        assertEquals("\ufffd\u20ac", encoded.toString(2, 4, StandardCharsets.UTF_8), "malformed");
        encoded.skipBytes(1);
        assertEquals("\u00c3", encoded.toString(StandardCharsets.ISO_8859_1).substring(0, 1));
    }

    @Test
    void shouldDescribeItselfWithoutItsBytes() {
        buffer.setIndex(10, 30);
        String text = buffer.toString();
        assertTrue(text.startsWith(buffer.getClass().getSimpleName() + "(ridx=10, widx=30, cap=61"), text);
    }

    @Test
    void shouldGrowWithWritesIfDynamic() {
        assumeTrue(kind.grows());
        ByteBuffer expected = ByteBuffer.allocate(1000).order(order).put(bytes);
        List<ObjIntConsumer<ChannelBuffer>> writes = List.of(
                (b, v) -> b.writeByte(v),
                (b, v) -> b.writeShort(v),
                (b, v) -> b.writeInt(v),
                (b, v) -> b.writeLong(v),
                (b, v) -> b.writeBytes(bytes),
                (b, v) -> b.writeBytes(ByteBuffer.wrap(bytes)),
                (b, v) -> b.writeBytes(ChannelBuffers.wrappedBuffer(bytes)),
                (b, v) -> b.writeZero(v & 63));
        for (int round = 0; round < 20; round++) {
            int write = random.nextInt(writes.size());
            int value = random.nextInt();
            writes.get(write).accept(buffer, value);
            switch (write) {
                case 0 -> expected.put((byte) value);
                case 1 -> expected.putShort((short) value);
                case 2 -> expected.putInt(value);
                case 3 -> expected.putLong(value);
                case 7 -> expected.put(new byte[value & 63]);
                default -> expected.put(bytes);
            }
            if (expected.remaining() < SIZE + 64) {
                break;
            }
        }
        assertEquals(ChannelBuffers.wrappedBuffer(expected.flip()), buffer);
    }

    private void putMedium(int index, int value) {
        int big = order == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value) >>> 8;
        model.put(index, (byte) (big >>> 16)).put(index + 1, (byte) (big >>> 8)).put(index + 2, (byte) big);
    }
}
