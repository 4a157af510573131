package org.freshet.channel.socket.nio;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a channel has been asked to write and has not sent yet, in order, and how many bytes that is.
 *
 * <p>Two parts: the loop's own list, and an inbox where other threads push. The inbox is a stack, so a push is one
 * compare-and-set; the loop takes it whole and turns it round. The loop empties the inbox before it appends itself, which
 * keeps the order of writes that a thread makes first from elsewhere and then, by way of an event, from the loop.
 *
 * <pre>
 *   other threads --push--&gt; inbox --takeInbox--&gt; list --remove--&gt; sent or failed
 *   the loop ---------------append--------------&gt;
 * </pre>
 *
 * <p>Threading: {@link #push}, {@link #addPending} and {@link #pendingBytes} may be called by any thread, the rest by the
 * owning loop alone (or by anybody once that loop has stopped: {@link #takeStranded}).
 */
final class WriteQueue {
    private static final VarHandle INBOX;
    private static final VarHandle PENDING_BYTES;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(WriteQueue.class, "inbox", WriteRequest.class);
            PENDING_BYTES = lookup.findVarHandle(WriteQueue.class, "pendingBytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Loop only. The oldest request. */
    private WriteRequest head;

    /** Loop only. The youngest request that has left the inbox. */
    private WriteRequest tail;

    /** The youngest request of the inbox; each one's {@code next} is the one that came before it. */
    @SuppressWarnings("unused") // through INBOX
    private volatile WriteRequest inbox;

    /** Bytes of memory that requests hold, the inbox included. */
    private volatile long pendingBytes;

    // ---- any thread

    void push(WriteRequest request) {
        WriteRequest youngest;
        do {
            youngest = inbox;
            request.next = youngest;
        } while (!INBOX.compareAndSet(this, youngest, request));
    }

    /** Counts a request before it is queued; returns the new sum. */
    long addPending(long bytes) {
        return (long) PENDING_BYTES.getAndAdd(this, bytes) + bytes;
    }

    long pendingBytes() {
        return pendingBytes;
    }

    // ---- loop only

    void append(WriteRequest request) {
        takeInbox();
        link(request);
    }

    /** Moves what other threads pushed into the list, oldest first. */
    void takeInbox() {
        if (inbox == null) {
            return;
        }
        WriteRequest request = reversed((WriteRequest) INBOX.getAndSet(this, null));
        while (request != null) {
            WriteRequest following = request.next;
            request.next = null;
            link(request);
            request = following;
        }
    }

    WriteRequest peek() {
        return head;
    }

    boolean isEmpty() {
        return head == null && inbox == null;
    }

    /** Removes the oldest request and stops counting it; the caller completes it. */
    WriteRequest remove() {
        WriteRequest removed = head;
        head = removed.next;
        if (head == null) {
            tail = null;
        }
        removed.next = null;
        PENDING_BYTES.getAndAdd(this, -removed.pendingBytes());
        return removed;
    }

    private void link(WriteRequest request) {
        if (tail == null) {
            head = request;
        } else {
            tail.next = request;
        }
        tail = request;
    }

    // ---- when the loop is gone

    /** Takes what was pushed after the loop's last look, oldest first; each request is handed out once. */
    WriteRequest takeStranded() {
        return reversed((WriteRequest) INBOX.getAndSet(this, null));
    }

    private static WriteRequest reversed(WriteRequest youngest) {
        WriteRequest oldest = null;
        while (youngest != null) {
            WriteRequest earlier = youngest.next;
            youngest.next = oldest;
            oldest = youngest;
            youngest = earlier;
        }
        return oldest;
    }
}
