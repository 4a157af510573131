package org.freshet.handler.proxy;

import java.net.SocketAddress;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.Socks4Request;
import org.freshet.handler.codec.socks.Socks4Response;
import org.freshet.handler.codec.socks.Socks4ResponseDecoder;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;

/**
 * Connects through a SOCKS 4 proxy, or with SOCKS 4a if the target is an unresolved name. Rejects a target with an IPv6
 * address, which SOCKS 4 can't express. See {@link ProxyHandler} for everything else.
 */
public final class Socks4ProxyHandler extends ProxyHandler {
    private final String userId;

    /** Without a user ID. */
    public Socks4ProxyHandler(SocketAddress proxyAddress) {
        this(proxyAddress, "");
    }

    /**
     * @param proxyAddress the address of the proxy
     * @param userId the user's ID, which the proxy may check; empty for none
     * @throws IllegalArgumentException if the ID is longer than 255 characters, not ASCII, or contains NUL
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
            throw new IllegalArgumentException("SOCKS 4 does not support IPv6 addresses; use SOCKS 5");
        }
        request(target);
    }

    @Override
    void ask(ChannelHandlerContext ctx, ProxyTarget target) throws Exception {
        addDecoder(ctx, new Socks4ResponseDecoder());
        SocksMessages.write(ctx, request(target));
    }

    @Override
    boolean takeAnswer(ChannelHandlerContext ctx, ProxyTarget target, Object answer) throws Exception {
        if (!(answer instanceof Socks4Response response)) {
            throw malformed(answer);
        }
        if (response.getStatus() != Socks4Response.Status.GRANTED) {
            throw refusal("the proxy answered " + response.getStatus(), null);
        }
        return true;
    }
}
