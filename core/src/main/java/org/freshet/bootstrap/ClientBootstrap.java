package org.freshet.bootstrap;

import java.net.SocketAddress;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;

/**
 * Opens client connections.
 *
 * <pre>{@code
 * ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(new MyHandler()));
 * bootstrap.setOption(ChannelOption.TCP_NODELAY, true);
 * bootstrap.setOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, 3000);
 * ChannelFuture future = bootstrap.connect(InetSocketAddress.createUnresolved("example.com", 80));
 * }</pre>
 *
 * <p><b>Names.</b> {@code new InetSocketAddress("example.com", 80)} looks the name up on the calling thread and blocks it. Pass an
 * unresolved address instead: {@code connect} looks it up off the I/O threads, with the {@link org.freshet.channel.NameResolver} of the
 * option {@code nameResolver}. If the name has several addresses, they are tried a quarter of a second apart, and the first to connect wins
 * (RFC 8305). The connect time-out covers both the lookup and the attempts. If all addresses fail, one exception lists the reason for each.
 * This applies to TCP over NIO and OIO; a {@code ProxyHandler} passes the name on to its proxy.
 *
 * <p>No method blocks. A failure before the channel exists is thrown: no factory, no descriptor left, a pipeline factory that fails, a bad
 * option. A later one fails the future, and the channel is closed. Cancelling the future of a connect attempt also closes the channel.
 * Threads and options: see {@link Bootstrap}.
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
     * @throws IllegalStateException if {@code remoteAddress} is not set
     */
    public ChannelFuture connect() {
        return connect(requireAddress(REMOTE_ADDRESS, "connect"));
    }

    /**
     * Connects, from the {@code localAddress} option if that is set.
     *
     * @param remoteAddress the address to connect to
     * @return done when the channel is connected
     */
    public ChannelFuture connect(SocketAddress remoteAddress) {
        return connect(remoteAddress, getOption(LOCAL_ADDRESS));
    }

    /**
     * Connects from a given local address.
     *
     * @param remoteAddress the address to connect to
     * @param localAddress the address to connect from; null lets the system choose
     * @return done when the channel is connected
     */
    public ChannelFuture connect(SocketAddress remoteAddress, SocketAddress localAddress) {
        return openConnected(remoteAddress, localAddress);
    }

    /**
     * Creates a channel and binds it without connecting it. Call {@link Channel#connect} on it next.
     *
     * @param localAddress the address to bind to
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
