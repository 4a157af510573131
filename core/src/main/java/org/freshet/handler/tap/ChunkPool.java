package org.freshet.handler.tap;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** The memory of a tap: limits it, and keeps some chunks for later. Any thread may call it. */
final class ChunkPool {
    /** As many as are filled in two turns of the writer by 100,000 messages of 1 KiB a second that come and go. */
    private static final int MAX_IDLE = 32;

    private final int maxChunks;
    private final Supplier<Chunk> maker;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Deque<Chunk> idle = new ArrayDeque<>();

    /** The number of chunks that wait for the file. Guarded by the lock. */
    private int used;

    ChunkPool(int maxBytes, Supplier<Chunk> maker) {
        maxChunks = maxBytes / Chunk.BYTES;
        this.maker = maker;
    }

    /** Returns null if too many chunks are in use, or if there is no memory for another: no handler may miss an event because of a tap. */
    Chunk take() {
        lock.lock();
        try {
            if (used == maxChunks) {
                return null;
            }
            Chunk chunk = idle.poll();
            if (chunk == null) {
                chunk = maker.get();
            }
            used++;
            return chunk;
        } catch (OutOfMemoryError full) {
            return null;
        } finally {
            lock.unlock();
        }
    }

    void giveBack(Chunk chunk) {
        chunk.clear();
        lock.lock();
        try {
            used--;
            if (idle.size() < MAX_IDLE) {
                idle.push(chunk);
            }
        } finally {
            lock.unlock();
        }
    }
}
