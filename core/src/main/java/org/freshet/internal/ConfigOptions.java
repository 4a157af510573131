package org.freshet.internal;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.socket.DatagramChannelConfig;
import org.freshet.channel.socket.ServerSocketChannelConfig;
import org.freshet.channel.socket.SocketChannelConfig;

/**
 * Which options each kind of config has, and the methods they stand for. To add an option, add its constant to
 * {@link ChannelOption}, a getter and a setter to the config, and a line here.
 *
 * <p>The tables speak of interfaces, so that every transport's config shares them.
 */
public final class ConfigOptions {
    /** What server channels of every kind know. */
    public static final OptionTable<ChannelConfig> SERVER = OptionTable.<ChannelConfig>empty()
            .with(ChannelOption.BUFFER_FACTORY, ChannelConfig::getBufferFactory, ChannelConfig::setBufferFactory)
            .with(ChannelOption.PIPELINE_FACTORY, ChannelConfig::getPipelineFactory, ChannelConfig::setPipelineFactory);

    /** What all other channels know. */
    public static final OptionTable<ChannelConfig> CHANNEL = SERVER.with(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            ChannelConfig::getConnectTimeoutMillis,
            ChannelConfig::setConnectTimeoutMillis);

    public static final OptionTable<SocketChannelConfig> SOCKET = CHANNEL.<SocketChannelConfig>narrowed()
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
                    ChannelOption.PERFORMANCE_PREFERENCES,
                    OptionTable.unreadable(),
                    (config, wish) ->
                            config.setPerformancePreferences(wish.connectionTime(), wish.latency(), wish.bandwidth()));

    public static final OptionTable<ServerSocketChannelConfig> SERVER_SOCKET = SERVER.<ServerSocketChannelConfig>
                    narrowed()
            .with(ChannelOption.BACKLOG, ServerSocketChannelConfig::getBacklog, ServerSocketChannelConfig::setBacklog)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE,
                    ServerSocketChannelConfig::getReceiveBufferSize,
                    ServerSocketChannelConfig::setReceiveBufferSize)
            .with(
                    ChannelOption.REUSE_ADDRESS,
                    ServerSocketChannelConfig::isReuseAddress,
                    ServerSocketChannelConfig::setReuseAddress)
            .with(
                    ChannelOption.PERFORMANCE_PREFERENCES,
                    OptionTable.unreadable(),
                    (config, wish) ->
                            config.setPerformancePreferences(wish.connectionTime(), wish.latency(), wish.bandwidth()));

    public static final OptionTable<DatagramChannelConfig> DATAGRAM = CHANNEL.<DatagramChannelConfig>narrowed()
            .with(
                    ChannelOption.SEND_BUFFER_SIZE,
                    DatagramChannelConfig::getSendBufferSize,
                    DatagramChannelConfig::setSendBufferSize)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE,
                    DatagramChannelConfig::getReceiveBufferSize,
                    DatagramChannelConfig::setReceiveBufferSize)
            .with(
                    ChannelOption.TRAFFIC_CLASS,
                    DatagramChannelConfig::getTrafficClass,
                    DatagramChannelConfig::setTrafficClass)
            .with(
                    ChannelOption.REUSE_ADDRESS,
                    DatagramChannelConfig::isReuseAddress,
                    DatagramChannelConfig::setReuseAddress)
            .with(ChannelOption.BROADCAST, DatagramChannelConfig::isBroadcast, DatagramChannelConfig::setBroadcast)
            .with(
                    ChannelOption.LOOPBACK_MODE_DISABLED,
                    DatagramChannelConfig::isLoopbackModeDisabled,
                    DatagramChannelConfig::setLoopbackModeDisabled)
            .with(
                    ChannelOption.TIME_TO_LIVE,
                    DatagramChannelConfig::getTimeToLive,
                    DatagramChannelConfig::setTimeToLive)
            .with(ChannelOption.INTERFACE, DatagramChannelConfig::getInterface, DatagramChannelConfig::setInterface)
            .with(
                    ChannelOption.NETWORK_INTERFACE,
                    DatagramChannelConfig::getNetworkInterface,
                    DatagramChannelConfig::setNetworkInterface)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR,
                    DatagramChannelConfig::getReceiveBufferSizePredictor,
                    DatagramChannelConfig::setReceiveBufferSizePredictor)
            .with(
                    ChannelOption.RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY,
                    DatagramChannelConfig::getReceiveBufferSizePredictorFactory,
                    DatagramChannelConfig::setReceiveBufferSizePredictorFactory);

    private ConfigOptions() {}
}
