package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.Arrays;
import java.util.Objects;

/** A buffer over one whole byte array. The two subclasses add the byte order. */
public abstract class HeapChannelBuffer extends AbstractChannelBuffer {
    /** All bytes of the buffer: index 0 of the buffer is index 0 of the array. */
    protected final byte[] array;

    /**
     * Creates an empty buffer over a new array.
     *
     * @throws IllegalArgumentException if {@code capacity} is negative
     */
    protected HeapChannelBuffer(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("capacity < 0: " + capacity);
        }
        array = new byte[capacity];
    }

    /** Wraps an array; all of it is readable. */
    protected HeapChannelBuffer(byte[] array) {
        this(array, 0, array.length);
    }

    /** Wraps an array, with the given indices. */
    protected HeapChannelBuffer(byte[] array, int readerIndex, int writerIndex) {
        this.array = Objects.requireNonNull(array, "array");
        setIndex(readerIndex, writerIndex);
    }

    /** Bypasses the factory: a copied array need not be cleared first. */
    @Override
    public ChannelBuffer readBytes(int length) {
        checkReadableBytes(length);
        if (length == 0) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        ChannelBuffer bytes = copy(readerIndex(), length);
        skipBytes(length);
        return bytes;
    }

    @Override
    public boolean isDirect() {
        return false;
    }

    @Override
    public int capacity() {
        return array.length;
    }

    @Override
    public boolean hasArray() {
        return true;
    }

    @Override
    public byte[] array() {
        return array;
    }

    @Override
    public int arrayOffset() {
        return 0;
    }

    @Override
    public byte getByte(int index) {
        try {
            return array[index];
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 1, array.length);
        }
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        Bounds.check(index, length, array.length);
        dst.setBytes(dstIndex, array, index, length);
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        Bounds.copy(array, index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        Bounds.checkPosition(index, array.length);
        dst.put(array, index, Math.min(array.length - index, dst.remaining()));
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        Bounds.check(index, length, array.length);
        out.write(array, index, length);
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        return out.write(toByteBuffer(index, length));
    }

    @Override
    public void setByte(int index, int value) {
        try {
            array[index] = (byte) value;
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 1, array.length);
        }
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        Bounds.check(index, length, array.length);
        src.getBytes(srcIndex, array, index, length);
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        Bounds.copy(src, srcIndex, array, index, length);
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        Bounds.check(index, src.remaining(), array.length);
        src.get(array, index, src.remaining());
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        Bounds.check(index, length, array.length);
        return StreamTransfer.fill(array, index, length, in);
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        return StreamTransfer.fill(toByteBuffer(index, length), in);
    }

    @Override
    public void setZero(int index, int length) {
        if (length < 0) {
            throw new IllegalArgumentException("length < 0: " + length);
        }
        Bounds.check(index, length, array.length);
        Arrays.fill(array, index, index + length, (byte) 0);
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        Bounds.check(index, length, array.length);
        if (length < array.length) {
            return Slicing.slice(this, index, length);
        }
        ChannelBuffer whole = duplicate();
        whole.setIndex(0, length);
        return whole;
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        Bounds.check(index, length, array.length);
        return ByteBuffer.wrap(array, index, length).order(order());
    }
}
