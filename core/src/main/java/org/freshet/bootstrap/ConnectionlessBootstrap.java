package org.freshet.bootstrap;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;

/**
 * Opens channels for connectionless transports, such as UDP.
 *
 * <pre>{@code
 * ConnectionlessBootstrap bootstrap = new ConnectionlessBootstrap(new NioDatagramChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * bootstrap.setOption(ChannelOption.BROADCAST, true);
 * Channel channel = bootstrap.bind(new InetSocketAddress(0));
 * channel.write(message, receiver);
 * }</pre>
 *
 * <p>Threads and options: see {@link Bootstrap}.
 */
public class ConnectionlessBootstrap extends Bootstrap {
    public ConnectionlessBootstrap() {}

    public ConnectionlessBootstrap(ChannelFactory channelFactory) {
        super(channelFactory);
    }

    /**
     * Opens a channel, binds it to the {@code localAddress} option, and waits until it is bound.
     *
     * @return the bound channel
     * @throws IllegalStateException if {@code localAddress} is not set, or if called on an I/O thread of the channel
     * @throws org.freshet.channel.ChannelException if the bind fails; the channel is closed then
     */
    public Channel bind() {
        return bind(requireAddress(LOCAL_ADDRESS, "bind"));
    }

    /**
     * Opens a channel, binds it, and waits until it is bound.
     *
     * @param localAddress the address to bind to
     * @return the bound channel
     * @throws IllegalStateException if called on an I/O thread of the channel
     * @throws org.freshet.channel.ChannelException if the bind fails; the channel is closed then
     */
    public Channel bind(SocketAddress localAddress) {
        Channel channel = awaitBound(openBound(localAddress), localAddress);
        bound(channel);
        return channel;
    }

    /**
     * Opens a channel that exchanges messages with one peer, given by the {@code remoteAddress} option.
     *
     * @return done when the channel is connected; if that fails, the channel is closed
     * @throws IllegalStateException if {@code remoteAddress} is not set
     */
    public ChannelFuture connect() {
        return connect(requireAddress(REMOTE_ADDRESS, "connect"));
    }

    /**
     * Opens a channel that exchanges messages with one peer, bound to the {@code localAddress} option if that is set.
     *
     * @param remoteAddress the peer
     * @return done when the channel is connected; if that fails, the channel is closed
     */
    public ChannelFuture connect(SocketAddress remoteAddress) {
        return connect(remoteAddress, getOption(LOCAL_ADDRESS));
    }

    /**
     * Opens a channel that exchanges messages with one peer.
     *
     * @param remoteAddress the peer
     * @param localAddress the address to bind to; null lets the system choose
     * @return done when the channel is connected; if that fails, the channel is closed
     */
    public ChannelFuture connect(SocketAddress remoteAddress, SocketAddress localAddress) {
        return openConnected(remoteAddress, localAddress);
    }

    @Override
    String managedType() {
        return "ConnectionlessBootstrap";
    }
}
