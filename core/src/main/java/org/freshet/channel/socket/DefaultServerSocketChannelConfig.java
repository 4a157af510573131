package org.freshet.channel.socket;

import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Objects;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultServerChannelConfig;
import org.freshet.internal.options.OptionTable;

/**
 * The settings of a listening TCP socket. Any thread may read and write them.
 *
 * <p>The backlog is stored here until the channel is bound; the other settings are stored in the socket.
 */
public class DefaultServerSocketChannelConfig extends DefaultServerChannelConfig implements ServerSocketChannelConfig {
    private static final String REUSE_PORT = StandardSocketOptions.SO_REUSEPORT.name();

    static {
        OptionTable.<DefaultServerSocketChannelConfig>of(DefaultServerChannelConfig.class)
                .with(
                        ChannelOption.BACKLOG,
                        ServerSocketChannelConfig::getBacklog,
                        ServerSocketChannelConfig::setBacklog)
                .with(
                        ChannelOption.RECEIVE_BUFFER_SIZE,
                        ServerSocketChannelConfig::getReceiveBufferSize,
                        ServerSocketChannelConfig::setReceiveBufferSize)
                .with(
                        ChannelOption.REUSE_ADDRESS,
                        ServerSocketChannelConfig::isReuseAddress,
                        ServerSocketChannelConfig::setReuseAddress)
                .with(
                        ChannelOption.REUSE_PORT,
                        config -> (Boolean) LiveSocket.getIfKnown(config.socket, ChannelOption.REUSE_PORT, REUSE_PORT),
                        (config, isReused) ->
                                LiveSocket.setIfKnown(config.socket, ChannelOption.REUSE_PORT, REUSE_PORT, isReused))
                .with(
                        ChannelOption.PERFORMANCE_PREFERENCES,
                        OptionTable.unreadable(),
                        (config, wish) -> config.setPerformancePreferences(
                                wish.connectionTime(), wish.latency(), wish.bandwidth()))
                .ownedBy(DefaultServerSocketChannelConfig.class);
    }

    /** A {@link ServerSocket} or a {@link NetworkChannel}. */
    private final Object socket;

    private volatile int backlog;

    public DefaultServerSocketChannelConfig(ServerSocket socket) {
        this.socket = Objects.requireNonNull(socket, "socket");
    }

    /**
     * Creates the settings of an NIO channel, without using its {@code socket()} adaptor.
     *
     * @param channel a server channel, bound or not
     */
    protected DefaultServerSocketChannelConfig(NetworkChannel channel) {
        this.socket = Objects.requireNonNull(channel, "channel");
    }

    @Override
    public boolean isReuseAddress() {
        return LiveSocket.get(socket, ChannelOption.REUSE_ADDRESS, StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReuseAddress(boolean reuseAddress) {
        LiveSocket.set(socket, ChannelOption.REUSE_ADDRESS, StandardSocketOptions.SO_REUSEADDR, reuseAddress);
    }

    @Override
    public int getReceiveBufferSize() {
        return LiveSocket.get(socket, ChannelOption.RECEIVE_BUFFER_SIZE, StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setReceiveBufferSize(int receiveBufferSize) {
        LiveSocket.setBufferSize(
                socket, ChannelOption.RECEIVE_BUFFER_SIZE, StandardSocketOptions.SO_RCVBUF, receiveBufferSize);
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        if (socket instanceof ServerSocket server) {
            server.setPerformancePreferences(connectionTime, latency, bandwidth);
        }
    }

    @Override
    public int getBacklog() {
        return backlog;
    }

    @Override
    public void setBacklog(int backlog) {
        this.backlog = ChannelOption.BACKLOG.convert(backlog);
    }
}
