package org.freshet.channel.socket.nio.request;

import org.freshet.channel.ChannelFuture;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Carries out requests of one channel, oldest first, until its inbox is empty. Loop only; {@link RequestRuns} has the runs of a loop and
 * uses them again.
 *
 * <p>While a run is under way, everything that is asked of the channel goes to the inbox, also by the loop itself: handlers and
 * listeners that make requests during a request are served by the same run, in the order of all requests.
 *
 * <p>Two things still nest, because calls do. A handler that awaits a future, as Netty 3 allows, needs what it waits for done before its
 * call returns, so the run goes on within that call; a handler that this calls may await again, which is bounded. And a request of one
 * channel made in a handler of another takes effect before that handler goes on, so a run of the one begins within a run of the other:
 * {@link #outer}. A queue for all channels instead would let an await see its own channel's requests behind those of others.
 */
public final class RequestRun {
    /** Of what a run carries out requests: the channel, as far as this package knows it. */
    public interface Target {
        /** Empties the inbox; returns its oldest request, or null. */
        ChannelRequest takeInbox();

        /** Queues a message that was written. */
        void onTaken(OutgoingMessage message);

        /** Reports a failure and closes the channel; throws nothing. */
        void onRequestFailed(Throwable cause);
    }

    /** Handlers that answer each request with another go on in a task of their own, so that the loop's bound on tasks holds for them. */
    private static final int MAX_ROUNDS = 16;

    /** Awaits within one another. */
    private static final int MAX_AWAITS = 8;

    /** Null while this is not used. */
    private Target target;

    /** The run within which this one began, of another channel; or null. */
    RequestRun outer;

    /** The oldest request that was taken from the inbox and not carried out; null if there is none. */
    private ChannelRequest rest;

    private int awaits;

    /** Whether the current request has not taken effect, so that nothing may come before that. */
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

    /** Carries out what was asked for and what that leads to; what is left in the inbox after many rounds waits for a task. */
    public void drain() {
        for (int round = 0; round < MAX_ROUNDS && take(); round++) {
            carryOutRest();
        }
    }

    /** Does the rest now, for a handler that waits for some of it, unless the current request has to take effect first. */
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

    /** Throws nothing, so that the requests behind this one are not lost. */
    private void refuse(ChannelRequest request, Throwable cause) {
        try {
            StateRequest.refuse(request, cause);
        } catch (Throwable t) {
            target.onRequestFailed(t);
        }
    }

    /** Carries out a request of the loop's own, which needs no place in the inbox. */
    public void carryOut(ChannelFuture future, Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            target.onRequestFailed(t);
            future.setFailure(t);
        }
    }

    /** Runs a part of the current request during which no other request may be carried out, not even for a handler that awaits it. */
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
