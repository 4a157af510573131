package org.freshet.channel.socket;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.Objects;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.internal.options.OptionTable;

/**
 * The settings of a TCP connection. Socket settings are stored only in the socket.
 *
 * <p>Any thread may read and write them.
 */
public class DefaultSocketChannelConfig extends DefaultChannelConfig implements SocketChannelConfig {
    static {
        OptionTable.<DefaultSocketChannelConfig>of(DefaultChannelConfig.class)
                .with(ChannelOption.TCP_NODELAY, SocketChannelConfig::isTcpNoDelay, SocketChannelConfig::setTcpNoDelay)
                .with(ChannelOption.KEEP_ALIVE, SocketChannelConfig::isKeepAlive, SocketChannelConfig::setKeepAlive)
                .with(ChannelOption.SO_LINGER, SocketChannelConfig::getSoLinger, SocketChannelConfig::setSoLinger)
                .with(
                        ChannelOption.SEND_BUFFER_SIZE,
                        SocketChannelConfig::getSendBufferSize,
                        SocketChannelConfig::setSendBufferSize)
                .with(
                        ChannelOption.RECEIVE_BUFFER_SIZE,
                        SocketChannelConfig::getReceiveBufferSize,
                        SocketChannelConfig::setReceiveBufferSize)
                .with(
                        ChannelOption.TRAFFIC_CLASS,
                        SocketChannelConfig::getTrafficClass,
                        SocketChannelConfig::setTrafficClass)
                .with(
                        ChannelOption.REUSE_ADDRESS,
                        SocketChannelConfig::isReuseAddress,
                        SocketChannelConfig::setReuseAddress)
                .with(
                        ChannelOption.KEEP_ALIVE_IDLE_SECONDS,
                        config -> config.extended(ChannelOption.KEEP_ALIVE_IDLE_SECONDS, "TCP_KEEPIDLE"),
                        (config, seconds) ->
                                config.setExtended(ChannelOption.KEEP_ALIVE_IDLE_SECONDS, "TCP_KEEPIDLE", seconds))
                .with(
                        ChannelOption.KEEP_ALIVE_INTERVAL_SECONDS,
                        config -> config.extended(ChannelOption.KEEP_ALIVE_INTERVAL_SECONDS, "TCP_KEEPINTERVAL"),
                        (config, seconds) -> config.setExtended(
                                ChannelOption.KEEP_ALIVE_INTERVAL_SECONDS, "TCP_KEEPINTERVAL", seconds))
                .with(
                        ChannelOption.KEEP_ALIVE_COUNT,
                        config -> config.extended(ChannelOption.KEEP_ALIVE_COUNT, "TCP_KEEPCOUNT"),
                        (config, count) -> config.setExtended(ChannelOption.KEEP_ALIVE_COUNT, "TCP_KEEPCOUNT", count))
                .with(
                        ChannelOption.PERFORMANCE_PREFERENCES,
                        OptionTable.unreadable(),
                        (config, wish) -> config.setPerformancePreferences(
                                wish.connectionTime(), wish.latency(), wish.bandwidth()))
                .ownedBy(DefaultSocketChannelConfig.class);
    }

    /** A {@link Socket} or a {@link NetworkChannel}. */
    private volatile Object socket;

    public DefaultSocketChannelConfig(Socket socket) {
        this.socket = Objects.requireNonNull(socket, "socket");
    }

    /**
     * Creates the settings of an NIO channel, without using its {@code socket()} adaptor.
     *
     * @param channel a connection, open or not yet connected
     */
    protected DefaultSocketChannelConfig(NetworkChannel channel) {
        this.socket = Objects.requireNonNull(channel, "channel");
    }

    private Integer extended(ChannelOption<Integer> option, String name) {
        return (Integer) LiveSocket.getIfKnown(socket, option, name);
    }

    private void setExtended(ChannelOption<Integer> option, String name, int value) {
        LiveSocket.setIfKnown(socket, option, name, value);
    }

