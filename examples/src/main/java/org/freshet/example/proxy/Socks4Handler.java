package org.freshet.example.proxy;

import java.net.IDN;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.socks.Socks4Request;
import org.freshet.handler.codec.socks.Socks4Response;
import org.freshet.handler.codec.socks.Socks4Response.Status;
import org.freshet.handler.codec.socks.SocksMessage.CmdType;

/** Handles a SOCKS 4 or 4a client. The user ID is ignored. */
final class Socks4Handler extends TunnelRequestHandler {
    Socks4Handler(TunnelConnector connector) {
        super(connector);
    }

    @Override
    void onRequest(ChannelHandlerContext ctx, Object request) {
        if (request instanceof Socks4Request cmd && cmd.getCmdType() == CmdType.CONNECT) {
            connect(ctx, IDN.toASCII(cmd.getHost()), cmd.getPort());
        } else {
            answerAndClose(ctx, new Socks4Response(Status.REJECTED));
        }
    }

    @Override
    void grant(ChannelHandlerContext ctx, InetSocketAddress address) {
        boolean fits = address.getAddress() instanceof Inet4Address;
        ctx.getChannel()
                .write(
                        fits
                                ? new Socks4Response(
                                        Status.GRANTED, address.getAddress().getHostAddress(), address.getPort())
                                : new Socks4Response(Status.GRANTED));
    }

    @Override
    void refuse(ChannelHandlerContext ctx, Refusal why) {
        answerAndClose(ctx, new Socks4Response(Status.REJECTED));
    }
}
