package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;

/**
 * A buffer over a {@link ByteBuffer}, used for direct memory.
 *
 * <p>The ByteBuffer is accessed by absolute index only, so its position and limit never move and several threads may
 * read at the same time. It checks the range of a number itself, so nothing is checked twice; only its error message is
 * replaced.
 */
public class ByteBufferBackedChannelBuffer extends AbstractChannelBuffer {
    /** Position 0, limit at the capacity; neither ever moves. */
    private final ByteBuffer memory;

    /**
     * Shares the remaining bytes of {@code buffer}, in its byte order; all of them are readable. Later changes to the
     * position, limit and order of {@code buffer} have no effect here.
     */
    public ByteBufferBackedChannelBuffer(ByteBuffer buffer) {
        memory = buffer.slice().order(buffer.order());
        writerIndex(memory.capacity());
    }

    /** Takes over a ByteBuffer. Nothing else may change its position, limit and order afterwards. */
    ByteBufferBackedChannelBuffer(ByteBuffer memory, int readerIndex, int writerIndex) {
        this.memory = memory;
        setIndex(readerIndex, writerIndex);
    }

    @Override
    public ChannelBufferFactory factory() {
        return isDirect()
                ? DirectChannelBufferFactory.getInstance(order())
                : HeapChannelBufferFactory.getInstance(order());
    }

    @Override
    public boolean isDirect() {
        return memory.isDirect();
    }

    @Override
    public ByteOrder order() {
        return memory.order();
    }

    @Override
    public int capacity() {
        return memory.capacity();
    }

    @Override
    public boolean hasArray() {
        return memory.hasArray();
    }

    @Override
    public byte[] array() {
        return memory.array();
    }

    @Override
    public int arrayOffset() {
        return memory.arrayOffset();
    }

    @Override
    public byte getByte(int index) {
        try {
            return memory.get(index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 1, capacity());
        }
    }

    @Override
    public short getShort(int index) {
        try {
            return memory.getShort(index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 2, capacity());
        }
    }

    @Override
    public int getUnsignedMedium(int index) {
        try {
            int firstTwo = memory.getShort(index) & 0xffff;
            int last = memory.get(index + 2) & 0xff;
            return bigEndian() ? firstTwo << 8 | last : last << 16 | firstTwo;
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 3, capacity());
        }
    }

    @Override
    public int getInt(int index) {
        try {
            return memory.getInt(index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 4, capacity());
        }
    }

    @Override
    public long getLong(int index) {
        try {
            return memory.getLong(index);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 8, capacity());
        }
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        dst.setBytes(dstIndex, toByteBuffer(index, length));
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        Bounds.check(index, length, capacity());
        Bounds.check(dstIndex, length, dst.length);
        memory.get(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        Bounds.checkPosition(index, capacity());
        int length = Math.min(capacity() - index, dst.remaining());
        dst.put(dst.position(), memory, index, length);
        dst.position(dst.position() + length);
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        Bounds.check(index, length, capacity());
        if (hasArray()) {
            out.write(array(), arrayOffset() + index, length);
        } else {
            StreamTransfer.drain(toByteBuffer(index, length), out);
        }
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        return out.write(toByteBuffer(index, length));
    }

    @Override
    public void setByte(int index, int value) {
        try {
            memory.put(index, (byte) value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 1, capacity());
        }
    }

    @Override
    public void setShort(int index, int value) {
        try {
            memory.putShort(index, (short) value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 2, capacity());
        }
    }

    @Override
    public void setMedium(int index, int value) {
        if (index < 0) {
            throw Bounds.outside(index, 3, capacity());
        }
        try { // writing the last byte first makes it all three bytes or none
            memory.put(index + 2, (byte) (bigEndian() ? value : value >>> 16));
            memory.putShort(index, (short) (bigEndian() ? value >>> 8 : value));
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 3, capacity());
        }
    }

    @Override
    public void setInt(int index, int value) {
        try {
            memory.putInt(index, value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 4, capacity());
        }
    }

    @Override
    public void setLong(int index, long value) {
        try {
            memory.putLong(index, value);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 8, capacity());
        }
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        Bounds.check(srcIndex, length, src.capacity());
        if (src instanceof ByteBufferBackedChannelBuffer that) {
            Bounds.check(index, length, capacity());
            memory.put(index, that.memory, srcIndex, length);
        } else {
            src.getBytes(srcIndex, toByteBuffer(index, length));
        }
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        Bounds.check(index, length, capacity());
        Bounds.check(srcIndex, length, src.length);
        memory.put(index, src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        int length = src.remaining();
        Bounds.check(index, length, capacity());
        memory.put(index, src, src.position(), length);
        src.position(src.limit());
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        Bounds.check(index, length, capacity());
        return hasArray()
                ? StreamTransfer.fill(array(), arrayOffset() + index, length, in)
                : StreamTransfer.fill(toByteBuffer(index, length), in);
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        return StreamTransfer.fill(toByteBuffer(index, length), in);
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        Bounds.check(index, length, capacity());
        return memory.slice(index, length).order(order());
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        ByteBuffer part = toByteBuffer(index, length);
        return length == 0 ? ChannelBuffers.EMPTY_BUFFER : new ByteBufferBackedChannelBuffer(part, 0, length);
    }

    /** Returns a view of the same memory with the current indices. */
    ChannelBuffer ordered(ByteOrder order) {
        return new ByteBufferBackedChannelBuffer(memory.duplicate().order(order), readerIndex(), writerIndex());
    }

    @Override
    public ChannelBuffer duplicate() {
        return new ByteBufferBackedChannelBuffer(memory, readerIndex(), writerIndex());
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        ByteBuffer part = toByteBuffer(index, length);
        ByteBuffer copy = isDirect() ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        copy.put(0, part, 0, length);
        return new ByteBufferBackedChannelBuffer(copy.order(order()), 0, length);
    }

    private boolean bigEndian() {
        return order() == ByteOrder.BIG_ENDIAN;
    }
}
