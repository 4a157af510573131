package org.freshet.channel;

import org.freshet.util.ExternalResourceReleasable;

/**
 * Creates the channels of one transport and owns the threads that drive them. A program needs one factory for its clients and one for its
 * servers, not one per connection. Any thread may call any method, except that an I/O thread must not wait for itself.
 *
 * <p>To shut down cleanly: unbind the servers, close the channels ({@link org.freshet.channel.group.ChannelGroup} does both), wait for
 * that, then call {@link #releaseExternalResources()}.
 */
public interface ChannelFactory extends ExternalResourceReleasable {
    /**
     * Creates an open channel. Once this factory has been shut down, the socket transports return a closed one.
     *
     * @param pipeline the channel's own; it is attached to the channel and cannot be used for another
     * @throws ChannelException if the channel cannot be created, for example because no file descriptor is left
     */
    Channel newChannel(ChannelPipeline pipeline);

    /** Stops the threads of this factory. Channels that are still open stop working. */
    void shutdown();

    /**
     * Stops the threads like {@link #shutdown()}, waits for them, and shuts down the factory's executors and pools, including those you
     * gave it. Must not be called from an I/O thread.
     */
    @Override
    void releaseExternalResources();
}
