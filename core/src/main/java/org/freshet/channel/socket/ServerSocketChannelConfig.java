package org.freshet.channel.socket;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;

/**
 * The settings of a listening TCP socket. For units, ranges and defaults, see the {@link ChannelOption} constants of the same name.
 *
 * <p>Except for the backlog, each is read from and written to the live socket, and throws {@link org.freshet.channel.ChannelException} if
 * it is closed or refuses. A value out of range throws {@link IllegalArgumentException}.
 */
public interface ServerSocketChannelConfig extends ChannelConfig {
    int getBacklog();

    /**
     * Sets how many connections may wait to be accepted. Used when the channel is bound; later changes have no effect.
     *
     * @param backlog connections, see {@link ChannelOption#BACKLOG}
     */
    void setBacklog(int backlog);

    boolean isReuseAddress();

    /**
     * Sets whether the address may be bound while earlier connections linger on it. Set it before binding.
     *
     * @param reuseAddress see {@link ChannelOption#REUSE_ADDRESS}
     */
    void setReuseAddress(boolean reuseAddress);

    int getReceiveBufferSize();

    /**
     * Requests a size for the kernel's receive buffer of each accepted connection.
     *
     * @param receiveBufferSize bytes, see {@link ChannelOption#RECEIVE_BUFFER_SIZE}
     */
    void setReceiveBufferSize(int receiveBufferSize);

    /**
     * Sets what matters most for accepted connections; only the order of the three weights counts. NIO channels ignore it, and so do
     * today's JDKs in general.
     *
     * @param connectionTime weight of a short time to connect
     * @param latency weight of low latency
     * @param bandwidth weight of high bandwidth
     */
    void setPerformancePreferences(int connectionTime, int latency, int bandwidth);
}
