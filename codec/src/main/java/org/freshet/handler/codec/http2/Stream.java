package org.freshet.handler.codec.http2;

/**
 * The connection's view of a stream: number, state, windows, and queued output. {@link StreamChannel} is the handlers' view.
 *
 * <p>Belongs to its connection's thread.
 */
final class Stream {
    final StreamChannel channel;

    /** In periods of {@link AbuseGuard}, which need half the space of nanoseconds. */
    final int openedAt;

    /** Used by {@link SendScheduler} only. */
    boolean isScheduled;

    /**
     * Size of the request's fields as measured by {@link FieldCollector}; counted until the channel ends. Used by
     * {@link OpenFields} only.
     */
    private int fieldOctets;

    private int id;
    private StreamState state = StreamState.IDLE;
    private Http2Priority priority = Http2Priority.DEFAULT;

    /** Whether this side has set the priority. */
    private boolean isPrioritySet;

    /** Octets the peer lets us send; negative after the peer has made its windows smaller. */
    private int sendWindow;

    /** Octets we let the peer send. */
    private int receiveWindow;

    /** Octets consumed for which no window update was sent yet. */
    private int credit;

    /** Octets that have arrived but that no handler has seen. Used by {@link Credit} only. */
    int held;

    /** The last entry of a circular queue of messages to format; its next is the first. Null if the queue is empty. */
    private Outgoing last;

    /** Octets of content sent since the last check that found progress; at most {@code PROGRESS}. */
    private int progress;

    /** Checks without progress since then. */
    private short stalls;

    Stream(StreamChannel channel, int openedAt) {
        this.channel = channel;
        this.openedAt = openedAt;
    }

    /** Opens the stream; see {@link #number}. */
    void open(int id, int sendWindow, int receiveWindow) {
        number(id, sendWindow, receiveWindow);
        state = StreamState.OPEN;
    }

    /**
     * Gives the stream its number. It stays idle until the head of its request is sent.
     *
     * @param sendWindow the peer's initial window
     * @param receiveWindow our initial window
     */
    void number(int id, int sendWindow, int receiveWindow) {
        this.id = id;
        this.sendWindow = sendWindow;
        this.receiveWindow = receiveWindow;
    }

    /** A head has been written. The first one of a request opens the stream. */
    void onHeadSent() {
        if (state == StreamState.IDLE) {
            state = StreamState.OPEN;
        }
    }

    /** 0 until the stream has a number. */
    int id() {
        return id;
    }

    StreamState state() {
        return state;
    }

    int fieldOctets() {
        return fieldOctets;
    }

    void setFieldOctets(int fieldOctets) {
        this.fieldOctets = fieldOctets;
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

    void markPrioritySet() {
        isPrioritySet = true;
    }

    boolean isPrioritySet() {
        return isPrioritySet;
    }

    // ---- receiving ----

    /** The peer has sent this many octets. Returns false if they exceed the window. */
    boolean take(int octets) {
        receiveWindow -= octets;
        return receiveWindow >= 0;
    }

    /**
     * Handlers have consumed this many octets.
     *
     * @return the window update to send now: half a window or more, or 0 for none
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

    int receiveWindow() {
        return receiveWindow;
    }

    /** The peer may send more. */
    void addReceiveWindow(int octets) {
        receiveWindow = (int) Math.min(Integer.MAX_VALUE, (long) receiveWindow + octets);
    }

    // ---- sending ----

    int sendWindow() {
        return sendWindow;
    }

    /** Returns false if the window exceeds the limit of RFC 9113 6.9.1. */
    boolean addSendWindow(long octets) {
        long sum = sendWindow + octets;
        sendWindow = (int) Math.min(sum, Integer.MAX_VALUE);
        return sum <= Integer.MAX_VALUE;
    }

    /** The first message in the queue, or null; {@link Outgoing#next} of the last is the first again. */
    Outgoing first() {
        return last == null ? null : last.next;
    }

    boolean isLast(Outgoing outgoing) {
        return outgoing == last;
    }

    void enqueue(Outgoing outgoing) {
        if (last == null) {
            outgoing.next = outgoing;
        } else {
            outgoing.next = last.next;
            last.next = outgoing;
        }
        last = outgoing;
    }

    /** Removes the first message from the queue. */
    Outgoing dequeue() {
        Outgoing first = last.next;
        if (first == last) {
            last = null;
        } else {
            last.next = first.next;
        }
        first.next = null;
        return first;
    }

    void onSent(int octets) {
        progress = Math.min(ConnectionDeadlines.PROGRESS, progress + octets);
    }

    /** Returns the number of consecutive checks in which content waited for a window, and almost none was sent. */
    int checkStall(boolean isConnectionHeld) {
        boolean isHeld = last != null && state.isLocalOpen() && (sendWindow <= 0 || isConnectionHeld);
        if (!isHeld || progress == ConnectionDeadlines.PROGRESS) {
            stalls = 0;
            progress = 0;
        } else {
            stalls++;
        }
        return stalls;
    }

    /** Whether there is content that the stream's window allows. */
    boolean isSendable() {
        return sendWindow > 0 && last != null && state.isLocalOpen();
    }

    /** Empties the queue, failing all futures. May be repeated: if memory runs out, the rest stays queued. */
    void failQueue(Throwable cause) {
        for (Outgoing each = first(); each != null; each = first()) {
            each.fail(cause);
            if (first() == each) { // its listener may have emptied the queue
                dequeue();
            }
        }
    }
}
