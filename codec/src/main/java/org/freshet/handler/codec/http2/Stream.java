package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;

/**
 * What the connection knows of a stream: number, state, windows, and what it has yet to send. The channel is what handlers
 * know of it.
 *
 * <p>Belongs to the thread of its connection.
 */
final class Stream {
    final StreamChannel channel;
    final long openedAtNanos;

    /** For {@link SendScheduler} alone. */
    boolean isScheduled;

    private int id;
    private StreamState state = StreamState.IDLE;
    private Http2Priority priority = Http2Priority.DEFAULT;

    /** What the peer lets us send; below zero after he has made windows smaller. */
    private long sendWindow;

    /** What we let the peer send. */
    private int receiveWindow;

    /** Octets that were consumed and that the peer was not told of. */
    private int credit;

    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>(1);
    private long queuedBytes;

    Stream(StreamChannel channel, long openedAtNanos) {
        this.channel = channel;
        this.openedAtNanos = openedAtNanos;
    }

    /** @param sendWindow the peer's initial window; {@code receiveWindow} ours */
    void open(int id, long sendWindow, int receiveWindow) {
        this.id = id;
        this.sendWindow = sendWindow;
        this.receiveWindow = receiveWindow;
        state = StreamState.OPEN;
    }

    /** 0 before it is open. */
    int id() {
        return id;
    }

    StreamState state() {
        return state;
    }

    void endLocal() {
        state = state.afterLocalEnd();
    }

    void endRemote() {
        state = state.afterRemoteEnd();
    }

    void close() {
        state = StreamState.CLOSED;
    }

    Http2Priority priority() {
        return priority;
    }

    void setPriority(Http2Priority priority) {
        this.priority = priority;
    }

    // ---- receiving ----

    /** A peer has sent so many octets; returns false if that is more than he may. */
    boolean take(int octets) {
        receiveWindow -= octets;
        return receiveWindow >= 0;
    }

    /**
     * So many octets were consumed.
     *
     * @return what the peer is to be told of now: half a window or more, else 0
     */
    int consume(int octets, int initialWindow) {
        credit += octets;
        if (credit * 2L < initialWindow || !state.isRemoteOpen()) {
            return 0;
        }
        int increment = credit;
        receiveWindow += increment;
        credit = 0;
        return increment;
    }

    // ---- sending ----

    long sendWindow() {
        return sendWindow;
    }

    /** Returns false if the window becomes larger than RFC 9113 6.9.1 allows. */
    boolean addSendWindow(long octets) {
        sendWindow += octets;
        return sendWindow <= Integer.MAX_VALUE;
    }

    ArrayDeque<Outgoing> queue() {
        return queue;
    }

    void enqueue(Outgoing outgoing) {
        queue.add(outgoing);
        queuedBytes += outgoing.pendingBytes();
    }

    /** Octets of memory that wait to be formatted. */
    long queuedBytes() {
        return queuedBytes;
    }

    void dequeued(long octets) {
        queuedBytes -= octets;
    }

    /** Whether there is content that the stream's window lets pass. */
    boolean isSendable() {
        return sendWindow > 0 && !queue.isEmpty() && state.isLocalOpen();
    }

    /** Empties the queue, failing all futures. */
    void failQueue(Throwable cause) {
        for (Outgoing outgoing = queue.poll(); outgoing != null; outgoing = queue.poll()) {
            outgoing.complete(cause);
        }
        queuedBytes = 0;
    }
}
