package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelClosed;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelUnbound;

/**
 * What follows the close of a channel's socket, in order. Loop only.
 *
 * <p>An Error, such as for want of memory, may interrupt a step; the loop then calls {@link #resume} again. The steps before the close
 * future is complete are then repeated; an event is not, for handlers may have seen it.
 */
final class CloseSequence {
    /** The next one to be done. */
    private enum Step {
        FAIL_WRITES,
        REFUSE_REQUESTS,
        COMPLETE_CLOSE_FUTURE,
        FIRE_DISCONNECTED,
        FIRE_UNBOUND,
        FIRE_CLOSED,
        DONE
    }

    private final NioChannel channel;
    private final boolean wasConnected;
    private final boolean wasBound;
    private Step step = Step.FAIL_WRITES;

    /** Whether a listener or handler that a step calls asks for the close again. */
    private boolean isUnderWay;

    CloseSequence(NioChannel channel, boolean wasConnected, boolean wasBound) {
        this.channel = channel;
        this.wasConnected = wasConnected;
        this.wasBound = wasBound;
    }

    /** Does what is left, unless it is being done. */
    void resume() {
        if (isUnderWay) {
            return;
        }
        isUnderWay = true;
        try {
            endRequests();
            fireEvents();
        } finally {
            isUnderWay = false;
        }
    }

    /** First, so that a close that is done has left nothing undone. */
    private void endRequests() {
        if (step == Step.FAIL_WRITES) {
            channel.flusher().onClosed();
            step = Step.REFUSE_REQUESTS;
        }
        if (step == Step.REFUSE_REQUESTS) {
            channel.onRequests();
            step = Step.COMPLETE_CLOSE_FUTURE;
        }
        if (step == Step.COMPLETE_CLOSE_FUTURE) {
            channel.completeCloseFuture();
            step = Step.FIRE_DISCONNECTED;
        }
    }

    private void fireEvents() {
        if (step == Step.FIRE_DISCONNECTED) {
            step = Step.FIRE_UNBOUND;
            if (wasConnected) {
                fireChannelDisconnected(channel);
            }
        }
        if (step == Step.FIRE_UNBOUND) {
            step = Step.FIRE_CLOSED;
            if (wasBound) {
                fireChannelUnbound(channel);
            }
        }
        if (step == Step.FIRE_CLOSED) {
            step = Step.DONE;
            fireChannelClosed(channel);
        }
    }
}
