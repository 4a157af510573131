package org.freshet.buffer;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ScatteringByteChannel;

/**
 * A read-only view of the whole of another buffer: every method that would change a byte throws
 * {@link ReadOnlyBufferException}.
 *
 * <p>The bytes still change when the other buffer is written to. The array is not accessible. Slices, duplicates and
 * {@link ByteBuffer}s made from it are read-only too; copies are not.
 */
public class ReadOnlyChannelBuffer extends ViewChannelBuffer {
    /** Starts with the current indices of {@code buffer}. */
    public ReadOnlyChannelBuffer(ChannelBuffer buffer) {
        super(buffer, 0, OPEN);
        setIndex(buffer.readerIndex(), buffer.writerIndex());
    }

    @Override
    public boolean hasArray() {
        return false;
    }

    @Override
    public byte[] array() {
        throw new ReadOnlyBufferException();
    }

    @Override
    public int arrayOffset() {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void discardReadBytes() {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setByte(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setShort(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setMedium(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setInt(int index, int value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setLong(int index, long value) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public int setBytes(int index, InputStream in, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) {
        throw new ReadOnlyBufferException();
    }

    @Override
    public ChannelBuffer duplicate() {
        ChannelBuffer duplicate = new ReadOnlyChannelBuffer(unwrap());
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        return new ReadOnlyChannelBuffer(super.slice(index, length));
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        return protect(super.toByteBuffer(index, length));
    }

    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        ByteBuffer[] pieces = super.toByteBuffers(index, length);
        for (int i = 0; i < pieces.length; i++) {
            pieces[i] = protect(pieces[i]);
        }
        return pieces;
    }

    /** asReadOnlyBuffer() always returns big endian, so the order is set again. */
    private ByteBuffer protect(ByteBuffer piece) {
        return piece.asReadOnlyBuffer().order(order());
    }
}
