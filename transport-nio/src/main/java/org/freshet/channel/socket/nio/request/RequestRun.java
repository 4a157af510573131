package org.freshet.channel.socket.nio.request;

import org.freshet.channel.ChannelFuture;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Carries out requests of one channel, oldest first, until its inbox is empty. Loop only. {@link RequestRuns} holds the
 * runs of a loop and reuses them.
 *
 * <p>During a run, every request for the channel goes to the inbox, even if the loop itself makes it: requests that
 * handlers and listeners make during a request are served by the same run, in the order of all requests.
 *
 * <p>Two things still nest, because calls do. First, a handler that awaits a future, as Netty 3 allows, needs the
 * operation done before its call returns, so the run continues within that call. A handler called from there may await
 * again; this nesting is limited. Second, a request of one channel made in a handler of another takes effect before
 * that handler continues, so a run of one begins within a run of the other: {@link #outer}. With a single queue for all
 * channels, an await would find its own channel's requests queued after those of others.
 */
public final class RequestRun {
    /** The channel whose requests a run carries out, reduced to the operations needed here. */
    public interface Target {
        /** Empties the inbox. Returns its oldest request, or null. */
        ChannelRequest takeInbox();

        /** Queues a written message. */
        void onTaken(OutgoingMessage message);

        /** Reports a failure and closes the channel. Never throws. */
        void onRequestFailed(Throwable cause);
    }

    /**
     * If handlers answer each request with another, the rest continues in a separate task, so the loop's limit on tasks
     * applies.
     */
    private static final int MAX_ROUNDS = 16;

    /** Maximum depth of nested awaits. */
    private static final int MAX_AWAITS = 8;

    /** Null while this is unused. */
    private Target target;

    /** The run of another channel within which this one began, or null. */
    RequestRun outer;

    /** The oldest request taken from the inbox and not carried out, or null. */
    private ChannelRequest rest;

    private int awaits;

    /** Whether the current request has yet to take effect, and no other may come before that. */
    private boolean isSuspended;

    void begin(Target of, RequestRun within) {
        target = of;
        outer = within;
    }

    void end() {
        target = null;
        outer = null;
    }

    boolean isOf(Target other) {
        return target == other;
    }

    /**
     * Carries out pending requests and those they lead to. After many rounds, the rest of the inbox waits for a task.
     */
    public void drain() {
        for (int round = 0; round < MAX_ROUNDS && take(); round++) {
            carryOutRest();
        }
    }

    /**
     * Carries out the rest now, for a handler that waits for some of it, unless the current request must take effect
     * first.
     */
    public void drainForAwait() {
        if (isSuspended || awaits == MAX_AWAITS) {
            return;
        }
        awaits++;
        try {
            carryOutRest();
            drain();
        } finally {
            awaits--;
        }
    }

    private boolean take() {
        rest = target.takeInbox();
        return rest != null;
    }

    private void carryOutRest() {
        while (rest != null) {
            ChannelRequest request = rest;
            rest = request.next;
            request.next = null;
            carryOut(request);
        }
    }

    private void carryOut(ChannelRequest request) {
        try {
            if (request instanceof OutgoingMessage message) {
                target.onTaken(message);
            } else {
                ((StateRequest) request).carryOut();
            }
        } catch (Throwable t) {
            refuse(request, t);
            target.onRequestFailed(t);
        }
    }

    /** Never throws, so the requests after this one are not lost. */
    private void refuse(ChannelRequest request, Throwable cause) {
        try {
            StateRequest.refuse(request, cause);
        } catch (Throwable t) {
            target.onRequestFailed(t);
        }
    }

    /** Carries out a request of the loop's own. It needs no place in the inbox. */
    public void carryOut(ChannelFuture future, Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            target.onRequestFailed(t);
            future.setFailure(t);
        }
    }

    /**
     * Runs a part of the current request during which no other request may be carried out, even for a handler that
     * awaits it.
     */
    public void suspendedDuring(Runnable part) {
        boolean before = isSuspended;
        isSuspended = true;
        try {
            part.run();
        } finally {
            isSuspended = before;
        }
    }
}
