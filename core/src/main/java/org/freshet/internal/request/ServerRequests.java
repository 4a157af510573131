package org.freshet.internal.request;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;

/**
 * Maps downstream events to requests on a server channel, for a transport's sink. Each method is called on the thread that sent the event,
 * and its future must complete sooner or later.
 *
 * @param <C> the transport's server channels
 */
public interface ServerRequests<C extends Channel> {
    void bind(C channel, ChannelFuture future, SocketAddress localAddress);

    void close(C channel, ChannelFuture future);

    /** Calls the method for the event; fails the event's future if a server cannot do it. */
    default void carryOut(C channel, ChannelEvent e) {
        if (e instanceof ChannelStateEvent request && request.getState() == ChannelState.BOUND) {
            if (request.getValue() == null) {
                close(channel, e.getFuture());
            } else {
                bind(channel, e.getFuture(), (SocketAddress) request.getValue());
            }
        } else if (e instanceof ChannelStateEvent request && Requests.isClose(request)) {
            close(channel, e.getFuture());
        } else if (e instanceof ChannelStateEvent || e instanceof MessageEvent) {
            Requests.refuse(e);
        }
    }
}
