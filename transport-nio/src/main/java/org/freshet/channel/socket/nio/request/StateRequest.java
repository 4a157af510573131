package org.freshet.channel.socket.nio.request;

import org.freshet.channel.ChannelFuture;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.write.OutgoingMessage;

/** A request other than a write. Created by any thread, carried out by the loop. */
public final class StateRequest extends ChannelRequest {
    private final ChannelFuture future;
    private final Runnable action;
    private final boolean isClose;

    private StateRequest(ChannelFuture future, Runnable action, boolean isClose) {
        this.future = future;
        this.action = action;
        this.isClose = isClose;
    }

    /** @param action completes the future, now or later */
    public static StateRequest of(ChannelFuture future, Runnable action) {
        return new StateRequest(future, action, false);
    }

    /** Like {@link #of}, but succeeds when refused, because a channel that refuses requests is closed. */
    public static StateRequest close(ChannelFuture future, Runnable action) {
        return new StateRequest(future, action, true);
    }

    public void carryOut() {
        action.run();
    }

    /** Completes the future of a request that the channel can no longer carry out. */
    public static void refuse(ChannelRequest request, Throwable cause) {
        if (request instanceof OutgoingMessage message) {
            message.complete(cause);
        } else {
            ((StateRequest) request).refuse(cause);
        }
    }

    /**
     * Completes the futures of a list of requests. If one throws an Error, for example out of memory, the others are
     * still completed, and the Error is thrown at the end.
     *
     * @param oldest may be null
     */
    public static void refuseAll(ChannelRequest oldest, Throwable cause) {
        Error failure = null;
        ChannelRequest request = oldest;
        while (request != null) {
            ChannelRequest following = request.next;
            try {
                refuse(request, cause);
            } catch (Error e) {
                failure = e;
            }
            request = following;
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void refuse(Throwable cause) {
        if (isClose) {
            future.setSuccess();
        } else {
            future.setFailure(cause);
        }
    }
}
