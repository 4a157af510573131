package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelFuture;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Carries out requests of one channel, oldest first, until its inbox is empty. Loop only; {@link UnderWay} has the runs of a loop and
 * uses them again.
 *
 * <p>While a run is under way, everything that is asked of the channel goes to the inbox, also by the loop itself: handlers and
 * listeners that make requests during a request are served by the same run, in the order of all requests. Only a handler that awaits a
 * future has the run go on within its call.
 */
final class RequestRun {
    /** Handlers that answer each request with another go on in a task of their own, so that the loop's bound on tasks holds for them. */
    private static final int MAX_ROUNDS = 16;

    /** Awaits within one another. */
    private static final int MAX_AWAITS = 8;

    /** Null while this is not used. */
    private NioChannel channel;

    /** The run within which this one began, of another channel; or null. */
    RequestRun outer;

    /** The oldest request that was taken from the inbox and not carried out; null if there is none. */
    private ChannelRequest rest;

    private int awaits;

    /** Whether the current request has not taken effect, so that nothing may come before that. */
    private boolean isSuspended;

    void begin(NioChannel of, RequestRun within) {
        channel = of;
        outer = within;
    }

    void end() {
        channel = null;
        outer = null;
    }

    boolean isOf(NioChannel other) {
        return channel == other;
    }

    /** Carries out what was asked for and what that leads to; what is left in the inbox after many rounds waits for a task. */
    void drain() {
        for (int round = 0; round < MAX_ROUNDS && take(); round++) {
            carryOutRest();
        }
    }

    /** Does the rest now, for a handler that waits for some of it, unless the current request has to take effect first. */
    void drainForAwait() {
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
        rest = channel.flusher().takeInbox();
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
                channel.flusher().onTaken(message);
            } else {
                ((StateRequest) request).carryOut();
            }
        } catch (Throwable t) {
            refuse(request, t);
            channel.loop().onChannelFailed(channel, t);
        }
    }

    /** Throws nothing, so that the requests behind this one are not lost. */
    private void refuse(ChannelRequest request, Throwable cause) {
        try {
            StateRequest.refuse(request, cause);
        } catch (Throwable t) {
            channel.loop().onChannelFailed(channel, t);
        }
    }

    /** Carries out a request of the loop's own, which needs no place in the inbox. */
    void carryOut(ChannelFuture future, Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            channel.loop().onChannelFailed(channel, t);
            future.setFailure(t);
        }
    }

    /** Runs a part of the current request during which no other request may be carried out, not even for a handler that awaits it. */
    void suspendedDuring(Runnable part) {
        boolean before = isSuspended;
        isSuspended = true;
        try {
            part.run();
        } finally {
            isSuspended = before;
        }
    }
}
