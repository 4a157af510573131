package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.handler.ssl.SslHandler;

/**
 * Distinguishes an end of the connection that also ends a message from one that cuts it off (RFC 9112 8). Stateless.
 */
final class ConnectionEnd {
    private ConnectionEnd() {}

    /**
     * Call this when nothing more will be received.
     *
     * @return why the data received may be incomplete; null if the peer ended the connection properly, or this side
     *     closed it without another reason
     */
    static String cutOffBy(ChannelHandlerContext ctx) {
        CloseReason reason = ctx.getChannel().getCloseReason();
        if (reason != null && !isOrderly(reason.kind())) {
            return reason.toString();
        }
        for (ChannelHandler handler : ctx.getPipeline().toMap().values()) {
            if (handler instanceof SslHandler tls
                    && !tls.getSSLEngineInboundCloseFuture().isSuccess()) {
                return "the TLS connection ended without the peer's close_notify";
            }
        }
        return null;
    }

    private static boolean isOrderly(CloseReason.Kind kind) {
        return kind == CloseReason.Kind.PEER_CLOSED
                || kind == CloseReason.Kind.COMPLETED
                || kind == CloseReason.Kind.LOCAL;
    }
}
