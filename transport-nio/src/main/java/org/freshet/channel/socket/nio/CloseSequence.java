package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelClosed;
import static org.freshet.channel.Channels.fireChannelDisconnected;
import static org.freshet.channel.Channels.fireChannelUnbound;

import org.freshet.channel.Channel;

/**
 * The steps that follow the close of a channel's socket, in order. Loop only.
 *
 * <p>An Error, for example when memory runs out, may interrupt a step; the loop then calls {@link #resume} again. Steps
 * before the events are then repeated. Events are not, because handlers may have seen them.
 */
final class CloseSequence {
    /** The next step to do. */
    private enum Step {
        END_REQUESTS,
        FIRE_DISCONNECTED,
        FIRE_UNBOUND,
        FIRE_CLOSED,
        DONE
    }

    private final Channel channel;
    private final Runnable endRequests;
    private final boolean wasConnected;
    private final boolean wasBound;
    private Step step = Step.END_REQUESTS;

    /** True while a step runs: a listener or handler that it calls may request the close again. */
    private boolean isUnderWay;

    /**
     * @param endRequests ends the channel's pending requests and then completes the close future, so a completed close
     *     leaves nothing undone; may be called again
     */
    CloseSequence(Channel channel, Runnable endRequests, boolean wasConnected, boolean wasBound) {
        this.channel = channel;
        this.endRequests = endRequests;
        this.wasConnected = wasConnected;
        this.wasBound = wasBound;
    }

    /** Does the remaining steps, unless they are already running. */
    void resume() {
        if (isUnderWay) {
            return;
        }
        isUnderWay = true;
        try {
            if (step == Step.END_REQUESTS) {
                endRequests.run();
                step = Step.FIRE_DISCONNECTED;
            }
            fireEvents();
        } finally {
            isUnderWay = false;
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
