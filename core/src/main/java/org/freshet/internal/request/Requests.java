package org.freshet.internal.request;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.internal.handler.PendingClose;

/**
 * Maps downstream events to requests on a channel that is not a server, for a transport's sink. Each method is called on the thread that
 * sent the event, and its future must complete sooner or later.
 *
 * @param <C> the transport's channels
 */
public interface Requests<C extends Channel> {
    void write(C channel, MessageEvent message);

    /** A write of {@link OutputShutdown}. By default not supported. */
    default void shutdownOutput(C channel, MessageEvent request) {
        request.getFuture()
                .setFailure(
                        new UnsupportedOperationException("only a connection can shut down its output: " + channel));
    }

    void bind(C channel, ChannelFuture future, SocketAddress localAddress);

    void connect(C channel, ChannelFuture future, SocketAddress remoteAddress);

    /** By default the same as {@link #close}. */
    default void disconnect(C channel, ChannelFuture future) {
        close(channel, future);
    }

    void setInterestOps(C channel, ChannelFuture future, int interestOps);

    void close(C channel, ChannelFuture future);

    /** Calls the method for the event; has no effect for user-defined events. */
    default void carryOut(C channel, ChannelEvent e) {
        if (e instanceof MessageEvent message) {
            if (message.getMessage() == OutputShutdown.INSTANCE) {
                shutdownOutput(channel, message);
            } else {
                write(channel, message);
            }
        } else if (e instanceof ChannelStateEvent request) {
            carryOut(channel, request);
        }
    }

    private void carryOut(C channel, ChannelStateEvent e) {
        ChannelFuture future = e.getFuture();
        Object value = e.getValue();
        switch (e.getState()) {
            case OPEN -> {
                if (isClose(e)) {
                    close(channel, future);
                } else {
                    refuse(e);
                }
            }
            case BOUND -> {
                if (value == null) {
                    close(channel, future);
                } else {
                    bind(channel, future, (SocketAddress) value);
                }
            }
            case CONNECTED -> {
                if (value == null) {
                    disconnect(channel, future);
                } else {
                    connect(channel, future, (SocketAddress) value);
                }
            }
            case INTEREST_OPS -> setInterestOps(channel, future, ((Number) value).intValue());
        }
        if (endsConnection(e) && channel.isOpen()) { // what is being sent goes first
            PendingClose.request(channel);
        }
    }

    private static boolean endsConnection(ChannelStateEvent e) {
        return isClose(e)
                || e.getValue() == null
                        && (e.getState() == ChannelState.BOUND || e.getState() == ChannelState.CONNECTED);
    }

    static boolean isClose(ChannelStateEvent e) {
        return e.getState() == ChannelState.OPEN && Boolean.FALSE.equals(e.getValue());
    }

    /** Fails the future, which nothing else would complete. */
    static void refuse(ChannelEvent e) {
        e.getFuture().setFailure(new UnsupportedOperationException("not supported by this channel: " + e));
    }
}
