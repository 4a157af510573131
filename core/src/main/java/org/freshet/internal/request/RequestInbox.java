package org.freshet.internal.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Holds the requests for a channel made on threads other than its I/O thread, in one order for all kinds of requests.
 *
 * <p>The I/O thread keeps that order if it takes and carries out everything in here before it carries out a request of its own. Requests of
 * one thread then take effect in the order in which that thread made them, and a request that follows from another one, on any thread,
 * takes effect after it.
 *
 * <p>Threading: any thread may call {@link #push} and {@link #isInboxEmpty}; {@link #takeInbox} returns each request once, whichever thread
 * calls it.
 *
 * <p>A linked stack: a push costs one compare-and-set, an empty inbox one reference. Transports extend this class, so that a channel
 * doesn't need a separate object.
 */
public class RequestInbox {
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(RequestInbox.class, "newest", ChannelRequest.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Null while the inbox is empty. */
    private volatile ChannelRequest newest;

    protected RequestInbox() {}

    /**
     * Adds a request.
     *
     * @return whether the inbox was empty. Only then must the caller notify the I/O thread; otherwise another caller does.
     */
    public final boolean push(ChannelRequest request) {
        ChannelRequest earlier;
        do {
            earlier = newest;
            request.next = earlier;
        } while (!NEWEST.compareAndSet(this, earlier, request));
        return earlier == null;
    }

    public final boolean isInboxEmpty() {
        return newest == null;
    }

    /** Empties the inbox; returns its oldest request, linked to the others in the order of their pushes, or null. */
    public final ChannelRequest takeInbox() {
        return newest == null ? null : oldestFirst((ChannelRequest) NEWEST.getAndSet(this, null));
    }

    private static ChannelRequest oldestFirst(ChannelRequest newest) {
        ChannelRequest oldest = null;
        ChannelRequest request = newest;
        while (request != null) {
            ChannelRequest earlier = request.next;
            request.next = oldest;
            oldest = request;
            request = earlier;
        }
        return oldest;
    }
}
