package org.freshet.telemetry;

/**
 * JMX view of the I/O loops of a bootstrap's channel factory, registered by
 * {@link org.freshet.bootstrap.Bootstrap#registerMBean}.
 */
public interface LoopsMXBean {
    int getLoopCount();

    /** The busiest loop's share of time spent working since the last call, measured over at least a second: 0 to 1. */
    double getBusyShare();

    long getChannels();

    long getTasksPending();

    /** How often a loop was held for too long; see {@link StallWatch}. */
    long getStalls();

    long getBytesRead();

    long getBytesWritten();

    /** The full statistics of each loop. */
    LoopStats[] getLoops();
}
