package org.freshet.channel.socket;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;

/**
 * The settings of a TCP connection. For units, ranges and defaults, see the {@link ChannelOption} constants of the same name.
 *
 * <p>Each method reads or writes the live socket, and throws {@link org.freshet.channel.ChannelException} if it is closed or refuses. A
 * value out of range throws {@link IllegalArgumentException}.
 */
public interface SocketChannelConfig extends ChannelConfig {
    boolean isTcpNoDelay();

    /**
     * Sets whether small segments are sent immediately.
     *
     * @param tcpNoDelay see {@link ChannelOption#TCP_NODELAY}
     */
    void setTcpNoDelay(boolean tcpNoDelay);

    int getSoLinger();

    /**
     * Sets how long closing may wait for unsent bytes.
     *
     * @param soLinger seconds, see {@link ChannelOption#SO_LINGER}
     */
    void setSoLinger(int soLinger);

    int getSendBufferSize();

    /**
     * Requests a size for the kernel's send buffer.
     *
     * @param sendBufferSize bytes, see {@link ChannelOption#SEND_BUFFER_SIZE}
     */
    void setSendBufferSize(int sendBufferSize);

    int getReceiveBufferSize();

    /**
     * Requests a size for the kernel's receive buffer.
     *
     * @param receiveBufferSize bytes, see {@link ChannelOption#RECEIVE_BUFFER_SIZE}
     */
    void setReceiveBufferSize(int receiveBufferSize);

    boolean isKeepAlive();

    /**
     * Sets whether the system probes an idle peer.
     *
     * @param keepAlive see {@link ChannelOption#KEEP_ALIVE}
     */
    void setKeepAlive(boolean keepAlive);

    int getTrafficClass();

    /**
     * Sets the traffic class of outgoing packets.
     *
     * @param trafficClass an octet, see {@link ChannelOption#TRAFFIC_CLASS}
     */
    void setTrafficClass(int trafficClass);

    boolean isReuseAddress();

    /**
     * Sets whether the local address may be bound while an earlier connection lingers on it.
     *
     * @param reuseAddress see {@link ChannelOption#REUSE_ADDRESS}
     */
    void setReuseAddress(boolean reuseAddress);

    /**
     * Sets what matters most; only the order of the three weights counts. NIO channels ignore it, and so do today's JDKs in general.
     *
     * @param connectionTime weight of a short time to connect
     * @param latency weight of low latency
     * @param bandwidth weight of high bandwidth
     */
    void setPerformancePreferences(int connectionTime, int latency, int bandwidth);
}
