package org.freshet.channel;

/** A {@link ChannelFutureListener} that is also called with the progress of a long transfer, such as that of a file. */
public interface ChannelFutureProgressListener extends ChannelFutureListener {
    /**
     * Called by the thread that reports progress, any number of times before {@link #operationComplete} and, as long as
     * one thread reports and completes, never after it.
     *
     * @param amount bytes transferred since the last call
     * @param current bytes transferred so far
     * @param total bytes to transfer, or -1 if unknown
     */
    void operationProgressed(ChannelFuture future, long amount, long current, long total) throws Exception;
}
