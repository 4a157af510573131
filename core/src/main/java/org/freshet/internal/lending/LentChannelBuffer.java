package org.freshet.internal.lending;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.freshet.buffer.AbstractChannelBuffer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBuffers;

/**
 * A lent buffer, or a part of it. Slices and duplicates are lent, too; copies are not.
 *
 * <p>Like its {@link Loan}, it is for the lending thread, until the loan ends. After that, every access to a byte throws.
 */
public final class LentChannelBuffer extends AbstractChannelBuffer {
    private final Loan loan;
    private final int offset;
    private final int length;

    /** Creates a buffer of the whole loan. */
    public LentChannelBuffer(Loan loan) {
        this(loan, 0, loan.size());
    }

    private LentChannelBuffer(Loan loan, int offset, int length) {
        this.loan = loan;
        this.offset = offset;
        this.length = length;
        writerIndex(length);
    }

    Loan loan() {
        return loan;
    }

    /** Whether the bytes can be sent from the memory into which they were read. */
    public boolean isInMemory() {
        return loan.isInMemory();
    }

    /** Returns a part of that memory, for one write; only if {@link #isInMemory}. */
    public ByteBuffer window(int index, int length) {
        return loan.window(at(index, length), length);
    }

    /** Returns the index in the loan, after checking that the range is within this part. */
    private int at(int index, int size) {
        if ((index | size) < 0 || index > length - size) {
            throw new IndexOutOfBoundsException(
                    "outside the buffer: index " + index + ", length " + size + ", capacity " + length);
        }
        return offset + index;
    }

    @Override
    public ChannelBufferFactory factory() {
        return loan.factory();
    }

    @Override
    public ByteOrder order() {
        return loan.order();
    }

    @Override
    public boolean isDirect() {
        return false;
    }

    @Override
    public int capacity() {
        return length;
    }

    @Override
    public boolean hasArray() {
        return true;
    }

    @Override
    public byte[] array() {
        return loan.changeableContent().array();
    }

    @Override
    public int arrayOffset() {
        return offset;
    }

    // ---- reading ----

    @Override
    public byte getByte(int index) {
        return loan.content().getByte(at(index, 1));
    }

    @Override
    public short getShort(int index) {
        return loan.content().getShort(at(index, 2));
    }

    @Override
    public int getUnsignedMedium(int index) {
        return loan.content().getUnsignedMedium(at(index, 3));
    }

    @Override
    public int getInt(int index) {
        return loan.content().getInt(at(index, 4));
    }

    @Override
    public long getLong(int index) {
        return loan.content().getLong(at(index, 8));
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        loan.content().getBytes(at(index, length), dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        loan.get(at(index, length), dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        int start = at(index, 0);
        loan.get(start, dst, Math.min(length - index, dst.remaining()));
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        loan.content().getBytes(at(index, length), out, length);
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        return loan.content().getBytes(at(index, length), out, length);
    }

    // ---- changing ----

    @Override
    public void setByte(int index, int value) {
        loan.changeableContent().setByte(at(index, 1), value);
    }

    @Override
    public void setShort(int index, int value) {
        loan.changeableContent().setShort(at(index, 2), value);
    }

    @Override
    public void setMedium(int index, int value) {
        loan.changeableContent().setMedium(at(index, 3), value);
    }

    @Override
    public void setInt(int index, int value) {
        loan.changeableContent().setInt(at(index, 4), value);
    }

    @Override
    public void setLong(int index, long value) {
        loan.changeableContent().setLong(at(index, 8), value);
    }

    @Override
    public void setBytes(int index, ChannelBuffer src, int srcIndex, int length) {
        loan.changeableContent().setBytes(at(index, length), src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, byte[] src, int srcIndex, int length) {
        loan.changeableContent().setBytes(at(index, length), src, srcIndex, length);
    }

    @Override
    public void setBytes(int index, ByteBuffer src) {
        loan.changeableContent().setBytes(at(index, src.remaining()), src);
    }

    @Override
    public int setBytes(int index, InputStream in, int length) throws IOException {
        return loan.changeableContent().setBytes(at(index, length), in, length);
    }

    @Override
    public int setBytes(int index, ScatteringByteChannel in, int length) throws IOException {
        return loan.changeableContent().setBytes(at(index, length), in, length);
    }

    // ---- other buffers ----

    @Override
    public ChannelBuffer copy(int index, int length) {
        int start = at(index, length);
        if (length == 0) {
            loan.checkLent();
            return ChannelBuffers.EMPTY_BUFFER;
        }
        return loan.copy(start, length);
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        loan.checkLent();
        int start = at(index, length);
        return length == 0 ? ChannelBuffers.EMPTY_BUFFER : new LentChannelBuffer(loan, start, length);
    }

    @Override
    public ChannelBuffer duplicate() {
        loan.checkLent();
        ChannelBuffer duplicate = new LentChannelBuffer(loan, offset, length);
        duplicate.setIndex(readerIndex(), writerIndex());
        return duplicate;
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        int start = at(index, length);
        return loan.changeableContent().toByteBuffer(start, length);
    }
}
