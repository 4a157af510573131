package org.freshet.channel.socket.nio;

import org.freshet.channel.Channel;
import org.freshet.internal.transport.LifecycleEvents;

/**
 * The steps that follow the close of a channel's socket, in order. Loop only.
 *
 * <p>An Error, for example when memory runs out, may interrupt a step; the loop then calls {@link #resume} again. Steps
 * before the events are then repeated. Events are not, because handlers may have seen them; unless memory ran out
 * before the event existed.
 */
final class CloseSequence {
    private final LifecycleEvents events;
    private final Runnable endRequests;
    private boolean haveRequestsEnded;

    /** True while a step runs: a listener or handler that it calls may request the close again. */
    private boolean isUnderWay;

    /**
     * @param endRequests ends the channel's pending requests and then completes the close future, so a completed close
     *     leaves nothing undone; may be called again
     */
    CloseSequence(Channel channel, Runnable endRequests, boolean wasConnected, boolean wasBound) {
        events = LifecycleEvents.closing(channel, wasConnected, wasBound);
        this.endRequests = endRequests;
    }

    /** Does the remaining steps, unless they are already running. */
    void resume() {
        if (isUnderWay) {
            return;
        }
        isUnderWay = true;
        try {
            if (!haveRequestsEnded) {
                endRequests.run();
                haveRequestsEnded = true;
            }
            events.closed();
        } finally {
            isUnderWay = false;
        }
    }
}
