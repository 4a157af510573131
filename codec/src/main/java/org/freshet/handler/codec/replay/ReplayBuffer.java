package org.freshet.handler.codec.replay;

import java.nio.ByteOrder;
import java.util.Set;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBufferFactory;
import org.freshet.buffer.ChannelBufferIndexFinder;
import org.freshet.buffer.ChannelBuffers;

/**
 * The buffer that a {@link ReplayingDecoder} reads: it behaves as if all bytes had arrived. This class manages
 * attempts, their checkpoint, searches and the indexes; the reads are inherited.
 *
 * <p>Belongs to one decoder, and to the thread that runs it.
 */
final class ReplayBuffer extends ReplayableReads {
    /** Finders that look only at the byte in question, and need not see where the received bytes end. */
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

    /** Null until a search has failed. */
    private SearchProgress progress;

    /** Where a replay starts. */
    private int checkpoint;

    /** Begins an attempt; if the previous one was rewound, at its checkpoint. */
    void show(ChannelBuffer received) {
        buffer = received;
        int start = received.readerIndex();
        if (progress != null) {
            progress.shift(start - checkpoint);
        }
        checkpoint = start;
    }

    void hide() {
        buffer = ChannelBuffers.EMPTY_BUFFER;
    }

    void setCheckpoint() {
        checkpoint = buffer.readerIndex();
    }

    /**
     * Goes back to the checkpoint.
     *
     * @return how many bytes, from the checkpoint on, are needed before another attempt makes sense
     */
    long rewind() {
        buffer.readerIndex(checkpoint);
        return wantedWriterIndex - checkpoint;
    }

    /** Goes back to the checkpoint. Another attempt makes sense as soon as at least one more byte has arrived. */
    long rewindUntilMore() {
        wantedWriterIndex = buffer.writerIndex() + 1L;
        return rewind();
    }

    /** Called when the attempt succeeded or failed: its searches will not be repeated. */
    void forgetSearches() {
        if (progress != null) {
            progress.forget();
        }
    }

    private int resume(Object sought, int fromIndex) {
        return progress == null ? fromIndex : progress.resume(sought, fromIndex);
    }

    private void remember(Object sought, int fromIndex, int toIndex) {
        if (progress == null) {
            progress = new SearchProgress();
        }
        progress.remember(sought, fromIndex, toIndex);
    }

    void setComplete(boolean complete) {
        this.complete = complete;
    }

    boolean isComplete() {
        return complete;
    }

    // ---- searching: a byte that has not been received may still arrive, so the search is repeated ----

    @Override
    public int indexOf(int fromIndex, int toIndex, byte value) {
        if (fromIndex > toIndex) {
            needAt(fromIndex, 0);
            return buffer.indexOf(fromIndex, toIndex, value);
        }
        Byte sought = value;
        int start = resume(sought, fromIndex);
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
        int start = resume(indexFinder, fromIndex);
        int end = Math.min(toIndex, buffer.writerIndex());
        int index;
        if (SINGLE_BYTE_FINDERS.contains(indexFinder)) {
            index = start < end ? buffer.indexOf(start, end, indexFinder) : -1;
        } else {
            index = askEverywhere(indexFinder, fromIndex, start, end);
        }
        return index >= 0 ? index : notFound(indexFinder, fromIndex, toIndex);
    }

    /** The finder sees this buffer: if it looks at bytes that have not arrived, the search waits for them. */
    private int askEverywhere(ChannelBufferIndexFinder finder, int fromIndex, int start, int end) {
        int index = start;
        try {
            while (index < end && !finder.find(this, index)) {
                index++;
            }
        } catch (ReplaySignal signal) {
            remember(finder, fromIndex, index);
            throw signal;
        }
        return index < end ? index : -1;
    }

    private int notFound(Object sought, int fromIndex, int toIndex) {
        int end = buffer.writerIndex();
        if (toIndex <= end) {
            return -1;
        }
        remember(sought, fromIndex, Math.max(fromIndex, end));
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

    // ---- indexes: the end is at Integer.MAX_VALUE until it is known ----

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

    // ---- properties of the buffer ----

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

    /** False: the array would reveal bytes not received yet. */
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
}
