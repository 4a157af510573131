package org.freshet.channel.socket;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Objects;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.DefaultChannelConfig;
import org.freshet.channel.FixedReceiveBufferSizePredictorFactory;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.options.PredictorSetting;

/**
 * The settings of a UDP channel. Socket settings are stored only in the socket.
 *
 * <p>Any thread may read and write them. The predictor itself belongs to the channel's I/O thread.
 */
public class DefaultDatagramChannelConfig extends DefaultChannelConfig implements DatagramChannelConfig {
    private static final String REUSE_PORT = StandardSocketOptions.SO_REUSEPORT.name();

    static {
        OptionTable.<DefaultDatagramChannelConfig>of(DefaultChannelConfig.class)
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
                .with(
                        ChannelOption.REUSE_PORT,
                        config -> (Boolean) LiveSocket.getIfKnown(config.socket, ChannelOption.REUSE_PORT, REUSE_PORT),
                        (config, isReused) ->
                                LiveSocket.setIfKnown(config.socket, ChannelOption.REUSE_PORT, REUSE_PORT, isReused))
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
                        DatagramChannelConfig::setReceiveBufferSizePredictorFactory)
                .ownedBy(DefaultDatagramChannelConfig.class);
    }

    private static final ReceiveBufferSizePredictorFactory DEFAULT_PREDICTOR_FACTORY =
            new FixedReceiveBufferSizePredictorFactory(768);

    /** A {@link DatagramSocket} or a {@link NetworkChannel}. */
    private final Object socket;

    private final PredictorSetting<ReceiveBufferSizePredictor, ReceiveBufferSizePredictorFactory> predictorSetting =
            new PredictorSetting<>(
                    DEFAULT_PREDICTOR_FACTORY, ReceiveBufferSizePredictorFactory::getPredictor, ChannelException::new);

    public DefaultDatagramChannelConfig(DatagramSocket socket) {
        this.socket = Objects.requireNonNull(socket, "socket");
    }

    /**
     * Creates the settings of an NIO channel, without using its {@code socket()} adaptor.
     *
     * @param channel a datagram channel, bound or not
     */
    protected DefaultDatagramChannelConfig(NetworkChannel channel) {
        this.socket = Objects.requireNonNull(channel, "channel");
    }

    @Override
    public boolean isBroadcast() {
        return LiveSocket.get(socket, ChannelOption.BROADCAST, StandardSocketOptions.SO_BROADCAST);
    }

    @Override
    public void setBroadcast(boolean broadcast) {
        LiveSocket.set(socket, ChannelOption.BROADCAST, StandardSocketOptions.SO_BROADCAST, broadcast);
    }

    @Override
    public InetAddress getInterface() {
        NetworkInterface networkInterface = getNetworkInterface();
        return networkInterface == null
                ? null
                : networkInterface.inetAddresses().findFirst().orElse(null);
    }

    @Override
    public void setInterface(InetAddress interfaceAddress) {
        InetAddress address = ChannelOption.INTERFACE.convert(interfaceAddress);
        try {
            NetworkInterface owner = NetworkInterface.getByInetAddress(address);
            if (owner == null) {
                throw new IllegalArgumentException(
                        ChannelOption.INTERFACE + ": " + address + " (allowed: an address of a network interface)");
            }
            setNetworkInterface(owner);
        } catch (SocketException e) {
            throw new ChannelException("cannot find the network interface of " + address, e);
        }
    }

    @Override
    public boolean isLoopbackModeDisabled() {
        return !LiveSocket.get(socket, ChannelOption.LOOPBACK_MODE_DISABLED, StandardSocketOptions.IP_MULTICAST_LOOP);
    }

    @Override
    public void setLoopbackModeDisabled(boolean loopbackModeDisabled) {
        LiveSocket.setAs(
                socket,
                ChannelOption.LOOPBACK_MODE_DISABLED,
                StandardSocketOptions.IP_MULTICAST_LOOP,
                !loopbackModeDisabled);
    }

    @Override
    public NetworkInterface getNetworkInterface() {
        return LiveSocket.get(socket, ChannelOption.NETWORK_INTERFACE, StandardSocketOptions.IP_MULTICAST_IF);
    }

    @Override
    public void setNetworkInterface(NetworkInterface networkInterface) {
        LiveSocket.set(
                socket, ChannelOption.NETWORK_INTERFACE, StandardSocketOptions.IP_MULTICAST_IF, networkInterface);
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
    public int getSendBufferSize() {
        return LiveSocket.get(socket, ChannelOption.SEND_BUFFER_SIZE, StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setSendBufferSize(int sendBufferSize) {
        LiveSocket.setBufferSize(
                socket, ChannelOption.SEND_BUFFER_SIZE, StandardSocketOptions.SO_SNDBUF, sendBufferSize);
    }

    @Override
    public int getTimeToLive() {
        return LiveSocket.get(socket, ChannelOption.TIME_TO_LIVE, StandardSocketOptions.IP_MULTICAST_TTL);
    }

    @Override
    public void setTimeToLive(int timeToLive) {
        LiveSocket.set(socket, ChannelOption.TIME_TO_LIVE, StandardSocketOptions.IP_MULTICAST_TTL, timeToLive);
    }

    @Override
    public int getTrafficClass() {
        return LiveSocket.get(socket, ChannelOption.TRAFFIC_CLASS, StandardSocketOptions.IP_TOS);
    }

    @Override
    public void setTrafficClass(int trafficClass) {
        LiveSocket.set(socket, ChannelOption.TRAFFIC_CLASS, StandardSocketOptions.IP_TOS, trafficClass);
    }

    @Override
    public ReceiveBufferSizePredictor getReceiveBufferSizePredictor() {
        return predictorSetting.predictor();
    }

    @Override
    public void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor) {
        predictorSetting.setPredictor(predictor);
    }

    @Override
    public ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory() {
        return predictorSetting.factory();
    }

    @Override
    public void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory) {
        predictorSetting.setFactory(predictorFactory);
    }

    /** For transports: returns the predictor if the user set one or a factory for it, otherwise null. */
    protected ReceiveBufferSizePredictor explicitReceiveBufferSizePredictor() {
        return predictorSetting.explicitPredictor();
    }
}
