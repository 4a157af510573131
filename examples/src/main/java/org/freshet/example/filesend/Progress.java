package org.freshet.example.filesend;

import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureProgressListener;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;

/**
 * Prints the progress of a file twice per second. Called on the channel's I/O thread; the summary is for after that.
 */
final class Progress implements ChannelFutureProgressListener {
    private static final long PRINT_NANOS = 500_000_000;

    private final ChannelTrafficShapingHandler shaping;
    private final long startNanos = System.nanoTime();
    private long nextPrintNanos = PRINT_NANOS;

    private volatile long sentBytes;
    private volatile long mostWaitingBytes;
    private volatile long endNanos;

    Progress(ChannelTrafficShapingHandler shaping) {
        this.shaping = shaping;
    }

    /** Called when a chunk has been sent. */
    @Override
    public void operationProgressed(ChannelFuture future, long amount, long current, long total) {
        sentBytes = current;
        mostWaitingBytes = Math.max(mostWaitingBytes, shaping.queueSize());
        long nanos = System.nanoTime() - startNanos;
        if (nanos >= nextPrintNanos) {
            nextPrintNanos = nanos + PRINT_NANOS;
            System.out.printf("%5.1f %% sent%n", current * 100.0 / total);
        }
    }

    @Override
    public void operationComplete(ChannelFuture future) {
        endNanos = System.nanoTime();
        if (!future.isSuccess()) {
            System.err.println("not sent: " + future.getCause());
        }
    }

    void summarize() {
        double seconds = (endNanos - startNanos) / 1e9;
        System.out.printf(
                "%d bytes sent in %.2f s: %.0f KiB/s; at most %d KiB were held back%n",
                sentBytes, seconds, sentBytes / 1024 / seconds, mostWaitingBytes / 1024);
    }
}
