package org.freshet.handler.codec.http2;

/**
 * What the connection knows of a stream: number, state, windows, and what it has yet to send. The channel is what handlers
 * know of it.
 *
 * <p>Belongs to the thread of its connection.
 */
final class Stream {
    final StreamChannel channel;

    /** In periods of {@link AbuseGuard}, which take half the room of nanoseconds. */
    final int openedAt;

    /** For {@link SendScheduler} alone. */
    boolean isScheduled;

    /** Of the request, as {@link FieldCollector} measures them; counted until the channel ends. For {@link OpenFields} alone. */
    private int fieldOctets;

    private int id;
    private StreamState state = StreamState.IDLE;
    private Http2Priority priority = Http2Priority.DEFAULT;

    /** Whether this side has set the priority. */
    private boolean statesPriority;

    /** What the peer lets us send; below zero after he has made windows smaller. */
    private int sendWindow;

    /** What we let the peer send. */
    private int receiveWindow;

    /** Octets that were consumed and that the peer was not told of. */
    private int credit;

    /** Octets that arrived and that handlers have not seen. For {@link Credit} alone. */
    int held;

    /** The last of those that wait to be formatted; the first is behind it. Null if none waits. */
    private Outgoing last;

    /** Octets of content that were sent since the peer was last found to take some; no more than {@code PROGRESS}. */
    private int progress;

    /** How often it was found to take none, since then. */
    private short stalls;

    Stream(StreamChannel channel, int openedAt) {
        this.channel = channel;
        this.openedAt = openedAt;
    }

    /** @param sendWindow the peer's initial window; {@code receiveWindow} ours */
    void open(int id, int sendWindow, int receiveWindow) {
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

    void statePriority() {
        statesPriority = true;
    }

    boolean statesPriority() {
        return statesPriority;
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

    /** Returns false if the window becomes larger than RFC 9113 6.9.1 allows. */
    boolean addSendWindow(long octets) {
        long sum = sendWindow + octets;
        sendWindow = (int) Math.min(sum, Integer.MAX_VALUE);
        return sum <= Integer.MAX_VALUE;
    }

    /** The first of those that wait, or null; {@link Outgoing#next} of the last is the first again. */
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

    /** Removes the first of those that wait. */
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

    /** Returns how often in a row content was waiting for a window, and none to speak of was sent. */
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

    /** Whether there is content that the stream's window lets pass. */
    boolean isSendable() {
        return sendWindow > 0 && last != null && state.isLocalOpen();
    }

    /** Empties the queue, failing all futures. */
    void failQueue(Throwable cause) {
        while (last != null) {
            dequeue().complete(cause);
        }
    }
}
