package org.freshet.handler.codec.replay;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.Charset;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBufferIndexFinder;
import org.freshet.buffer.ChannelBuffers;

/**
 * What a {@link ReplayingDecoder} reads: the received bytes as if those to come were there, too. Reading beyond what was
 * received throws {@link ReplaySignal} and remembers how many bytes another attempt needs to get further.
 *
 * <p>Reads go straight to the buffer it shows and move that buffer's index. Belongs to one decoder, and to the thread that
 * runs it.
 */
final class ReplayBuffer extends UnwritableBuffer {
    /** Finders that look at the byte in question only, and need not see where the received bytes end. */
    private static final Set<ChannelBufferIndexFinder> SINGLE_BYTE_FINDERS = Set.of(
            ChannelBufferIndexFinder.NUL,
            ChannelBufferIndexFinder.NOT_NUL,
            ChannelBufferIndexFinder.CR,
            ChannelBufferIndexFinder.NOT_CR,
            ChannelBufferIndexFinder.LF,
            ChannelBufferIndexFinder.NOT_LF,
            ChannelBufferIndexFinder.CRLF,
            ChannelBufferIndexFinder.NOT_CRLF,
            ChannelBufferIndexFinder.LINEAR_WHITESPACE,
            ChannelBufferIndexFinder.NOT_LINEAR_WHITESPACE);

    private final SearchProgress progress = new SearchProgress();

    /** The received bytes; empty while no decoder runs, so that nothing is kept alive. */
    private ChannelBuffer buffer = ChannelBuffers.EMPTY_BUFFER;

    /** No more bytes will come. */
    private boolean complete;

    /** Where a replay starts. */
    private int checkpoint;

    /** The index up to which bytes must have come before another attempt makes sense. */
    private long wantedWriterIndex;

    /** Begins an attempt, at the checkpoint of the one before if that was rewound. */
    void show(ChannelBuffer received) {
        buffer = received;
        int start = received.readerIndex();
        progress.shift(start - checkpoint);
        checkpoint = start;
    }

    void hide() {
        buffer = ChannelBuffers.EMPTY_BUFFER;
    }

    void setCheckpoint() {
        checkpoint = buffer.readerIndex();
    }

    /**
     * Unreads what the attempt has read since the checkpoint.
     *
     * @return how many bytes there must be from the checkpoint on before another attempt makes sense
     */
    long rewind() {
        buffer.readerIndex(checkpoint);
        return wantedWriterIndex - checkpoint;
    }

    /** The attempt read what it wanted, or failed: its searches will not be repeated. */
    void forgetSearches() {
        progress.forget();
    }

    void setComplete(boolean complete) {
        this.complete = complete;
    }

    boolean isComplete() {
        return complete;
    }

    private void need(int length) {
        needAt(buffer.readerIndex(), length);
    }

    private void needAt(int index, int length) {
        if (index + (long) length > buffer.writerIndex()) {
            throw replayWhen(index + (long) length);
        }
    }

    private ReplaySignal replayWhen(long writerIndex) {
        wantedWriterIndex = writerIndex;
        return ReplaySignal.INSTANCE;
    }

    /** For what concerns everything readable: not known before the end. */
    private void needEnd() {
        if (!complete) {
            throw unreplayable();
        }
    }

    // ---- searching: what is not among the received bytes may be among those to come, so the search is repeated ----

    @Override
    public int indexOf(int fromIndex, int toIndex, byte value) {
        if (fromIndex > toIndex) {
            needAt(fromIndex, 0);
            return buffer.indexOf(fromIndex, toIndex, value);
        }
        Byte sought = value;
        int start = progress.resume(sought, fromIndex);
        int end = Math.min(toIndex, buffer.writerIndex());
        int index = start < end ? buffer.indexOf(start, end, value) : -1;
        return index >= 0 ? index : notFound(sought, fromIndex, toIndex);
    }

    @Override
    public int indexOf(int fromIndex, int toIndex, ChannelBufferIndexFinder indexFinder) {
        if (fromIndex > toIndex) {
            needAt(fromIndex, 0);
            return buffer.indexOf(fromIndex, toIndex, indexFinder);
        }
        int start = progress.resume(indexFinder, fromIndex);
        int end = Math.min(toIndex, buffer.writerIndex());
        int index;
        if (SINGLE_BYTE_FINDERS.contains(indexFinder)) {
            index = start < end ? buffer.indexOf(start, end, indexFinder) : -1;
        } else {
            index = askEverywhere(indexFinder, fromIndex, start, end);
        }
        return index >= 0 ? index : notFound(indexFinder, fromIndex, toIndex);
    }

    /** The finder sees this buffer: if it looks at bytes that have not come, its answer has to wait for them. */
    private int askEverywhere(ChannelBufferIndexFinder finder, int fromIndex, int start, int end) {
        int index = start;
        try {
            while (index < end && !finder.find(this, index)) {
                index++;
            }
        } catch (ReplaySignal signal) {
            progress.remember(finder, fromIndex, index);
            throw signal;
        }
        return index < end ? index : -1;
    }

