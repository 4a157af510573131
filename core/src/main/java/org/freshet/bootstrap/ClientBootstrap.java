package org.freshet.bootstrap;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;

/**
 * Makes connections.
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * bootstrap.setOption(ChannelOption.TCP_NODELAY, true);
 * bootstrap.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 3000);
 * ChannelFuture future = bootstrap.connect(new InetSocketAddress("example.com", 80));
 * }</pre>
 *
 * <p>No method waits. A failure before there is a channel is thrown (no factory, no descriptor left, a pipeline factory that
 * fails, a bad option); a later one fails the future, and the channel is closed. Cancelling the future of a
 * connect attempt closes the channel too. Threads and options: see {@link Bootstrap}.
 */
public class ClientBootstrap extends Bootstrap {
    public ClientBootstrap() {}

    public ClientBootstrap(ChannelFactory channelFactory) {
        super(channelFactory);
    }

    /**
     * Connects to the {@code remoteAddress} option, from the {@code localAddress} option if that is set.
     *
     * @return done when the channel is connected
     * @throws IllegalStateException when {@code remoteAddress} is not set
     */
    public ChannelFuture connect() {
        return connect(requireAddress(REMOTE_ADDRESS));
    }

    /**
     * Connects, from the {@code localAddress} option if that is set.
     *
     * @param remoteAddress where to
     * @return done when the channel is connected
     */
    public ChannelFuture connect(SocketAddress remoteAddress) {
        return connect(remoteAddress, getOption(LOCAL_ADDRESS));
    }

    /**
     * Connects from a given local address.
     *
     * @param remoteAddress where to
     * @param localAddress where from; null leaves it to the system
     * @return done when the channel is connected
     */
    public ChannelFuture connect(SocketAddress remoteAddress, SocketAddress localAddress) {
        return openConnected(remoteAddress, localAddress);
    }

    /**
     * Makes a channel that is bound and not connected; {@link Channel#connect} on it is the second step.
     *
     * @param localAddress where from
     * @return done when the channel is bound
     */
    public ChannelFuture bind(SocketAddress localAddress) {
        return openBound(localAddress);
    }

    @Override
    String managedType() {
        return "ClientBootstrap";
    }
}
