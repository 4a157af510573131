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

    /** The client ends the connection after its answer. */
    static final int CLOSE = 16;

    private static final int INITIAL_CAPACITY = 8;

    private final int bound;

    /** Flags of the oldest request; 0 if there is none. */
    private byte oldest;

    /** A ring of the flags of those behind it; null until there were two requests at once. */
    private byte[] later;

    /** Where {@link #later} begins. */
    private int first;

    /** Of all requests. */
    private int size;

    RequestLedger(int bound) {
        this.bound = bound;
    }

    synchronized void add(int flags) {
        if (size == 0) {
            oldest = (byte) flags;
        } else {
            addLater((byte) flags, size - 1);
        }
        size++;
    }

    private void addLater(byte flags, int behind) {
        if (later == null) {
            later = new byte[INITIAL_CAPACITY];
        } else if (behind == later.length) {
            grow();
        }
        later[first + behind & later.length - 1] = flags;
    }

    private void grow() {
        byte[] larger = new byte[2 * later.length];
        for (int i = 0; i < later.length; i++) {
            larger[i] = later[first + i & later.length - 1];
        }
        later = larger;
        first = 0;
    }

    /** The flags of the request whose answer comes next; 0 if there is none. */
    synchronized int oldest() {
        return oldest;
    }

    /** Whether there is a request whose answer comes next, and its client goes on after it. */
    synchronized boolean isOldestKept() {
        return size > 0 && (oldest & CLOSE) == 0;
    }

    synchronized void answered() {
        if (size > 1) {
            oldest = later[first];
            first = first + 1 & later.length - 1;
        } else {
            oldest = 0;
        }
        size = Math.max(0, size - 1);
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
