package org.freshet.example.proxy;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;

/** Relays a client's data, and connects to the target. */
final class FrontHandler extends RelayHandler {
    private final ChannelFactory factory;
    private final SocketAddress target;
    private final ProxyLoad load;

    FrontHandler(ChannelFactory factory, SocketAddress target, ProxyLoad load) {
        super(null, load);
        this.factory = factory;
        this.target = target;
        this.load = load;
    }

    /** Nothing is read from the client until the connection to the server is open. */
    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
        Channel front = e.getChannel();
        Channel back = factory.newChannel(Channels.pipeline(new RelayHandler(front, load)));
        setPeer(back);
        front.setReadable(false);
        back.connect(target); // if it fails, this channel closes, and that closes the client's
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        // the client's side is connected from the start; nothing to do
    }
}
