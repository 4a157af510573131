package org.freshet.internal.request;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;

/**
 * What downstream events ask of a server channel, for the sink of a transport. Each method is called on the thread that sent the
 * event, and has its future completed sooner or later.
 *
 * @param <C> the transport's server channels
 */
public interface ServerRequests<C extends Channel> {
    void bind(C channel, ChannelFuture future, SocketAddress localAddress);

    void close(C channel, ChannelFuture future);

    /** Calls the method that the event stands for; what a server cannot do fails the event's future. */
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
