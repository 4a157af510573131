package org.freshet.channel.socket.nio;

import org.freshet.channel.ChannelClosedException;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.request.RequestInbox;

/**
 * What was asked of one server channel, to be carried out on its boss in the order of the requests: other threads leave theirs in
 * the inbox, and before the boss carries out one of its own, it carries out what is in there.
 *
 * <p>Threading: {@link #carryOut} may be called by any thread; everything else belongs to the boss.
 */
final class ServerRequestQueue extends RequestInbox {
    private final NioServerSocketChannel channel;

    /** Follows a push. */
    private final ReusableTask task = new ReusableTask(this::carryOutAll);

    /** Boss only. The oldest request that was taken from the inbox and not carried out; null if there is none. */
    private ChannelRequest oldest;

    ServerRequestQueue(NioServerSocketChannel channel) {
        this.channel = channel;
    }

    /** Carries out a request after all that were made before. One that the boss does not get any more is refused. */
    void carryOut(StateRequest request) {
        if (channel.inIoThread()) {
            carryOutAll();
            request.carryOut();
        } else if (push(request) && !task.submitTo(channel.boss())) {
            StateRequest.refuseAll(takeInbox(), ChannelClosedException.of(channel));
        }
    }

    /** Also called within a request, when a handler that it calls makes another one: what is left comes first. */
    private void carryOutAll() {
        for (ChannelRequest request = next(); request != null; request = next()) {
            try {
                ((StateRequest) request).carryOut();
            } catch (Throwable t) {
                StateRequest.refuse(request, t);
                channel.boss().onChannelFailed(channel, t);
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
