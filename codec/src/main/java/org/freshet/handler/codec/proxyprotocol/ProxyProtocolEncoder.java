package org.freshet.handler.codec.proxyprotocol;

import java.nio.channels.NotYetConnectedException;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.write.DownstreamOrder;

/**
 * Sends a PROXY protocol header at the start of a client connection, before anything that is written. For a proxy that
 * tells a server where the forwarded connection came from. Put it before TLS:
 *
 * <pre>{@code
 * ProxyProtocolHeader header = ProxyProtocolHeader.forwarding(inbound);
 * clients.setPipelineFactory(() -> Channels.pipeline(
 *         new ProxyProtocolEncoder(ProxyProtocolVersion.V2, header),
 *         tls.newHandler(),
 *         new Application()));
 * }</pre>
 *
 * <p>The header is sent when the channel is connected, even if nothing is written. A write before that fails with
 * {@link NotYetConnectedException}. Only send a header to a server that expects one.
 *
 * <p>Any thread may write. For one connection.
 */
public final class ProxyProtocolEncoder extends SimpleChannelHandler {
    private final byte[] header;

    /** Sends the header before any write, whichever thread writes. */
    private final DownstreamOrder order = new DownstreamOrder();

    /** Set in a step of {@link #order}. */
    private volatile boolean isSent;

    /** The header could not be sent. Then nothing else is, because the server would take it for a header. */
    private volatile boolean isFailed;

    /**
     * Creates a handler for one connection.
     *
     * @throws IllegalArgumentException if the header is too long: the limit is 65,535 bytes of addresses and TLVs, 108
     *     bytes of a path
     */
    public ProxyProtocolEncoder(ProxyProtocolVersion version, ProxyProtocolHeader header) {
        this(version, header, false);
    }

    /**
     * Creates a handler for one connection.
     *
     * @param hasChecksum whether a version 2 header has a CRC32C, which servers verify; false by default
     * @throws IllegalArgumentException if the header is too long: the limit is 65,535 bytes of addresses and TLVs, 108
     *     bytes of a path
     */
    public ProxyProtocolEncoder(ProxyProtocolVersion version, ProxyProtocolHeader header, boolean hasChecksum) {
        Objects.requireNonNull(header, "header");
        this.header = switch (version) {
            case V1 -> HeaderWriter.line(header);
            case V2 -> HeaderWriter.block(header, hasChecksum);
        };
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        order.pass(ctx.getChannel(), null, () -> sendHeader(ctx));
        ctx.sendUpstream(e);
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (isSent && order.isIdle()) {
            sendAfterHeader(ctx, e);
        } else if (!isSent && !ctx.getChannel().isConnected()) {
            UnsentMessage.fail(e, new NotYetConnectedException());
        } else {
            order.pass(e, () -> {
                sendHeader(ctx);
                sendAfterHeader(ctx, e);
            });
        }
    }

    private void sendAfterHeader(ChannelHandlerContext ctx, MessageEvent e) {
        if (isFailed) {
            UnsentMessage.fail(e, UnsentMessage.causeOfClosed(ctx.getChannel()));
        } else {
            ctx.sendDownstream(e);
        }
    }

    /** Sends the header, ahead of everything that waits, so no limit applies. */
    private void sendHeader(ChannelHandlerContext ctx) {
        if (!isSent) {
            isSent = true;
            boolean isPassed = false;
            try {
                passHeaderOn(ctx);
                isPassed = true;
            } finally {
                if (!isPassed) {
                    giveUp(ctx);
                }
            }
        }
    }

    private void passHeaderOn(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        Object bytes = ChannelBuffers.wrappedBuffer(header);
        ChannelFuture sent = Channels.future(channel);
        sent.addListener(done -> {
            if (!done.isSuccess()) {
                giveUp(ctx);
            }
        });
        WriteAccount.passOn(ctx, new DownstreamMessageEvent(channel, sent, bytes, null), 0);
    }

    private void giveUp(ChannelHandlerContext ctx) {
        isFailed = true;
        Channels.close(ctx, Channels.future(ctx.getChannel()));
    }
}
