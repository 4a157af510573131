package org.freshet.channel;

/** A {@link ChannelFutureListener} that is also told how far a long transfer has come, such as that of a file. */
public interface ChannelFutureProgressListener extends ChannelFutureListener {
    /**
     * Called by the thread that reports progress, any number of times before {@link #operationComplete} and, as long as
     * one thread reports and completes, never after it.
     *
     * @param amount bytes transferred since the last call
     * @param current bytes transferred so far
     * @param total bytes to transfer, or -1 when nobody knows
     */
    void operationProgressed(ChannelFuture future, long amount, long current, long total) throws Exception;
}
