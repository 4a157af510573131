package org.freshet.handler.ipfilter;

import java.net.InetSocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.OriginalAddress;
import org.freshet.internal.NoChannelState;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Decides about each connection when it is made, and withholds the events of refused connections from the handlers
 * above. Put it at the bottom of the pipeline, so no handler writes to a peer that is about to be refused.
 *
 * <p>A peer without an IP address, as on an in-memory transport, is refused. If {@link #accept} or the listener throws,
 * the peer is refused too and the failure is logged.
 *
 * <p>Behind a load balancer, put it after the {@code ProxyProtocolDecoder}: it then decides about the client's address
 * ({@link OriginalAddress}). Before the decoder it decides about the balancer's.
 *
 * <p>The decision is kept in the context's attachment, which is reserved for this handler. The methods run on the
 * channel's I/O thread.
 */
@NoChannelState
public abstract class IpFilteringHandlerImpl implements ChannelUpstreamHandler, IpFilteringHandler {
    /** Attached to the context of a channel that was refused. */
    private static final Object BLOCKED = new Object() {
        @Override
        public String toString() {
            return "blocked";
        }
    };

    private static final CloseReason FILTERED = CloseReason.of(CloseReason.Kind.REFUSED, "by the address filter");

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(IpFilteringHandlerImpl.class);

    /** Null if no listener is set. */
    private volatile IpFilterListener listener;

    public IpFilteringHandlerImpl() {}

    /**
     * Decides about a connection.
     *
     * @param inetSocketAddress the peer's address
     * @return whether to allow it
     */
    protected abstract boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress)
            throws Exception;

    /**
     * Called for a refused connection; notifies the listener. Returns the future to wait for before closing, or null.
     */
    protected ChannelFuture handleRefusedChannel(
            ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress) throws Exception {
        IpFilterListener current = listener;
        return current == null ? null : current.refused(ctx, e, inetSocketAddress);
    }

    /** Called for an allowed connection; notifies the listener. The return value is ignored. */
    protected ChannelFuture handleAllowedChannel(
            ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress inetSocketAddress) throws Exception {
        IpFilterListener current = listener;
        return current == null ? null : current.allowed(ctx, e, inetSocketAddress);
    }

    /** Returns whether this channel was refused. */
    protected boolean isBlocked(ChannelHandlerContext ctx) {
        return ctx.getAttachment() == BLOCKED;
    }

    /** Returns whether an event of a refused channel goes up anyway. The listener decides; without one, it does not. */
    protected boolean continues(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        IpFilterListener current = listener;
        return current != null && current.continues(ctx, e);
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (e instanceof ChannelStateEvent change
                && change.getState() == ChannelState.CONNECTED
                && change.getValue() != null) {
            decide(ctx, change);
        }
        if (!isBlocked(ctx) || continues(ctx, e)) {
            ctx.sendUpstream(e);
        }
    }

    private void decide(ChannelHandlerContext ctx, ChannelStateEvent e) {
        Channel channel = e.getChannel();
        Object source = OriginalAddress.isKnown(channel) ? OriginalAddress.of(channel) : e.getValue();
        InetSocketAddress peer =
                source instanceof InetSocketAddress address && !address.isUnresolved() ? address : null;
        ctx.setAttachment(BLOCKED);
        ChannelFuture lastWrite = null;
        try {
            if (peer != null && accept(ctx, e, peer)) {
                handleAllowedChannel(ctx, e, peer);
                ctx.setAttachment(null);
                return;
            }
            if (peer != null) {
                lastWrite = handleRefusedChannel(ctx, e, peer);
            }
        } catch (Throwable failure) {
            // an exception event would not pass this handler, which withholds the channel's events
            logger.warn(e.getChannel() + " is refused because its filter failed: " + this, failure);
        }
        Channels.noteCloseReason(e.getChannel(), FILTERED);
        close(e, lastWrite);
    }

    private static void close(ChannelEvent e, ChannelFuture lastWrite) {
        if (lastWrite != null) {
            lastWrite.addListener(ChannelFutureListener.CLOSE);
        } else {
            e.getChannel().close();
        }
    }

    @Override
    public void setIpFilterListener(IpFilterListener listener) {
        this.listener = listener;
    }

    @Override
    public void removeIpFilterListener() {
        listener = null;
    }
}
