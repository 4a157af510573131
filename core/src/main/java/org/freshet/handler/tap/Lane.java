package org.freshet.handler.tap;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.freshet.handler.tap.Flow.Direction;

/**
 * The packets of some connections, made where their bytes arrive and taken by the {@link TapWriter}. All connections of a
 * loop share a lane. Two loops rarely share one, so they don't wait for each other.
 *
 * <p>Any thread may call it. Its lock also guards its flows.
 */
final class Lane {
    private static final byte[] NO_COMMENT = {};

    private final WireTap tap;
    private final ReentrantLock lock = new ReentrantLock();

    /** Chunks without room, oldest first. Guarded by the lock. */
    private final Queue<Chunk> full = new ArrayDeque<>();

    /** The chunk that is being filled; null for none. Guarded by the lock. */
    private Chunk chunk;

    /** When what is being added happened. Guarded by the lock. */
    private long nanos;

    /** Whether the file has ended. Guarded by the lock. */
    private boolean isClosed;

    Lane(WireTap tap) {
        this.tap = tap;
    }

    // ---- for handlers -----------------------------------------------------------------------------------------------

    void begin(Flow flow) {
        lock();
        try {
            hasBegun(flow);
        } finally {
            lock.unlock();
        }
        tap.onAdded();
    }

    /**
     * Adds bytes that were received or sent.
     *
     * @param data not changed
     * @param from index of the first byte
     * @param captured how many bytes there are
     * @param length how many there were; the rest is recorded as missing
     */
    void add(Flow flow, Direction direction, byte[] data, int from, int captured, long length) {
        lock();
        try {
            if (hasBegun(flow)) {
                addSegments(flow, direction, data, from, captured, length);
            } else {
                lose(flow, direction, length);
            }
        } finally {
            lock.unlock();
        }
        tap.onAdded();
    }

    void end(Flow flow, String comment) {
        lock();
        try {
            if (hasBegun(flow)) {
                addEnd(flow, Direction.SENT, comment);
                addEnd(flow, Direction.RECEIVED, null);
            }
        } finally {
            lock.unlock();
        }
        tap.onAdded();
    }

    /** The time is taken with the lock, so the packets of a lane are in the order of their times. */
    private void lock() {
        lock.lock();
        nanos = tap.epochNanos();
    }

    // ---- for the writer ---------------------------------------------------------------------------------------------

    /**
     * Moves all chunks to a list, oldest first.
     *
     * @param isLast whether the lane takes nothing from now on
     */
    void drainTo(Collection<Chunk> chunks, boolean isLast) {
        lock.lock();
        try {
            chunks.addAll(full);
            full.clear();
            if (chunk != null) {
                chunks.add(chunk);
                chunk = null;
            }
            isClosed |= isLast;
        } finally {
            lock.unlock();
        }
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return chunk == null; // without it none is full
        } finally {
            lock.unlock();
        }
    }

    // ---- with the lock ----------------------------------------------------------------------------------------------

    /** Begins a flow that has not begun. Returns false if there is no room for that. */
    private boolean hasBegun(Flow flow) {
        if (flow.beginning() == null) {
            return true;
        }
        byte[] comment = PcapNg.comment(flow.beginning());
        if (!hasRoom(3 * PcapNg.blockBytes(flow.headerBytes(), comment))) {
            return false;
        }
        flow.onBegun();
        put(flow, flow.opener(), Flow.SYN, 0, 0, comment);
        put(flow, flow.opener().other(), Flow.SYN | Flow.ACK, 0, 0, NO_COMMENT);
        put(flow, flow.opener(), Flow.ACK, 0, 0, NO_COMMENT);
        return true;
    }

    private void addSegments(Flow flow, Direction direction, byte[] data, int from, int captured, long length) {
        for (long at = 0; at < length; at += Flow.MAX_SEGMENT_BYTES) {
            int segment = (int) Math.min(Flow.MAX_SEGMENT_BYTES, length - at);
            int piece = (int) Math.max(0, Math.min(segment, captured - at));
            byte[] comment = lossComment(flow, direction, null);
            if (!hasRoom(PcapNg.blockBytes(flow.headerBytes() + piece, comment))) {
                lose(flow, direction, length - at);
                return;
            }
            flow.skipLost(direction);
            if (piece > 0) {
                copy(flow, direction, data, from + (int) at, piece);
            }
            put(flow, direction, Flow.PSH | Flow.ACK, piece, segment, comment);
        }
        if (captured < length) {
            flow.mask(direction).onGap();
        }
    }

    /** If there is no room, the connection has no end in the file. */
    private void addEnd(Flow flow, Direction direction, String comment) {
        byte[] text = lossComment(flow, direction, comment);
        if (hasRoom(PcapNg.blockBytes(flow.headerBytes(), text))) {
            flow.skipLost(direction);
            put(flow, direction, Flow.FIN | Flow.ACK, 0, 0, text);
        }
    }

    private static byte[] lossComment(Flow flow, Direction direction, String comment) {
        long lost = flow.lost(direction);
        if (lost == 0) {
            return comment == null ? NO_COMMENT : PcapNg.comment(comment);
        }
        return PcapNg.comment(
                lost + " bytes before this packet were not recorded" + (comment == null ? "" : "; " + comment));
    }

    private void lose(Flow flow, Direction direction, long bytes) {
        flow.addLost(direction, bytes);
        tap.onLost(bytes);
    }

    /** Returns whether a block fits into the chunk, or into another. */
    private boolean hasRoom(int blockBytes) {
        if (isClosed) {
            return false;
        }
        if (chunk != null && chunk.hasRoom(blockBytes)) {
            return true;
        }
        Chunk next = tap.chunks().take();
        if (next == null) {
            return false;
        }
        if (chunk != null) {
            full.add(chunk);
        }
        chunk = next;
        return true;
    }

    /** Copies the data of the next packet to its place, and masks it. */
    private void copy(Flow flow, Direction direction, byte[] data, int from, int length) {
        int at = chunk.end() + PcapNg.PACKET_AT + flow.headerBytes();
        System.arraycopy(data, from, chunk.bytes(), at, length);
        flow.mask(direction).apply(chunk.bytes(), at, at + length);
    }

    /** Puts a packet around its data. There must be room. */
    private void put(Flow flow, Direction direction, int flags, int captured, int length, byte[] comment) {
        byte[] out = chunk.bytes();
        int at = chunk.end();
        int headers = flow.headerBytes();
        flow.putHeaders(out, at + PcapNg.PACKET_AT, direction, flags, captured, length);
        PcapNg.putBlock(out, at, nanos, headers + captured, headers + length, comment);
        chunk.onPut(PcapNg.blockBytes(headers + captured, comment), nanos);
    }
}
