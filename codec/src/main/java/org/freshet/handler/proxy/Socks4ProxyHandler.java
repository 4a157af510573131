package org.freshet.handler.proxy;

import java.net.SocketAddress;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.Socks4Request;
import org.freshet.handler.codec.socks.Socks4Response;
import org.freshet.handler.codec.socks.Socks4ResponseDecoder;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;

/**
 * Connects through a proxy of SOCKS 4, or 4a if the target is an unresolved name. A target with an IPv6 address is refused:
 * SOCKS 4 has no room for it. All else is said in {@link ProxyHandler}.
 */
public final class Socks4ProxyHandler extends ProxyHandler {
    private final String userId;

    /** Without a user's id. */
    public Socks4ProxyHandler(SocketAddress proxyAddress) {
        this(proxyAddress, "");
    }

    /**
     * @param proxyAddress where the proxy listens
     * @param userId who the user claims to be; empty for nobody
     * @throws IllegalArgumentException if the id has more than 255 characters, NUL, or one that is not ASCII
     */
    public Socks4ProxyHandler(SocketAddress proxyAddress, String userId) {
        super("SOCKS 4", proxyAddress);
        this.userId = new Socks4Request(CmdType.BIND, "0.0.0.0", 0, userId).getUserId(); // checked there
    }

    private Socks4Request request(ProxyTarget target) {
        return new Socks4Request(CmdType.CONNECT, target.host(), target.port(), userId);
    }

    @Override
    void checkTarget(ProxyTarget target) {
        if (target.kind() == ProxyTarget.Kind.IPV6) {
            throw new IllegalArgumentException("SOCKS 4 has no IPv6 addresses; use SOCKS 5");
        }
        request(target);
    }

    @Override
    void ask(ChannelHandlerContext ctx, ProxyTarget target) throws Exception {
        decodeBy(ctx, new Socks4ResponseDecoder());
        SocksMessages.write(ctx, request(target));
    }

    @Override
    boolean takeAnswer(ChannelHandlerContext ctx, ProxyTarget target, Object answer) throws Exception {
        if (!(answer instanceof Socks4Response response)) {
            throw malformed(answer);
        }
        if (response.getStatus() != Socks4Response.Status.GRANTED) {
            throw refusal("the proxy answers " + response.getStatus(), null);
        }
        return true;
    }
}
