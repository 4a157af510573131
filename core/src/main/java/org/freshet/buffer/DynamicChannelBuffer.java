package org.freshet.buffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.util.Objects;

/**
 * A buffer that grows as it is written to.
 *
 * <p>Relative writes and {@link #ensureWritableBytes} make space by doubling the capacity. Absolute access does not,
 * and fails beyond the capacity as in any buffer. Growing moves the bytes to new memory: slices and duplicates of this
 * buffer follow, but an {@link #array()} or {@link ByteBuffer} obtained before does not.
 */
public class DynamicChannelBuffer extends AbstractChannelBuffer {
    /** The longest array that every JVM can allocate. */
    private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;

    private final ChannelBufferFactory factory;
    private final ByteOrder order;
    /** Holds the bytes; its own indices are not used. */
    private ChannelBuffer storage;

    /** Creates a big endian heap buffer with space for {@code estimatedLength} bytes before it grows. */
    public DynamicChannelBuffer(int estimatedLength) {
        this(ByteOrder.BIG_ENDIAN, estimatedLength);
    }

    /** Creates a heap buffer with space for {@code estimatedLength} bytes before it grows. */
    public DynamicChannelBuffer(ByteOrder order, int estimatedLength) {
        this(order, estimatedLength, HeapChannelBufferFactory.getInstance(order));
    }

    /**
     * Creates a buffer whose memory comes from {@code factory}.
     *
     * @throws IllegalArgumentException if {@code estimatedLength} is negative
     */
    public DynamicChannelBuffer(ByteOrder order, int estimatedLength, ChannelBufferFactory factory) {
        if (estimatedLength < 0) {
            throw new IllegalArgumentException("estimatedLength < 0: " + estimatedLength);
        }
        this.factory = Objects.requireNonNull(factory, "factory");
        this.order = Objects.requireNonNull(order, "order");
        storage = factory.getBuffer(order, estimatedLength);
    }

    /**
     * Makes space for at least {@code writableBytes} more bytes; zero or less has no effect.
     *
     * @throws IndexOutOfBoundsException if the buffer would exceed 2 GiB
     */
    @Override
    public void ensureWritableBytes(int writableBytes) {
        if (writableBytes > writableBytes()) {
            growTo((long) writerIndex() + writableBytes);
        }
    }

    @Override
    void makeRoom(int bytes) {
        ensureWritableBytes(bytes);
    }

    private void growTo(long required) {
        if (required > MAX_CAPACITY) {
            throw new IndexOutOfBoundsException("cannot grow: required " + required + " bytes, the maximum is "
                    + MAX_CAPACITY + ", writerIndex " + writerIndex());
        }
        long doubled = Math.max(1, storage.capacity());
        while (doubled < required) {
            doubled *= 2;
        }
        ChannelBuffer larger = factory.getBuffer(order, (int) Math.min(doubled, MAX_CAPACITY));
        larger.setBytes(0, storage, 0, storage.capacity());
        storage = larger;
    }

    @Override
    public ChannelBufferFactory factory() {
        return factory;
    }

    @Override
    public ByteOrder order() {
        return order;
    }

    @Override
    public boolean isDirect() {
        return storage.isDirect();
    }

    @Override
    public int capacity() {
        return storage.capacity();
    }

    @Override
    public boolean hasArray() {
        return storage.hasArray();
    }

    @Override
    public byte[] array() {
        return storage.array();
    }

    @Override
    public int arrayOffset() {
        return storage.arrayOffset();
    }

    @Override
    public byte getByte(int index) {
        return storage.getByte(index);
    }

    @Override
    public short getShort(int index) {
        return storage.getShort(index);
    }

    @Override
    public int getUnsignedMedium(int index) {
        return storage.getUnsignedMedium(index);
    }

    @Override
    public int getInt(int index) {
        return storage.getInt(index);
    }

    @Override
    public long getLong(int index) {
        return storage.getLong(index);
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        storage.getBytes(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        storage.getBytes(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        storage.getBytes(index, dst);
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        return storage.getBytes(index, out, length);
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        storage.getBytes(index, out, length);
    }

    @Override
    public void setByte(int index, int value) {
        storage.setByte(index, value);
    }

    @Override
    public void setShort(int index, int value) {
        storage.setShort(index, value);
    }

    @Override
    public void setMedium(int index, int value) {
        storage.setMedium(index, value);
    }

    @Override
    public void setInt(int index, int value) {
        storage.setInt(index, value);
    }

    @Override
    public void setLong(int index, long value) {
        storage.setLong(index, value);
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        storage.setBytes(index, src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        storage.setBytes(index, src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        storage.setBytes(index, src);
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        return storage.setBytes(index, in, length);
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        return storage.setBytes(index, in, length);
    }

    @Override
    public void setZero(int index, int length) {
        storage.setZero(index, length);
    }

    @Override
    public ChannelBuffer duplicate() {
        return new DuplicatedChannelBuffer(this);
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        Bounds.check(index, length, capacity());
        ChannelBuffer copy = new DynamicChannelBuffer(order, length, factory);
        copy.writeBytes(this, index, length);
        return copy;
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        return Slicing.slice(this, index, length);
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        return storage.toByteBuffer(index, length);
    }
}
