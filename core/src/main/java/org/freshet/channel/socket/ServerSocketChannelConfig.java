package org.freshet.channel.socket;

import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelOption;

/**
 * The settings of a listening TCP socket. Units, ranges and defaults are those of the {@link ChannelOption} constants of like
 * name.
 *
 * <p>Other than the backlog, each is read from and set in the live socket, with
 * {@link org.freshet.channel.ChannelException} when that is closed or refuses. A value out of range is an
 * {@link IllegalArgumentException}.
 */
public interface ServerSocketChannelConfig extends ChannelConfig {
    int getBacklog();

    /**
     * How many connections may wait to be accepted. Counts when the channel is bound; later changes do nothing.
     *
     * @param backlog connections, see {@link ChannelOption#BACKLOG}
     */
    void setBacklog(int backlog);

    boolean isReuseAddress();

    /**
     * Whether the address may be bound while earlier connections linger on it. To be set before binding.
     *
     * @param reuseAddress see {@link ChannelOption#REUSE_ADDRESS}
     */
    void setReuseAddress(boolean reuseAddress);

    int getReceiveBufferSize();

    /**
     * Asks for a size of the kernel's receive buffer of each connection that will be accepted.
     *
     * @param receiveBufferSize bytes, see {@link ChannelOption#RECEIVE_BUFFER_SIZE}
     */
    void setReceiveBufferSize(int receiveBufferSize);

    /**
     * Hints what matters most for accepted connections; only the order of the three counts. NIO channels, and today's JDKs
     * altogether, ignore it.
     *
     * @param connectionTime weight of a short time to connect
     * @param latency weight of low latency
     * @param bandwidth weight of high bandwidth
     */
    void setPerformancePreferences(int connectionTime, int latency, int bandwidth);
}
