package org.freshet.channel.socket.nio;

import org.freshet.internal.transport.ChannelRequest;
import org.freshet.internal.transport.OutgoingMessage;

/**
 * The requests that a loop has taken from a channel's inbox and not yet carried out. Loop only; exists only while the loop
 * carries them out, and the loop knows it by its {@link Nesting}.
 *
 * <p>A handler of an event that one of them caused may make further requests of the channel. The rest of these then comes
 * first: it is carried out within that handler's call, or, if calls are nested too deeply already, the handler's request is put
 * behind it.
 */
final class RequestRun {
    private static final int MAX_NESTED_RUNS = 8;

    private final NioChannel channel;

    /** The run within which this one began, of whichever channel; or null. */
    final RequestRun outer;

    /** The oldest request that is not carried out. */
    private ChannelRequest rest;

    private int nestedRuns;

    /** Whether the request that is being carried out has not taken effect, so that nothing may come before that. */
    private boolean isSuspended;

    private RequestRun(NioChannel channel, ChannelRequest oldest, RequestRun outer) {
        this.channel = channel;
        this.outer = outer;
        rest = oldest;
    }

    /** Carries out requests that are in no list any more, oldest first. */
    static void carryOut(NioChannel channel, ChannelRequest oldest) {
        Nesting nesting = channel.loop().nesting();
        RequestRun run = nesting.beginRun(begin(channel, oldest, nesting));
        try {
            run.finish();
        } finally {
            nesting.endRun(run);
        }
    }

    /** Without memory for it the requests are refused; the caller's failure closes the channel. */
    private static RequestRun begin(NioChannel channel, ChannelRequest oldest, Nesting nesting) {
        try {
            return new RequestRun(channel, oldest, nesting.innermost());
        } catch (OutOfMemoryError e) {
            StateRequest.refuseAll(oldest, e);
            throw e;
        }
    }

    boolean isOf(NioChannel other) {
        return channel == other;
    }

    /** Carries out what is left; returns false if that has to wait for the request that is being carried out. */
    boolean finish() {
        if (isSuspended) {
            return false;
        }
        if (nestedRuns == MAX_NESTED_RUNS) {
            return rest == null;
        }
        nestedRuns++;
        try {
            while (rest != null) {
                ChannelRequest request = rest;
                rest = request.next;
                request.next = null;
                carryOut(request);
            }
        } finally {
            nestedRuns--;
        }
        return true;
    }

    private void carryOut(ChannelRequest request) {
        try {
            if (request instanceof OutgoingMessage message) {
                channel.onTaken(message);
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

    /** Runs a part of the current request during which no other request may be carried out. */
    void suspendedDuring(Runnable part) {
        boolean before = isSuspended;
        isSuspended = true;
        try {
            part.run();
        } finally {
            isSuspended = before;
        }
    }

    /** Puts a request behind the rest. */
    void add(ChannelRequest request) {
        if (rest == null) {
            rest = request;
            return;
        }
        ChannelRequest last = rest;
        while (last.next != null) {
            last = last.next;
        }
        last.next = request;
    }
}
