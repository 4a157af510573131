package org.freshet.channel.socket;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;

/**
 * The settings of a TCP connection. Units, ranges and defaults are those of the {@link ChannelOption} constants of like name.
 *
 * <p>Each method reads or sets the live socket, and throws {@link org.freshet.channel.ChannelException} when that is closed or
 * refuses. A value out of range is an {@link IllegalArgumentException}.
 */
public interface SocketChannelConfig extends ChannelConfig {
    boolean isTcpNoDelay();

    /**
     * Whether small segments leave at once.
     *
     * @param tcpNoDelay see {@link ChannelOption#TCP_NODELAY}
     */
    void setTcpNoDelay(boolean tcpNoDelay);

    int getSoLinger();

    /**
     * How long closing may wait for unsent bytes.
     *
     * @param soLinger seconds, see {@link ChannelOption#SO_LINGER}
     */
    void setSoLinger(int soLinger);

    int getSendBufferSize();

    /**
     * Asks for a size of the kernel's send buffer.
     *
     * @param sendBufferSize bytes, see {@link ChannelOption#SEND_BUFFER_SIZE}
     */
    void setSendBufferSize(int sendBufferSize);

    int getReceiveBufferSize();

    /**
     * Asks for a size of the kernel's receive buffer.
     *
     * @param receiveBufferSize bytes, see {@link ChannelOption#RECEIVE_BUFFER_SIZE}
     */
    void setReceiveBufferSize(int receiveBufferSize);

    boolean isKeepAlive();

    /**
     * Whether the system probes an idle peer.
     *
     * @param keepAlive see {@link ChannelOption#KEEP_ALIVE}
     */
    void setKeepAlive(boolean keepAlive);

    int getTrafficClass();

    /**
     * Marks outgoing packets.
     *
     * @param trafficClass an octet, see {@link ChannelOption#TRAFFIC_CLASS}
     */
    void setTrafficClass(int trafficClass);

    boolean isReuseAddress();

    /**
     * Whether the local address may be bound while an earlier connection lingers on it.
     *
     * @param reuseAddress see {@link ChannelOption#REUSE_ADDRESS}
     */
    void setReuseAddress(boolean reuseAddress);

    /**
     * Hints what matters most; only the order of the three counts. NIO channels, and today's JDKs altogether, ignore it.
     *
     * @param connectionTime weight of a short time to connect
     * @param latency weight of low latency
     * @param bandwidth weight of high bandwidth
     */
    void setPerformancePreferences(int connectionTime, int latency, int bandwidth);
}
