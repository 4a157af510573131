package org.freshet.channel.socket;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ReceiveBufferSizePredictor;
import org.freshet.channel.ReceiveBufferSizePredictorFactory;

/**
 * The settings of a UDP channel. For units, ranges and defaults, see the {@link ChannelOption} constants of the same name.
 *
 * <p>Socket settings are read from and written to the live socket; they throw {@link org.freshet.channel.ChannelException} if it is closed
 * or refuses. A value out of range throws {@link IllegalArgumentException}.
 */
public interface DatagramChannelConfig extends ChannelConfig {
    int getSendBufferSize();

    /**
     * Requests a size for the kernel's send buffer. On some systems it limits the size of a datagram.
     *
     * @param sendBufferSize bytes, see {@link ChannelOption#SEND_BUFFER_SIZE}
     */
    void setSendBufferSize(int sendBufferSize);

    int getReceiveBufferSize();

    /**
     * Requests a size for the kernel's receive buffer. Datagrams that do not fit are lost.
     *
     * @param receiveBufferSize bytes, see {@link ChannelOption#RECEIVE_BUFFER_SIZE}
     */
    void setReceiveBufferSize(int receiveBufferSize);

    int getTrafficClass();

    /**
     * Sets the traffic class of outgoing packets.
     *
     * @param trafficClass an octet, see {@link ChannelOption#TRAFFIC_CLASS}
     */
    void setTrafficClass(int trafficClass);

    boolean isReuseAddress();

    /**
     * Sets whether several sockets may be bound to the same address, as needed for several receivers of a multicast group on one host.
     *
     * @param reuseAddress see {@link ChannelOption#REUSE_ADDRESS}
     */
    void setReuseAddress(boolean reuseAddress);

    boolean isBroadcast();

    /**
     * Sets whether datagrams may be sent to a broadcast address.
     *
     * @param broadcast see {@link ChannelOption#BROADCAST}
     */
    void setBroadcast(boolean broadcast);

    boolean isLoopbackModeDisabled();

    /**
     * Sets whether this host's own sockets don't receive the multicast datagrams that this channel sends.
     *
     * @param loopbackModeDisabled see {@link ChannelOption#LOOPBACK_MODE_DISABLED}
     */
    void setLoopbackModeDisabled(boolean loopbackModeDisabled);

    int getTimeToLive();

    /**
     * Sets how many hops multicast datagrams can travel.
     *
     * @param timeToLive hops, see {@link ChannelOption#TIME_TO_LIVE}
     */
    void setTimeToLive(int timeToLive);

    /** Returns an address of the interface for outgoing multicast datagrams; null if the system chooses. */
    InetAddress getInterface();

    /**
     * Sets the interface for outgoing multicast datagrams.
     *
     * @param interfaceAddress one of its addresses, see {@link ChannelOption#INTERFACE}
     */
    void setInterface(InetAddress interfaceAddress);

    /** Returns the interface for outgoing multicast datagrams; null if the system chooses. */
    NetworkInterface getNetworkInterface();

    /**
     * Sets the interface for outgoing multicast datagrams.
     *
     * @param networkInterface not null, see {@link ChannelOption#NETWORK_INTERFACE}
     */
    void setNetworkInterface(NetworkInterface networkInterface);

    /**
     * Returns the predictor. It limits the size of received datagrams only if you set it or its factory; otherwise datagrams of any size
     * are received. The factory creates it on the first call.
     */
    ReceiveBufferSizePredictor getReceiveBufferSizePredictor();

    /**
     * Sets the predictor. It takes precedence over the factory.
     *
     * @param predictor not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR}
     */
    void setReceiveBufferSizePredictor(ReceiveBufferSizePredictor predictor);

    ReceiveBufferSizePredictorFactory getReceiveBufferSizePredictorFactory();

    /**
     * Sets the factory of the predictor, and drops a predictor created by an earlier factory.
     *
     * @param predictorFactory not null, see {@link ChannelOption#RECEIVE_BUFFER_SIZE_PREDICTOR_FACTORY}
     */
    void setReceiveBufferSizePredictorFactory(ReceiveBufferSizePredictorFactory predictorFactory);
}
