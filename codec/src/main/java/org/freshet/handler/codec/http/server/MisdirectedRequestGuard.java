package org.freshet.handler.codec.http.server;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequests;
import org.freshet.handler.codec.http.server.TlsNames.Choice;
import org.freshet.internal.ActsOn;

/**
 * Passes a request only if its host leads to the TLS context that its connection uses (RFC 9110 15.5.20). Otherwise, a
 * client could reach a name that requires client certificates through the handshake of a name that doesn't. A refusal
 * is an exception event, and after it nothing more from the connection or stream is passed on.
 *
 * <p>Use one instance per HTTP/1.1 connection or HTTP/2 stream, before the handlers that answer. I/O thread only.
 */
@ActsOn({})
final class MisdirectedRequestGuard implements ChannelUpstreamHandler {
    private final Choice choice;
    private boolean hasRefused;

    MisdirectedRequestGuard(Choice choice) {
        this.choice = choice;
    }

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
        if (!(e instanceof MessageEvent message)) {
            ctx.sendUpstream(e);
        } else if (!hasRefused) {
            hasRefused = message.getMessage() instanceof HttpRequest request && isMisdirected(request);
            if (hasRefused) {
                Channels.fireExceptionCaught(ctx, refusal((HttpRequest) message.getMessage()));
            } else {
                ctx.sendUpstream(e);
            }
        }
    }

    /** The target of CONNECT is the end of a tunnel, and says nothing about this server. */
    private boolean isMisdirected(HttpRequest request) {
        if (HttpMethod.CONNECT.equals(request.getMethod())) {
            return false;
        }
        String authority = HttpRequests.authority(request);
        String host =
                request.headers().get(HttpHeaders.Names.HOST); // handlers read this even if the target is absolute
        return !choice.serves(authority) || host != null && !host.equals(authority) && !choice.serves(host);
    }

    private MisdirectedRequestException refusal(HttpRequest request) {
        return new MisdirectedRequestException(
                "the request is for " + HttpRequests.authority(request) + ", but the TLS connection is for " + choice);
    }
}