    /**
     * Copies the options that were set on this socket to another one. Options left to the system are not copied, because the system tunes
     * buffers whose size isn't set.
     *
     * @param other of the same kind, not connected yet
     * @throws IOException if one of the sockets is closed
     */
    protected final void copyOptionsTo(Object other) throws IOException {
        LiveSocket.copyOptions(socket, other);
    }

    /**
     * Returns the values of all readable options of the socket, for {@link #copyChangesTo}; a new map.
     *
     * @throws IOException if the socket is closed
     */
    protected final Map<SocketOption<?>, Object> socketOptions() throws IOException {
        return LiveSocket.options(socket);
    }

    /**
     * Copies the options that were set on this socket since the other one got them from {@link #copyOptionsTo}. Other options differ
     * because the system changed them at the connect, or cannot be set.
     *
     * @param since the map that {@link #socketOptions} returned at that time
     * @param other of the same kind; may be connected
     * @throws IOException if one of the sockets is closed
     */
    protected final void copyChangesTo(Object other, Map<SocketOption<?>, Object> since) throws IOException {
        LiveSocket.copyChanged(socket, since, other);
    }

    /**
     * Switches this config to another socket.
     *
     * @param other of the same kind, with the options already copied to it
     */
    protected final void moveTo(Object other) {
        socket = other;
    }

    @Override
    public int getReceiveBufferSize() {
        return LiveSocket.get(socket, ChannelOption.RECEIVE_BUFFER_SIZE, StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public int getSendBufferSize() {
        return LiveSocket.get(socket, ChannelOption.SEND_BUFFER_SIZE, StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public int getSoLinger() {
        return LiveSocket.get(socket, ChannelOption.SO_LINGER, StandardSocketOptions.SO_LINGER);
    }

    @Override
    public int getTrafficClass() {
        return LiveSocket.get(socket, ChannelOption.TRAFFIC_CLASS, StandardSocketOptions.IP_TOS);
    }

    @Override
    public boolean isKeepAlive() {
        return LiveSocket.get(socket, ChannelOption.KEEP_ALIVE, StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public boolean isReuseAddress() {
        return LiveSocket.get(socket, ChannelOption.REUSE_ADDRESS, StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public boolean isTcpNoDelay() {
        return LiveSocket.get(socket, ChannelOption.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setKeepAlive(boolean keepAlive) {
        LiveSocket.set(socket, ChannelOption.KEEP_ALIVE, StandardSocketOptions.SO_KEEPALIVE, keepAlive);
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        if (socket instanceof Socket connection) {
            connection.setPerformancePreferences(connectionTime, latency, bandwidth);
        }
    }

    @Override
    public void setReceiveBufferSize(int receiveBufferSize) {
        LiveSocket.setBufferSize(
                socket, ChannelOption.RECEIVE_BUFFER_SIZE, StandardSocketOptions.SO_RCVBUF, receiveBufferSize);
    }

    @Override
    public void setReuseAddress(boolean reuseAddress) {
        LiveSocket.set(socket, ChannelOption.REUSE_ADDRESS, StandardSocketOptions.SO_REUSEADDR, reuseAddress);
    }

    @Override
    public void setSendBufferSize(int sendBufferSize) {
        LiveSocket.setBufferSize(
                socket, ChannelOption.SEND_BUFFER_SIZE, StandardSocketOptions.SO_SNDBUF, sendBufferSize);
    }

    @Override
    public void setSoLinger(int soLinger) {
        LiveSocket.set(socket, ChannelOption.SO_LINGER, StandardSocketOptions.SO_LINGER, soLinger);
    }

    @Override
    public void setTcpNoDelay(boolean tcpNoDelay) {
        LiveSocket.set(socket, ChannelOption.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY, tcpNoDelay);
    }

    @Override
    public void setTrafficClass(int trafficClass) {
        LiveSocket.set(socket, ChannelOption.TRAFFIC_CLASS, StandardSocketOptions.IP_TOS, trafficClass);
    }
}
