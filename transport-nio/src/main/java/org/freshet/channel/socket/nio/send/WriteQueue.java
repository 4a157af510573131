package org.freshet.channel.socket.nio.send;

import java.util.function.Predicate;
import org.freshet.internal.request.RequestInbox;
import org.freshet.internal.write.OutgoingMessage;

/**
 * The messages written to a channel and not sent yet, in order.
 *
 * <pre>
 *   other threads --push--&gt; inbox --takeRequests--&gt; list --remove--&gt; sent or failed
 *   the loop -----------------append--------------&gt;
 * </pre>
 *
 * <p>Threading: any thread may call {@link #push}; the rest is for the owning loop only.
 */
public abstract class WriteQueue extends RequestInbox {
    /**
     * Loop only. The last message of the list, linked to the first: a ring, so an idle channel keeps only one
     * reference. Null while the list is empty.
     */
    private OutgoingMessage last;

    /** Empties the inbox: appends the messages and carries out the other requests, all in order. */
    public abstract void takeRequests();

    /** Called when a message has left the queue: releases its charge. */
    protected abstract void onLeft(OutgoingMessage message);

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

    /** Returns the first message, or null. */
    public final OutgoingMessage peek() {
        return last == null ? null : last.nextMessage();
    }

    /** Returns the message after one that is in the list, or null. */
    final OutgoingMessage following(OutgoingMessage message) {
        return message == last ? null : message.nextMessage();
    }

    /** Removes the first message and releases its charge. The caller completes it. */
    public final OutgoingMessage remove() {
        OutgoingMessage removed = unlink();
        onLeft(removed);
        return removed;
    }

    private OutgoingMessage unlink() {
        OutgoingMessage removed = last.nextMessage();
        if (removed == last) {
            last = null;
        } else {
            last.next = removed.next;
        }
        removed.next = null;
        return removed;
    }

    /**
     * Removes messages and releases their charges. The caller completes them, in this order. Allocates nothing: a
     * message that is in no list would be lost.
     *
     * @param condition never throws
     * @return the first of them, linked to the others; null if none matched
     */
    protected final OutgoingMessage removeIf(Predicate<OutgoingMessage> condition) {
        OutgoingMessage oldest = null;
        OutgoingMessage newest = null;
        OutgoingMessage message = peek();
        OutgoingMessage end = last;
        last = null;
        while (message != null) {
            OutgoingMessage following = message == end ? null : message.nextMessage();
            message.next = null;
            if (!condition.test(message)) {
                append(message);
            } else {
                onLeft(message);
                if (newest == null) {
                    oldest = message;
                } else {
                    newest.next = message;
                }
                newest = message;
            }
            message = following;
        }
        return oldest;
    }
}