    private int notFound(Object sought, int fromIndex, int toIndex) {
        int end = buffer.writerIndex();
        if (toIndex <= end) {
            return -1;
        }
        progress.remember(sought, fromIndex, Math.max(fromIndex, end));
        throw replayWhen(end + 1L);
    }

    @Override
    public int bytesBefore(byte value) {
        return distance(readerIndex(), indexOf(readerIndex(), Integer.MAX_VALUE, value));
    }

    @Override
    public int bytesBefore(ChannelBufferIndexFinder indexFinder) {
        return distance(readerIndex(), indexOf(readerIndex(), Integer.MAX_VALUE, indexFinder));
    }

    @Override
    public int bytesBefore(int length, byte value) {
        return bytesBefore(readerIndex(), length, value);
    }

    @Override
    public int bytesBefore(int length, ChannelBufferIndexFinder indexFinder) {
        return bytesBefore(readerIndex(), length, indexFinder);
    }

    @Override
    public int bytesBefore(int index, int length, byte value) {
        return distance(index, indexOf(index, end(index, length), value));
    }

    @Override
    public int bytesBefore(int index, int length, ChannelBufferIndexFinder indexFinder) {
        return distance(index, indexOf(index, end(index, length), indexFinder));
    }

    private static int end(int index, int length) {
        if (length < 0) {
            throw new IndexOutOfBoundsException("length < 0: " + length);
        }
        return (int) Math.min(index + (long) length, Integer.MAX_VALUE);
    }

    private static int distance(int from, int index) {
        return index < 0 ? -1 : index - from;
    }

    // ---- indexes: the end lies in the distance until it is known ----

    @Override
    public int capacity() {
        return complete ? buffer.capacity() : Integer.MAX_VALUE;
    }

    @Override
    public int readerIndex() {
        return buffer.readerIndex();
    }

    @Override
    public void readerIndex(int readerIndex) {
        needAt(readerIndex, 0);
        buffer.readerIndex(readerIndex);
    }

    @Override
    public int writerIndex() {
        return complete ? buffer.writerIndex() : Integer.MAX_VALUE;
    }

    @Override
    public int readableBytes() {
        return complete ? buffer.readableBytes() : Integer.MAX_VALUE - buffer.readerIndex();
    }

    @Override
    public boolean readable() {
        return !complete || buffer.readable();
    }

    @Override
    public void markReaderIndex() {
        buffer.markReaderIndex();
    }

    @Override
    public void resetReaderIndex() {
        buffer.resetReaderIndex();
    }

    // ---- what the buffer is ----

    @Override
    public ChannelBufferFactory factory() {
        return buffer.factory();
    }

    @Override
    public ByteOrder order() {
        return buffer.order();
    }

    @Override
    public boolean isDirect() {
        return buffer.isDirect();
    }

    /** False: the array would tell what was not received yet. */
    @Override
    public boolean hasArray() {
        return false;
    }

    @Override
    public byte[] array() {
        throw new UnsupportedOperationException("hasArray() is false");
    }

