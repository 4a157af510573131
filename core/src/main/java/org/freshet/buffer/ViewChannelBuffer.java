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
 * A view of another buffer: it shares the source's bytes and has its own indices.
 *
 * <p>Three kinds of view share this class: one of fixed length at an offset, one of fixed length at the start, and an
 * open one that always has the capacity of its source.
 */
abstract class ViewChannelBuffer extends AbstractChannelBuffer implements WrappedChannelBuffer {
    /** As a length: the view has the capacity of its source. */
    static final int OPEN = Integer.MAX_VALUE;

    private final ChannelBuffer source;
    private final int offset;
    /** Bytes in the view, or {@link #OPEN}. */
    private final int length;

    ViewChannelBuffer(ChannelBuffer source, int offset, int length) {
        this.source = Objects.requireNonNull(source, "buffer");
        this.offset = offset;
        this.length = length;
    }

    /** Converts a view index to a source index, after checking that {@code size} bytes from there are in the view. */
    private int at(int index, int size) {
        if (index < 0 || size < 0 || index > length - size) { // for an open view, the source checks the end
            throw Bounds.outside(index, size, capacity());
        }
        return offset + index;
    }

    /** Same as {@code at(index, 1)}, but compiles to a single comparison. */
    private int at(int index) {
        try {
            return offset + Objects.checkIndex(index, length);
        } catch (IndexOutOfBoundsException e) {
            throw Bounds.outside(index, 1, capacity());
        }
    }

    @Override
    public ChannelBuffer unwrap() {
        return source;
    }

    /** The index in the source at which the view begins. */
    final int offset() {
        return offset;
    }

    @Override
    public ChannelBufferFactory factory() {
        return source.factory();
    }

    @Override
    public ByteOrder order() {
        return source.order();
    }

    @Override
    public boolean isDirect() {
        return source.isDirect();
    }

    @Override
    public int capacity() {
        return length == OPEN ? source.capacity() : length;
    }

    @Override
    public boolean hasArray() {
        return source.hasArray();
    }

    @Override
    public byte[] array() {
        return source.array();
    }

    @Override
    public int arrayOffset() {
        return source.arrayOffset() + offset;
    }

    @Override
    public byte getByte(int index) {
        return source.getByte(at(index));
    }

    @Override
    public short getShort(int index) {
        return source.getShort(at(index, 2));
    }

    @Override
    public int getUnsignedMedium(int index) {
        return source.getUnsignedMedium(at(index, 3));
    }

    @Override
    public int getInt(int index) {
        return source.getInt(at(index, 4));
    }

    @Override
    public long getLong(int index) {
        return source.getLong(at(index, 8));
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        source.getBytes(at(index, length), dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        source.getBytes(at(index, length), dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        int start = at(index, 0);
        int end = dst.limit();
        int available = Math.max(0, capacity() - index);
        // The source may extend beyond the view.
        dst.limit(dst.position() + Math.min(available, dst.remaining()));
        try {
            source.getBytes(start, dst);
        } finally {
            dst.limit(end);
        }
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        source.getBytes(at(index, length), out, length);
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        return source.getBytes(at(index, length), out, length);
    }

    @Override
    public void setByte(int index, int value) {
        source.setByte(at(index), value);
    }

    @Override
    public void setShort(int index, int value) {
        source.setShort(at(index, 2), value);
    }

    @Override
    public void setMedium(int index, int value) {
        source.setMedium(at(index, 3), value);
    }

    @Override
    public void setInt(int index, int value) {
        source.setInt(at(index, 4), value);
    }

    @Override
    public void setLong(int index, long value) {
        source.setLong(at(index, 8), value);
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        source.setBytes(at(index, length), src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        source.setBytes(at(index, length), src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        source.setBytes(at(index, src.remaining()), src);
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        return source.setBytes(at(index, length), in, length);
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        return source.setBytes(at(index, length), in, length);
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        return source.copy(at(index, length), length);
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        return source.slice(at(index, length), length);
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        return source.toByteBuffer(at(index, length), length);
    }

    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        return source.toByteBuffers(at(index, length), length);
    }
}
