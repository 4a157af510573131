package org.freshet.channel.socket.nio.request;

import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.loop.LoopTasks;
import org.freshet.channel.socket.nio.loop.ReusableTask;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.request.RequestInbox;

/**
 * What was asked of one server channel, to be carried out on its boss in the order of the requests: other threads leave theirs in
 * the inbox, and before the boss carries out one of its own, it carries out what is in there.
 *
 * <p>Threading: {@link #carryOut} may be called by any thread; everything else belongs to the boss.
 */
public final class ServerRequestQueue extends RequestInbox {
    /** The listening channel, as far as this package knows it. */
    public interface Target {
        /** The boss's. */
        LoopTasks tasks();

        /** Reports a failure; throws nothing. */
        void onRequestFailed(Throwable cause);
    }

    private final Channel channel;
    private final Target target;

    /** Follows a push. */
    private final ReusableTask task = new ReusableTask(this::carryOutAll);

    /** Boss only. The oldest request that was taken from the inbox and not carried out; null if there is none. */
    private ChannelRequest oldest;

    public <C extends Channel & Target> ServerRequestQueue(C channel) {
        this.channel = channel;
        target = channel;
    }

    /** Carries out a request after all that were made before. One that the boss does not get any more is refused. */
    public void carryOut(StateRequest request) {
        if (target.tasks().isCurrentThread()) {
            carryOutAll();
            request.carryOut();
        } else if (push(request) && !task.submitTo(target.tasks())) {
            StateRequest.refuseAll(takeInbox(), UnsentMessage.causeOfClosed(channel));
        }
    }

    /** Also called within a request, when a handler that it calls makes another one: what is left comes first. */
    private void carryOutAll() {
        for (ChannelRequest request = next(); request != null; request = next()) {
            try {
                ((StateRequest) request).carryOut();
            } catch (Throwable t) {
                StateRequest.refuse(request, t);
                target.onRequestFailed(t);
            }
        }
    }

    private ChannelRequest next() {
        if (oldest == null) {
            oldest = takeInbox();
        }
        ChannelRequest request = oldest;
        if (request != null) {
            oldest = request.next;
        }
        return request;
    }
}
