package org.freshet.handler.proxy;

import java.net.SocketAddress;
import java.util.List;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.SocksAuthRequest;
import org.freshet.handler.codec.socks.SocksAuthResponse;
import org.freshet.handler.codec.socks.SocksAuthResponseDecoder;
import org.freshet.handler.codec.socks.SocksCmdRequest;
import org.freshet.handler.codec.socks.SocksCmdResponse;
import org.freshet.handler.codec.socks.SocksCmdResponseDecoder;
import org.freshet.handler.codec.socks.SocksInitRequest;
import org.freshet.handler.codec.socks.SocksInitResponse;
import org.freshet.handler.codec.socks.SocksInitResponseDecoder;
import org.freshet.handler.codec.socks.SocksMessage.AddressType;
import org.freshet.handler.codec.socks.SocksMessage.AuthScheme;
import org.freshet.handler.codec.socks.SocksMessage.AuthStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;

/**
 * Connects through a SOCKS 5 proxy (RFC 1928), without authentication or with a user name and password (RFC 1929). See
 * {@link ProxyHandler} for everything else.
 */
public final class Socks5ProxyHandler extends ProxyHandler {
    /** Null without authentication. */
    private final SocksAuthRequest credentials;

    /** @param proxyAddress the address of the proxy */
    public Socks5ProxyHandler(SocketAddress proxyAddress) {
        super("SOCKS 5", proxyAddress);
        credentials = null;
    }

    /**
     * Offers to authenticate; the proxy may still choose not to.
     *
     * @param proxyAddress the address of the proxy
     * @throws IllegalArgumentException if the user name or the password is not ASCII, or longer than 255 characters
     */
    public Socks5ProxyHandler(SocketAddress proxyAddress, String username, String password) {
        super("SOCKS 5", proxyAddress);
        credentials = new SocksAuthRequest(username, password);
    }

    @Override
    void checkTarget(ProxyTarget target) {
        request(target);
    }

    private static SocksCmdRequest request(ProxyTarget target) {
        AddressType type = switch (target.kind()) {
            case NAME -> AddressType.DOMAIN;
            case IPV4 -> AddressType.IPv4;
            case IPV6 -> AddressType.IPv6;
        };
        return new SocksCmdRequest(CmdType.CONNECT, type, target.host(), target.port());
    }

    @Override
    void ask(ChannelHandlerContext ctx, ProxyTarget target) throws Exception {
        addDecoder(ctx, new SocksInitResponseDecoder());
        SocksMessages.write(ctx, new SocksInitRequest(offered()));
    }

    private List<AuthScheme> offered() {
        return credentials == null
                ? List.of(AuthScheme.NO_AUTH)
                : List.of(AuthScheme.NO_AUTH, AuthScheme.AUTH_PASSWORD);
    }

    @Override
    boolean takeAnswer(ChannelHandlerContext ctx, ProxyTarget target, Object answer) throws Exception {
        if (answer instanceof SocksInitResponse init) {
            onScheme(ctx, target, init.getAuthScheme());
            return false;
        } else if (answer instanceof SocksAuthResponse auth) {
            if (auth.getAuthStatus() != AuthStatus.SUCCESS) {
                throw refusal("the proxy rejected the user name and password", null);
            }
            command(ctx, target);
            return false;
        } else if (answer instanceof SocksCmdResponse cmd) {
            if (cmd.getCmdStatus() != CmdStatus.SUCCESS) {
                throw refusal("the proxy answered " + cmd.getCmdStatus(), null);
            }
            return true;
        }
        throw malformed(answer);
    }

    private void onScheme(ChannelHandlerContext ctx, ProxyTarget target, AuthScheme chosen) throws Exception {
        if (!offered().contains(chosen)) {
            throw refusal(
                    "the proxy accepts none of the offered ways to authenticate: " + offered()
                            + (chosen == AuthScheme.UNKNOWN ? "" : ", but wants " + chosen),
                    null);
        }
        if (chosen == AuthScheme.AUTH_PASSWORD) {
            addDecoder(ctx, new SocksAuthResponseDecoder());
            SocksMessages.write(ctx, credentials);
        } else {
            command(ctx, target);
        }
    }

    private void command(ChannelHandlerContext ctx, ProxyTarget target) throws Exception {
        addDecoder(ctx, new SocksCmdResponseDecoder());
        SocksMessages.write(ctx, request(target));
    }
}
