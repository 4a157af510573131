package org.freshet.channel;

/** A {@link ChannelFutureListener} that is also notified of the progress of a long transfer, such as a file's. */
public interface ChannelFutureProgressListener extends ChannelFutureListener {
    /**
     * Called on the thread that reports progress, any number of times before {@link #operationComplete}. It is never called afterwards if
     * one thread both reports and completes.
     *
     * @param amount bytes transferred since the last call
     * @param current bytes transferred so far
     * @param total bytes to transfer, or -1 if unknown
     */
    void operationProgressed(ChannelFuture future, long amount, long current, long total) throws Exception;
}
