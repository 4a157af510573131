package org.freshet.channel.socket.nio.request;

import org.freshet.channel.Channel;
import org.freshet.channel.socket.nio.loop.LoopTasks;
import org.freshet.channel.socket.nio.loop.ReusableTask;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.request.RequestInbox;

/**
 * The requests of one server channel, carried out on its boss in the order they were made. Other threads leave theirs
 * in the inbox, and before the boss carries out one of its own, it carries out the inbox.
 *
 * <p>Threading: any thread may call {@link #carryOut}; everything else belongs to the boss.
 */
public final class ServerRequestQueue extends RequestInbox {
    /** The listening channel, reduced to the operations needed here. */
    public interface Target {
        /** The boss's tasks. */
        LoopTasks tasks();

        /** Reports a failure. Never throws. */
        void onRequestFailed(Throwable cause);
    }

    private final Channel channel;
    private final Target target;

    /** Submitted after a push. */
    private final ReusableTask task = new ReusableTask(this::carryOutAll);

    /** Boss only. The oldest request taken from the inbox and not carried out, or null. */
    private ChannelRequest oldest;

    public <C extends Channel & Target> ServerRequestQueue(C channel) {
        this.channel = channel;
        target = channel;
    }

    /** Carries out a request after all earlier ones. If the boss has stopped, the request is refused. */
    public void carryOut(StateRequest request) {
        if (target.tasks().isCurrentThread()) {
            carryOutAll();
            request.carryOut();
        } else if (push(request) && !task.submitTo(target.tasks())) {
            StateRequest.refuseAll(takeInbox(), UnsentMessage.causeOfClosed(channel));
        }
    }

    /** Also called within a request, when a handler makes another one: the remaining earlier requests come first. */
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
