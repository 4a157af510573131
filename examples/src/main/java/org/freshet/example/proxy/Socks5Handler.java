package org.freshet.example.proxy;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.SocksCmdRequest;
import org.freshet.handler.codec.socks.SocksCmdRequestDecoder;
import org.freshet.handler.codec.socks.SocksCmdResponse;
import org.freshet.handler.codec.socks.SocksInitRequest;
import org.freshet.handler.codec.socks.SocksInitResponse;
import org.freshet.handler.codec.socks.SocksMessage.AddressType;
import org.freshet.handler.codec.socks.SocksMessage.AuthScheme;
import org.freshet.handler.codec.socks.SocksMessage.CmdStatus;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;

/** Handles a SOCKS 5 client. No authentication is needed: the proxy only serves its own machine. */
final class Socks5Handler extends TunnelRequestHandler {
    Socks5Handler(TunnelConnector connector) {
        super(connector);
    }

    @Override
    void onRequest(ChannelHandlerContext ctx, Object request) {
        if (request instanceof SocksInitRequest init) {
            onInit(ctx, init);
        } else if (!(request instanceof SocksCmdRequest cmd)) {
            refuse(ctx, CmdStatus.ADDRESS_NOT_SUPPORTED);
        } else if (cmd.getCmdType() != CmdType.CONNECT) {
            refuse(ctx, CmdStatus.COMMAND_NOT_SUPPORTED);
        } else {
            connect(ctx, hostToLookUp(cmd), cmd.getPort());
        }
    }

    private static void onInit(ChannelHandlerContext ctx, SocksInitRequest init) {
        if (init.getAuthSchemes().contains(AuthScheme.NO_AUTH)) {
            ctx.getPipeline().addBefore(ctx.getName(), "command", new SocksCmdRequestDecoder());
            ctx.getChannel().write(new SocksInitResponse(AuthScheme.NO_AUTH));
        } else {
            answerAndClose(ctx, new SocksInitResponse(AuthScheme.UNKNOWN));
        }
    }

    private static String hostToLookUp(SocksCmdRequest cmd) {
        return cmd.getAddressType() == AddressType.DOMAIN ? IDN.toASCII(cmd.getHost()) : cmd.getHost();
    }

    @Override
    void grant(ChannelHandlerContext ctx, InetSocketAddress address) {
        AddressType type = address.getAddress() instanceof Inet6Address ? AddressType.IPv6 : AddressType.IPv4;
        ctx.getChannel()
                .write(new SocksCmdResponse(
                        CmdStatus.SUCCESS, type, address.getAddress().getHostAddress(), address.getPort()));
    }

    @Override
    void refuse(ChannelHandlerContext ctx, Refusal why) {
        refuse(ctx, why.socksStatus);
    }

    private static void refuse(ChannelHandlerContext ctx, CmdStatus status) {
        answerAndClose(ctx, new SocksCmdResponse(status, AddressType.IPv4));
    }
}
