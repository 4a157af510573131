package org.freshet.bootstrap;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;

/**
 * Makes channels that need no connection, such as those of UDP.
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
     * Makes a channel bound to the {@code localAddress} option, and waits for it.
     *
     * @return the bound channel
     * @throws IllegalStateException when {@code localAddress} is not set, or when an I/O thread of the channel calls
     * @throws org.freshet.channel.ChannelException when it cannot be bound; the channel is closed then
     */
    public Channel bind() {
        return bind(requireAddress(LOCAL_ADDRESS, "bind"));
    }

    /**
     * Makes a bound channel, and waits for it.
     *
     * @param localAddress what to bind to
     * @return the bound channel
     * @throws IllegalStateException when an I/O thread of the channel calls
     * @throws org.freshet.channel.ChannelException when it cannot be bound; the channel is closed then
     */
    public Channel bind(SocketAddress localAddress) {
        Channel channel = awaitBound(openBound(localAddress), localAddress);
        bound(channel);
        return channel;
    }

    /**
     * Makes a channel that exchanges messages with one peer, the {@code remoteAddress} option.
     *
     * @return done when the channel is connected; the channel is closed when that fails
     * @throws IllegalStateException when {@code remoteAddress} is not set
     */
    public ChannelFuture connect() {
        return connect(requireAddress(REMOTE_ADDRESS, "connect"));
    }

    /**
     * Makes a channel that exchanges messages with one peer, bound to the {@code localAddress} option if that is set.
     *
     * @param remoteAddress the peer
     * @return done when the channel is connected; the channel is closed when that fails
     */
    public ChannelFuture connect(SocketAddress remoteAddress) {
        return connect(remoteAddress, getOption(LOCAL_ADDRESS));
    }

    /**
     * Makes a channel that exchanges messages with one peer.
     *
     * @param remoteAddress the peer
     * @param localAddress what to bind to; null leaves it to the system
     * @return done when the channel is connected; the channel is closed when that fails
     */
    public ChannelFuture connect(SocketAddress remoteAddress, SocketAddress localAddress) {
        return openConnected(remoteAddress, localAddress);
    }

    @Override
    String managedType() {
        return "ConnectionlessBootstrap";
    }
}
