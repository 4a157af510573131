package org.freshet.telemetry;

/** The I/O loops of a bootstrap's channel factory in JMX; {@link org.freshet.bootstrap.Bootstrap#registerMBean} registers it. */
public interface LoopsMXBean {
    int getLoopCount();

    /** The share of its time that the busiest loop has worked since this was asked last, of at least a second: 0 to 1. */
    double getBusyShare();

    long getChannels();

    long getTasksPending();

    /** How often loops were held for too long; see {@link StallWatch}. */
    long getStalls();

    long getBytesRead();

    long getBytesWritten();

    /** All numbers of each loop. */
    LoopStats[] getLoops();
}
