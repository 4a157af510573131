package org.freshet.channel.socket;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;

/**
 * The settings of a UDP channel. Units, ranges and defaults are those of the {@link ChannelOption} constants of like name.
 *
 * <p>Those of the socket are read from and set in the live socket, with {@link org.freshet.channel.ChannelException} when that is
 * closed or refuses. A value out of range is an {@link IllegalArgumentException}.
 */
public interface DatagramChannelConfig extends ChannelConfig {
    int getSendBufferSize();

    /**
     * Asks for a size of the kernel's send buffer, which bounds a datagram on some systems.
     *
     * @param sendBufferSize bytes, see {@link ChannelOption#SEND_BUFFER_SIZE}
     */
    void setSendBufferSize(int sendBufferSize);

    int getReceiveBufferSize();

    /**
     * Asks for a size of the kernel's receive buffer; datagrams that do not fit are lost.
     *
     * @param receiveBufferSize bytes, see {@link ChannelOption#RECEIVE_BUFFER_SIZE}
     */
    void setReceiveBufferSize(int receiveBufferSize);

    int getTrafficClass();

    /**
     * Marks outgoing packets.
     *
     * @param trafficClass an octet, see {@link ChannelOption#TRAFFIC_CLASS}
     */
    void setTrafficClass(int trafficClass);

    boolean isReuseAddress();

    /**
     * Whether several sockets may be bound to the same address, as receivers of a multicast group on one host need.
     *
     * @param reuseAddress see {@link ChannelOption#REUSE_ADDRESS}
     */
    void setReuseAddress(boolean reuseAddress);

    boolean isBroadcast();

    /**
     * Whether datagrams may be sent to a broadcast address.
     *
     * @param broadcast see {@link ChannelOption#BROADCAST}
     */
    void setBroadcast(boolean broadcast);

    boolean isLoopbackModeDisabled();

    /**
     * Whether this host's own sockets do not get the multicast datagrams that this channel sends.
     *
     * @param loopbackModeDisabled see {@link ChannelOption#LOOPBACK_MODE_DISABLED}
     */
    void setLoopbackModeDisabled(boolean loopbackModeDisabled);

    int getTimeToLive();

    /**
     * How many hops multicast datagrams may make.
     *
     * @param timeToLive hops, see {@link ChannelOption#TIME_TO_LIVE}
     */
    void setTimeToLive(int timeToLive);

    /** An address of the interface that multicast datagrams leave by; null when the system chooses. */
    InetAddress getInterface();

    /**
     * Chooses the interface that multicast datagrams leave by.
     *
     * @param interfaceAddress one of its addresses, see {@link ChannelOption#INTERFACE}
     */
    void setInterface(InetAddress interfaceAddress);

    /** The interface that multicast datagrams leave by; null when the system chooses. */
    NetworkInterface getNetworkInterface();

    /**
     * Chooses the interface that multicast datagrams leave by.
     *
     * @param networkInterface not null, see {@link ChannelOption#NETWORK_INTERFACE}
     */
    void setNetworkInterface(NetworkInterface networkInterface);

    /**
     * The predictor that bounds received datagrams when the user set it or its factory; else datagrams of any size are received.
     * Made by the factory when first asked for.
     */
    ReceiveBufferSizePredictor getReceiveBufferSizePredictor();

    /**
     * Sets the predictor, which wins over the factory.
     *
     * @param predictor not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR}
     */
    void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor);

    ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory();

    /**
     * Sets what makes the predictor, and drops one that an earlier factory made.
     *
     * @param predictorFactory not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY}
     */
    void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory);
}