    @Override
    public int arrayOffset() {
        throw new UnsupportedOperationException("hasArray() is false");
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public int compareTo(ChannelBuffer other) {
        throw unreplayable();
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "(received: " + buffer + (complete ? ", complete)" : ")");
    }

    // ---- reading at an index ----

    @Override
    public ByteBuffer[] toByteBuffers(int index, int length) {
        needAt(index, length);
        return buffer.toByteBuffers(index, length);
    }

    @Override
    public ByteBuffer toByteBuffer(int index, int length) {
        needAt(index, length);
        return buffer.toByteBuffer(index, length);
    }

    @Override
    public ChannelBuffer copy(int index, int length) {
        needAt(index, length);
        return buffer.copy(index, length);
    }

    @Override
    public ChannelBuffer slice(int index, int length) {
        needAt(index, length);
        return buffer.slice(index, length);
    }

    @Override
    public String toString(int index, int length, Charset charset) {
        needAt(index, length);
        return buffer.toString(index, length, charset);
    }

    @Override
    public byte getByte(int index) {
        needAt(index, 1);
        return buffer.getByte(index);
    }

    @Override
    public char getChar(int index) {
        needAt(index, 2);
        return buffer.getChar(index);
    }

    @Override
    public double getDouble(int index) {
        needAt(index, 8);
        return buffer.getDouble(index);
    }

    @Override
    public float getFloat(int index) {
        needAt(index, 4);
        return buffer.getFloat(index);
    }

    @Override
    public int getBytes(int index, GatheringByteChannel out, int length) throws IOException {
        needAt(index, length);
        return buffer.getBytes(index, out, length);
    }

    @Override
    public int getInt(int index) {
        needAt(index, 4);
        return buffer.getInt(index);
    }

    @Override
    public int getMedium(int index) {
        needAt(index, 3);
        return buffer.getMedium(index);
    }

    @Override
    public int getUnsignedMedium(int index) {
        needAt(index, 3);
        return buffer.getUnsignedMedium(index);
    }

    @Override
    public int getUnsignedShort(int index) {
        needAt(index, 2);
        return buffer.getUnsignedShort(index);
    }

    @Override
    public long getLong(int index) {
        needAt(index, 8);
        return buffer.getLong(index);
    }

    @Override
    public long getUnsignedInt(int index) {
        needAt(index, 4);
        return buffer.getUnsignedInt(index);
    }

    @Override
    public short getShort(int index) {
        needAt(index, 2);
        return buffer.getShort(index);
    }

    @Override
    public short getUnsignedByte(int index) {
        needAt(index, 1);
        return buffer.getUnsignedByte(index);
    }

    @Override
    public void getBytes(int index, ByteBuffer dst) {
        needAt(index, dst.remaining());
        buffer.getBytes(index, dst);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int dstIndex, int length) {
        needAt(index, length);
        buffer.getBytes(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst, int length) {
        needAt(index, length);
        buffer.getBytes(index, dst, length);
    }

    @Override
    public void getBytes(int index, ChannelBuffer dst) {
        needAt(index, dst.writableBytes());
        buffer.getBytes(index, dst);
    }

    @Override
    public void getBytes(int index, OutputStream out, int length) throws IOException {
        needAt(index, length);
        buffer.getBytes(index, out, length);
    }

    @Override
    public void getBytes(int index, byte[] dst, int dstIndex, int length) {
        needAt(index, length);
        buffer.getBytes(index, dst, dstIndex, length);
    }

    @Override
    public void getBytes(int index, byte[] dst) {
        needAt(index, dst.length);
        buffer.getBytes(index, dst);
    }

    // ---- reading on ----

    @Override
    public ByteBuffer[] toByteBuffers() {
        needEnd();
        return buffer.toByteBuffers();
    }

    @Override
    public ByteBuffer toByteBuffer() {
        needEnd();
        return buffer.toByteBuffer();
    }

    @Override
    public ChannelBuffer copy() {
        needEnd();
        return buffer.copy();
    }

    @Override
    public ChannelBuffer duplicate() {
        needEnd();
        return buffer.duplicate();
    }

    @Override
    public ChannelBuffer readBytes(int length) {
        need(length);
        return buffer.readBytes(length);
    }

    @Override
    public ChannelBuffer readSlice(int length) {
        need(length);
        return buffer.readSlice(length);
    }

    @Override
    public ChannelBuffer slice() {
        needEnd();
        return buffer.slice();
    }

    @Override
    public String toString(Charset charset) {
        needEnd();
        return buffer.toString(charset);
    }

    @Override
    public byte readByte() {
        need(1);
        return buffer.readByte();
    }

    @Override
    public char readChar() {
        need(2);
        return buffer.readChar();
    }

    @Override
    public double readDouble() {
        need(8);
        return buffer.readDouble();
    }

    @Override
    public float readFloat() {
        need(4);
        return buffer.readFloat();
    }

    @Override
    public int readBytes(GatheringByteChannel out, int length) throws IOException {
        need(length);
        return buffer.readBytes(out, length);
    }

    @Override
    public int readInt() {
        need(4);
        return buffer.readInt();
    }

    @Override
    public int readMedium() {
        need(3);
        return buffer.readMedium();
    }

    @Override
    public int readUnsignedMedium() {
        need(3);
        return buffer.readUnsignedMedium();
    }

    @Override
    public int readUnsignedShort() {
        need(2);
        return buffer.readUnsignedShort();
    }

    @Override
    public long readLong() {
        need(8);
        return buffer.readLong();
    }

    @Override
    public long readUnsignedInt() {
        need(4);
        return buffer.readUnsignedInt();
    }

    @Override
    public short readShort() {
        need(2);
        return buffer.readShort();
    }

    @Override
    public short readUnsignedByte() {
        need(1);
        return buffer.readUnsignedByte();
    }

    @Override
    public void readBytes(ByteBuffer dst) {
        need(dst.remaining());
        buffer.readBytes(dst);
    }

    @Override
    public void readBytes(ChannelBuffer dst, int dstIndex, int length) {
        need(length);
        buffer.readBytes(dst, dstIndex, length);
    }

    @Override
    public void readBytes(ChannelBuffer dst, int length) {
        need(length);
        buffer.readBytes(dst, length);
    }

    @Override
    public void readBytes(ChannelBuffer dst) {
        need(dst.writableBytes());
        buffer.readBytes(dst);
    }

    @Override
    public void readBytes(OutputStream out, int length) throws IOException {
        need(length);
        buffer.readBytes(out, length);
    }

    @Override
    public void readBytes(byte[] dst, int dstIndex, int length) {
        need(length);
        buffer.readBytes(dst, dstIndex, length);
    }

    @Override
    public void readBytes(byte[] dst) {
        need(dst.length);
        buffer.readBytes(dst);
    }

    @Override
    public void skipBytes(int length) {
        need(length);
        buffer.skipBytes(length);
    }
}
