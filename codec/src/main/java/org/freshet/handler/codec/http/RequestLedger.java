package org.freshet.handler.codec.http;

/**
 * The requests of one connection that wait for their answers, oldest first, and what each means for its answer.
 *
 * <p>Threading: {@link #add} is for the I/O thread; {@link #oldest} and {@link #answered} are for the thread that writes
 * responses, which may change from one response to the next; the rest is for any thread.
 */
final class RequestLedger {
    /** Its answer has no content. */
    static final int HEAD = 1;

    /** A 2xx to it ends HTTP. */
    static final int CONNECT = 2;

    /** Its answer cannot be framed by chunks, and nothing may be sent ahead of it. */
    static final int HTTP_1_0 = 4;

    /** A 101 to it ends HTTP. */
    static final int UPGRADE = 8;

    private static final int INITIAL_CAPACITY = 8;

    private final int bound;

    /** A ring; replaced by a larger one while nobody reads it, under the lock. */
    private byte[] ring = new byte[INITIAL_CAPACITY];

    private int first;
    private int size;

    RequestLedger(int bound) {
        this.bound = bound;
    }

    synchronized void add(int flags) {
        if (size == ring.length) {
            grow();
        }
        ring[first + size & ring.length - 1] = (byte) flags;
        size++;
    }

    private void grow() {
        byte[] larger = new byte[2 * ring.length];
        for (int i = 0; i < size; i++) {
            larger[i] = ring[first + i & ring.length - 1];
        }
        ring = larger;
        first = 0;
    }

    /** The flags of the request whose answer comes next; 0 if there is none. */
    synchronized int oldest() {
        return size == 0 ? 0 : ring[first];
    }

    synchronized void answered() {
        if (size > 0) {
            first = first + 1 & ring.length - 1;
            size--;
        }
    }

    synchronized int size() {
        return size;
    }

    synchronized boolean isFull() {
        return size >= bound;
    }

    /** Whether so many are answered that it makes sense to read on: a quarter of them. */
    synchronized boolean hasRoom() {
        return size <= bound - (bound + 3) / 4;
    }
}
