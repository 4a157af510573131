package org.freshet.handler.tap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes the chunks of all lanes to the file, packet by packet in the order of their times. While packets come, it takes
 * a turn every {@link #TURN_NANOS}; otherwise it sleeps. Used by the tap's own thread, except where noted.
 */
final class TapWriter {
    /** One turn for many packets costs the channels' processors less than one for each. */
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int BUFFER_BYTES = 2 * Chunk.BYTES;

    /** A lane, and its chunks that are not in the file. */
    private static final class Source {
        final Lane lane;
        final Deque<Chunk> chunks = new ArrayDeque<>();

        Source(Lane lane) {
            this.lane = lane;
        }

        /** Returns the time of the next packet; the largest number if all are written. */
        long nextNanos() {
            return chunks.isEmpty() ? Long.MAX_VALUE : chunks.peek().nextNanos();
        }
    }

    private final WireTap tap;
    private final Source[] sources;
    private final FileChannel file;
    private final long maxBytes;

    /** What was not written yet. */
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    /** The size of the file with what is in the buffer. */
    private long bytes;

    TapWriter(WireTap tap, Lane[] lanes, FileChannel file, long maxBytes) {
        this.tap = tap;
        this.file = file;
        this.maxBytes = maxBytes;
        sources = new Source[lanes.length];
        for (int i = 0; i < lanes.length; i++) {
            sources[i] = new Source(lanes[i]);
        }
    }

    /** Returns the size of the file. */
    long bytes() {
        return bytes;
    }

    /** Returns when the tap was closed, and everything is in the file, or when the file is full. */
    void run() throws IOException {
        buffer.put(PcapNg.begin());
        bytes = buffer.position();
        boolean isLast = false;
        while (!isLast && bytes < maxBytes) {
            awaitPackets();
            isLast = !tap.isOpen();
            takeTurn(isLast);
        }
    }

    /** Closes all lanes: nothing can be added any more. */
    void close() {
        for (Source source : sources) {
            source.lane.drainTo(source.chunks, true);
            source.chunks.clear();
        }
    }

    /** Waits until there are packets, and then lets more arrive. */
    private void awaitPackets() {
        while (areLanesEmpty() && tap.isOpen()) {
            tap.setIdle(true); // before the second look: a packet that comes after it wakes this thread
            if (areLanesEmpty() && tap.isOpen()) {
                LockSupport.park(this);
            }
            tap.setIdle(false);
        }
        if (tap.isOpen()) {
            LockSupport.parkNanos(this, TURN_NANOS);
        }
    }

    private boolean areLanesEmpty() {
        for (Source source : sources) {
            if (!source.lane.isEmpty() || !source.chunks.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private void takeTurn(boolean isLast) throws IOException {
        long now = tap.epochNanos(); // what is added to a lane after its turn is later than this
        for (Source source : sources) {
            source.lane.drainTo(source.chunks, isLast);
        }
        merge(isLast ? Long.MAX_VALUE : now);
        flush();
    }

    /** Puts the packets up to a time in order. */
    private void merge(long untilNanos) throws IOException {
        Source first = earliest(null);
        while (first != null && first.nextNanos() <= untilNanos && bytes < maxBytes) {
            Source second = earliest(first);
            long limit = Math.min(untilNanos, second == null ? Long.MAX_VALUE : second.nextNanos());
            Chunk chunk = first.chunks.peek();
            copy(chunk, limit);
            if (chunk.isRead()) {
                first.chunks.remove();
                tap.chunks().giveBack(chunk);
            }
            first = earliest(null);
        }
    }

    /** Returns the lane with the next packet, except for one lane; null if the others have no packet. */
    private Source earliest(Source except) {
        Source earliest = null;
        for (Source source : sources) {
            if (source != except
                    && !source.chunks.isEmpty()
                    && (earliest == null || source.nextNanos() < earliest.nextNanos())) {
                earliest = source;
            }
        }
        return earliest;
    }

    private void copy(Chunk chunk, long untilNanos) throws IOException {
        if (buffer.remaining() < Chunk.BYTES) {
            flush();
        }
        int before = buffer.position();
        chunk.copyTo(buffer, untilNanos, maxBytes - bytes);
        bytes += buffer.position() - before;
    }

    private void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
        buffer.clear();
    }
}
