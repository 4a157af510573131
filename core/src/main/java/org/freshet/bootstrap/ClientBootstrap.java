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
 * ChannelFuture future = bootstrap.connect(InetSocketAddress.createUnresolved("example.com", 80));
 * }</pre>
 *
 * <p><b>Names.</b> {@code new InetSocketAddress("example.com", 80)} looks the name up on the calling thread, which waits for it. An
 * unresolved address is looked up by the connect, off the I/O threads, by the {@link org.freshet.channel.NameResolver} of the option
 * {@code nameResolver}; if it has several addresses, they are tried a quarter of a second apart, and the first that is connected wins (RFC
 * 8305). The connect time-out covers both. If all addresses fail, one exception says why each did. TCP over NIO and OIO; a {@code
 * ProxyHandler} takes the name to its proxy.
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
        return connect(requireAddress(REMOTE_ADDRESS, "connect"));
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
