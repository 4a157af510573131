package org.freshet.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ChannelBufferRefusalsTest extends ChannelBufferContract {
    @Test
    void shouldRefuseIndicesOutsideItsCapacity() {
        for (int index : NEVER_AN_INDEX) {
            refuses(() -> buffer.getByte(index));
            refuses(() -> buffer.getShort(index));
            refuses(() -> buffer.getMedium(index));
            refuses(() -> buffer.getInt(index));
            refuses(() -> buffer.getLong(index));
            refuses(() -> buffer.getBytes(index, new byte[1]));
            refuses(() -> buffer.getBytes(index, new byte[0]));
            refuses(() -> buffer.getBytes(index, ByteBuffer.allocate(1)));
            refuses(() -> buffer.getBytes(index, ChannelBuffers.buffer(1)));
            refuses(() -> buffer.getBytes(index, new ByteArrayOutputStream(), 0));
            refuses(() -> buffer.getBytes(index, ScriptedChannel.taking(1), 0));
            refuses(() -> buffer.slice(index, 0));
            refuses(() -> buffer.copy(index, 0));
            refuses(() -> buffer.toByteBuffer(index, 0));
            refuses(() -> buffer.toByteBuffers(index, 0));
            refuses(() -> buffer.toString(index, 0, StandardCharsets.US_ASCII));
            refuses(() -> buffer.bytesBefore(index, 0, (byte) 0));
            refuses(() -> buffer.bytesBefore(index, 0, ChannelBufferIndexFinder.NUL));
        }
    }

    @Test
    void shouldRefuseLengthsBeyondItsCapacity() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, SIZE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1}) {
            refuses(() -> buffer.getBytes(1, new byte[8], 0, length));
            refuses(() -> buffer.getBytes(1, ChannelBuffers.buffer(8), 0, length));
            refuses(() -> buffer.getBytes(1, ChannelBuffers.buffer(8), length));
            refuses(() -> buffer.getBytes(1, new ByteArrayOutputStream(), length));
            refuses(() -> buffer.getBytes(1, ScriptedChannel.taking(1), length));
            refuses(() -> buffer.slice(1, length));
            refuses(() -> buffer.copy(1, length));
            refuses(() -> buffer.toByteBuffer(1, length));
            refuses(() -> buffer.toByteBuffers(1, length));
            refuses(() -> buffer.toString(1, length, StandardCharsets.US_ASCII));
            refuses(() -> buffer.bytesBefore(1, length, (byte) 0));
        }
        refuses(() -> buffer.getShort(SIZE - 1));
        refuses(() -> buffer.getUnsignedMedium(SIZE - 2));
        refuses(() -> buffer.getInt(SIZE - 3));
        refuses(() -> buffer.getLong(SIZE - 7));
        refuses(() -> buffer.getBytes(0, new byte[4], 3, 2));
        refuses(() -> buffer.getBytes(0, new byte[4], -1, 2));
        refuses(() -> buffer.getBytes(0, ChannelBuffers.buffer(4), 3, 2));
        refuses(() -> buffer.getBytes(0, ChannelBuffers.buffer(8).slice(2, 4), 3, 2));
    }

    @Test
    void shouldNotTouchTheOtherSideWhenItRefuses() throws IOException {
        OutputStream out = new OutputStream() {
            @Override
            public void write(int value) {
                throw new AssertionError("written");
            }
        };
        refuses(() -> buffer.getBytes(SIZE - 3, out, 4));
        ByteBuffer small = ByteBuffer.allocate(4);
        refuses(() -> buffer.getBytes(SIZE + 1, small));
        assertEquals(0, small.position());

        assumeFalse(kind.readOnly());
        InputStream in = new ByteArrayInputStream(new byte[4]);
        refuses(() -> buffer.setBytes(SIZE - 3, in, 4));
        assertEquals(4, in.available());
        ByteBuffer source = ByteBuffer.allocate(4);
        refuses(() -> buffer.setBytes(SIZE - 3, source));
        assertEquals(0, source.position());
        byte[] pieces = new byte[8];
        ChannelBuffer composite = ChannelBuffers.wrappedBuffer(
                ChannelBuffers.wrappedBuffer(pieces, 0, 2), ChannelBuffers.wrappedBuffer(pieces, 2, 6));
        refuses(() -> buffer.setBytes(SIZE - 3, composite, 0, 4));
        assertContent();
    }

    @Test
    void shouldChangeNothingWhenItRefusesToWrite() {
        assumeFalse(kind.readOnly());
        for (int index : NEVER_AN_INDEX) {
            refuses(() -> buffer.setByte(index, 1));
            refuses(() -> buffer.setShort(index, 1));
            refuses(() -> buffer.setMedium(index, 1));
            refuses(() -> buffer.setInt(index, 1));
            refuses(() -> buffer.setLong(index, 1));
            refuses(() -> buffer.setBytes(index, new byte[0]));
            refuses(() -> buffer.setBytes(index, ByteBuffer.allocate(0)));
            refuses(() -> buffer.setBytes(index, ChannelBuffers.buffer(4), 0, 0));
            refuses(() -> buffer.setZero(index, 0));
            refuses(() -> buffer.setBytes(index, new ByteArrayInputStream(new byte[4]), 0));
            refuses(() -> buffer.setBytes(index, ScriptedChannel.giving(4, new byte[4]), 0));
        }
        refuses(() -> buffer.setShort(SIZE - 1, 1));
        refuses(() -> buffer.setMedium(SIZE - 2, 1));
        refuses(() -> buffer.setMedium(SIZE - 1, 1));
        refuses(() -> buffer.setMedium(-2, 1));
        refuses(() -> buffer.setInt(SIZE - 3, 1));
        refuses(() -> buffer.setLong(SIZE - 7, 1));
        refuses(() -> buffer.setBytes(SIZE - 3, new byte[4]));
        refuses(() -> buffer.setBytes(0, new byte[4], 3, 2));
        refuses(() -> buffer.setBytes(SIZE - 3, ByteBuffer.allocate(4)));
        refuses(() -> buffer.setBytes(SIZE - 3, ChannelBuffers.wrappedBuffer(new byte[4])));
        refuses(() -> buffer.setBytes(0, ChannelBuffers.wrappedBuffer(new byte[4]), 5));
        refuses(() -> buffer.setBytes(0, ChannelBuffers.wrappedBuffer(new byte[8], 2, 4), 3, 2));
        refuses(() -> buffer.setZero(SIZE - 3, 4));
        refuses(() -> buffer.setBytes(SIZE - 3, new ByteArrayInputStream(new byte[4]), 4));
        refuses(() -> buffer.setBytes(SIZE - 3, ScriptedChannel.giving(4, new byte[4]), 4));
        assertThrows(IllegalArgumentException.class, () -> buffer.setZero(0, -1));
        assertContent();
    }

    @Test
    void shouldNotReadBeyondTheWriterIndex() {
        buffer.setIndex(10, 13);
        refuses(buffer::readInt);
        refuses(buffer::readLong);
        refuses(() -> buffer.readBytes(4));
        refuses(() -> buffer.readBytes(-1));
        refuses(() -> buffer.readSlice(4));
        refuses(() -> buffer.readSlice(-1));
        refuses(() -> buffer.skipBytes(4));
        refuses(() -> buffer.skipBytes(-1));
        refuses(() -> buffer.readBytes(new byte[4]));
        refuses(() -> buffer.readBytes(ByteBuffer.allocate(4)));
        refuses(() -> buffer.readBytes(ChannelBuffers.buffer(4)));
        refuses(() -> buffer.readBytes(new ByteArrayOutputStream(), 4));
        refuses(() -> buffer.readBytes(ScriptedChannel.taking(4), 4));
        refuses(() -> buffer.readBytes(ChannelBuffers.buffer(2), 3));
        refuses(() -> buffer.bytesBefore(4, (byte) 0));
        refuses(() -> buffer.bytesBefore(4, ChannelBufferIndexFinder.NUL));
        assertEquals(10, buffer.readerIndex());
        assertEquals(medium(10), buffer.readUnsignedMedium());
        refuses(buffer::readByte);
    }

    @Test
    void shouldRefuseToGrowUnlessDynamic() {
        assumeFalse(kind.readOnly());
        assumeFalse(kind.grows());
        buffer.ensureWritableBytes(0);
        buffer.ensureWritableBytes(-1);
        refuses(() -> buffer.ensureWritableBytes(1));
        refuses(() -> buffer.ensureWritableBytes(Integer.MAX_VALUE));
        buffer.writerIndex(SIZE - 7);
        refuses(() -> buffer.writeLong(1));
        refuses(() -> buffer.writeBytes(new byte[8]));
        refuses(() -> buffer.writeBytes(ByteBuffer.allocate(8)));
        refuses(() -> buffer.writeBytes(ChannelBuffers.wrappedBuffer(new byte[8])));
        refuses(() -> buffer.writeZero(8));
        assertEquals(SIZE - 7, buffer.writerIndex());
        assertContent();
    }

    @Test
    void shouldRefuseWritesIfReadOnly() {
        assumeTrue(kind.readOnly());
        ChannelBuffer[] all = {
            buffer, buffer.duplicate(), buffer.slice(0, 40), buffer.slice(3, 40).slice(1, 30)
        };
        for (ChannelBuffer view : all) {
            view.setIndex(1, 20);
            List<Executable> writes = List.of(
                    () -> view.setByte(0, 1),
                    () -> view.setShort(0, 1),
                    () -> view.setMedium(0, 1),
                    () -> view.setInt(0, 1),
                    () -> view.setLong(0, 1),
                    () -> view.setZero(0, 9),
                    () -> view.setBytes(0, new byte[3]),
                    () -> view.setBytes(0, ByteBuffer.allocate(3)),
                    () -> view.setBytes(0, ChannelBuffers.wrappedBuffer(new byte[3])),
                    () -> view.setBytes(0, new ByteArrayInputStream(new byte[3]), 3),
                    () -> view.setBytes(0, ScriptedChannel.giving(3, new byte[3]), 3),
                    () -> view.writeByte(1),
                    () -> view.writeBytes(new byte[3]),
                    view::discardReadBytes,
                    () -> view.toByteBuffer().put((byte) 1),
                    () -> view.toByteBuffers()[0].put((byte) 1),
                    view::array,
                    view::arrayOffset);
            writes.forEach(write -> assertThrows(ReadOnlyBufferException.class, write));
            assertFalse(view.hasArray());
        }
        assertContent();
    }
}
