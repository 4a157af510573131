package org.freshet.channel.socket.nio.send;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.freshet.internal.transport.OutgoingMessage;
import org.freshet.internal.transport.RequestInbox;
import org.freshet.internal.transport.WriteLimit;

/**
 * The messages that a channel has been asked to write and has not sent yet, in order, and how many bytes that is.
 *
 * <pre>
 *   other threads --push--&gt; inbox --takeRequests--&gt; list --remove--&gt; sent or failed
 *   the loop -----------------append--------------&gt;
 * </pre>
 *
 * <p>Threading: {@link #push}, {@link #addPending} and {@link #pendingBytes} may be called by any thread, the rest by the
 * owning loop alone.
 */
public abstract class WriteQueue extends RequestInbox {
    private static final VarHandle PENDING_BYTES;

    static {
        try {
            PENDING_BYTES = MethodHandles.lookup().findVarHandle(WriteQueue.class, "pendingBytes", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Loop only. The last message of the list, linked to the first: a ring, so that an idle channel keeps one reference. Null while
     * the list is empty.
     */
    private OutgoingMessage last;

    /** Bytes of memory that messages hold, those in the inbox included. */
    private volatile long pendingBytes;

    /** Takes what is in the inbox: appends the messages and carries the other requests out, all in order. */
    public abstract void takeRequests();

    /** Counts a message before it is queued; returns the new sum. */
    protected final long addPending(long bytes) {
        return (long) PENDING_BYTES.getAndAdd(this, bytes) + bytes;
    }

    protected final long pendingBytes() {
        return pendingBytes;
    }

    /** Counts a message if there is room for it. */
    protected final boolean tryAddPending(long bytes, int limitBytes) {
        long before = pendingBytes;
        while (WriteLimit.hasRoom(limitBytes, before, bytes)) {
            if (PENDING_BYTES.compareAndSet(this, before, before + bytes)) {
                return true;
            }
            before = pendingBytes;
        }
        return false;
    }

    protected final void append(OutgoingMessage message) {
        if (last == null) {
            message.next = message;
        } else {
            message.next = last.next;
            last.next = message;
        }
        last = message;
    }

    public final boolean isEmpty() {
        return last == null;
    }

    /** The first message, or null. */
    public final OutgoingMessage peek() {
        return last == null ? null : last.nextMessage();
    }

    /** The message behind one that is in the list, or null. */
    final OutgoingMessage following(OutgoingMessage message) {
        return message == last ? null : message.nextMessage();
    }

    /** Removes the first message and stops counting it; the caller completes it. */
    public final OutgoingMessage remove() {
        OutgoingMessage removed = last.nextMessage();
        if (removed == last) {
            last = null;
        } else {
            last.next = removed.next;
        }
        removed.next = null;
        stopCounting(removed);
        return removed;
    }

    /** Removes messages and stops counting them; the caller completes them, in this order. */
    protected final List<OutgoingMessage> removeIf(Predicate<OutgoingMessage> condition) {
        List<OutgoingMessage> removed = new ArrayList<>();
        OutgoingMessage end = last;
        for (OutgoingMessage message = null; message != end; ) {
            message = remove();
            if (condition.test(message)) {
                removed.add(message);
            } else {
                addPending(message.pendingBytes());
                append(message);
            }
        }
        return removed;
    }

    /** For a message that was counted and is not to be queued any more. */
    protected final void stopCounting(OutgoingMessage message) {
        PENDING_BYTES.getAndAdd(this, -message.pendingBytes());
    }
}
