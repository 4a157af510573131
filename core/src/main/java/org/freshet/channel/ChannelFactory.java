package org.freshet.channel;

import org.freshet.util.ExternalResourceReleasable;

/**
 * Makes the channels of one transport and owns the threads that drive them. A program needs one for its clients and one
 * for its servers, not one a connection. Any thread may call any method except where it would wait for itself.
 *
 * <p>To leave in good order: unbind the servers, close the channels ({@link org.freshet.channel.group.ChannelGroup}
 * helps with both), wait for that, then call {@link #releaseExternalResources()}.
 */
public interface ChannelFactory extends ExternalResourceReleasable {
    /**
     * Makes an open channel.
     *
     * @param pipeline the channel's own; it is attached to the channel and cannot be used for another
     * @throws ChannelException if the channel cannot be made, for want of file descriptors for instance
     */
    Channel newChannel(ChannelPipeline pipeline);

    /** Ends the threads of this factory; channels that are still open will not work any more. */
    void shutdown();

    /**
     * Ends the threads as {@link #shutdown()} does, waits for them, and shuts down the executors and pools the factory was
     * given or has made. Must not be called from an I/O thread.
     */
    @Override
    void releaseExternalResources();
}
