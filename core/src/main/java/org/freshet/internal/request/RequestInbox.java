package org.freshet.internal.request;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.FieldHandles;

/**
 * Where all threads but the channel's I/O thread leave their requests for the channel, in one order for all kinds of requests.
 *
 * <p>The I/O thread keeps that order if it takes and carries out everything in here before it carries out a request of its own.
 * Requests of one thread then take effect in the order in which that thread made them, and a request that follows from another,
 * on whatever thread, takes effect after it.
 *
 * <p>Threading: {@link #push} and {@link #isInboxEmpty} may be called by any thread; {@link #takeInbox} hands out each request
 * once, whichever thread calls it.
 *
 * <p>A linked stack: a push costs one compare-and-set, an empty inbox one reference. Transports extend the class, so that a
 * channel needs no further object for it.
 */
public class RequestInbox {
    private static final VarHandle NEWEST = FieldHandles.of(MethodHandles.lookup(), "newest", ChannelRequest.class);

    /** Null while the inbox is empty. */
    private volatile ChannelRequest newest;

    protected RequestInbox() {}

    /**
     * Adds a request.
     *
     * @return whether the inbox was empty; only then must the caller notify the I/O thread, for otherwise another caller does
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
