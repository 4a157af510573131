package org.freshet.handler.codec.embedder;

import java.net.SocketAddress;
import java.util.function.Consumer;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.PendingClose;

/**
 * A channel without a network. Requests are carried out on the calling thread before the call returns: a written
 * message becomes a product, reading can be suspended, and closing fires the same events as on a real channel.
 */
final class EmbeddedChannel extends AbstractChannel {
    private enum Life {
        NEW,
        CONNECTED,
        CLOSED
    }

    private final ChannelConfig config = new DefaultChannelConfig();
    private final SocketAddress localAddress = new EmbeddedSocketAddress("embedder");
    private final SocketAddress remoteAddress = new EmbeddedSocketAddress("peer");
    private Life life = Life.NEW;

    /** The input has ended: handlers see the close as if the peer had closed. */
    private boolean finishing;

    EmbeddedChannel(ChannelPipeline pipeline, Consumer<Object> products) {
        super(null, EmbeddedChannelFactory.INSTANCE, pipeline, new Sink(products));
    }

    /** Fires the events of a new connection. */
    void open() {
        Channels.fireChannelOpen(this);
        life = Life.CONNECTED;
        Channels.fireChannelBound(this, localAddress);
        Channels.fireChannelConnected(this, remoteAddress);
    }

    /**
     * Ends the input. Handlers see what they see when the peer closes; in addition, the close request passes through
     * the downstream handlers.
     */
    void finish() {
        finishing = true;
        noteCloseReason(CloseReason.PEER_CLOSED);
        Channels.close(this);
        closed(); // even if a handler swallows the request
    }

    /** Fires the events of a connection's end, once. */
    void closed() {
        if (life == Life.CLOSED) {
            return;
        }
        life = Life.CLOSED;
        setClosed();
        Channels.fireChannelDisconnected(this);
        Channels.fireChannelUnbound(this);
        Channels.fireChannelClosed(this);
    }

    private void changeInterest(int interestOps) {
        if (getInternalInterestOps() != interestOps) {
            setInternalInterestOps(interestOps);
            Channels.fireChannelInterestChanged(this);
        }
    }

    @Override
    public ChannelConfig getConfig() {
        return config;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return localAddress;
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return remoteAddress;
    }

    @Override
    public boolean isBound() {
        return life == Life.CONNECTED;
    }

    @Override
    public boolean isConnected() {
        return life == Life.CONNECTED;
    }

    /** Carries out requests. */
    private static final class Sink extends AbstractChannelSink {
        private final Consumer<Object> products;

        Sink(Consumer<Object> products) {
            this.products = products;
        }

        @Override
        public void eventSunk(ChannelPipeline pipeline, ChannelEvent e) {
            EmbeddedChannel channel = (EmbeddedChannel) e.getChannel();
            if (e instanceof MessageEvent message) {
                products.accept(message.getMessage());
            } else if (e instanceof ChannelStateEvent request) {
                carryOut(channel, request);
            }
            e.getFuture().setSuccess();
        }

        private static void carryOut(EmbeddedChannel channel, ChannelStateEvent request) {
            if (request.getState() == ChannelState.INTEREST_OPS) {
                channel.changeInterest((Integer) request.getValue());
            } else if (request.getValue() == null || Boolean.FALSE.equals(request.getValue())) {
                if (!channel.finishing) {
                    PendingClose.request(channel);
                }
                channel.closed(); // closed, unbound or disconnected: all of them are final
            }
        }
    }
}
