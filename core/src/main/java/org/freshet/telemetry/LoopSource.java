package org.freshet.telemetry;

import java.util.List;

/** Something with I/O loops: a channel factory or pool of the NIO transport, or a channel, which has one loop. */
public interface LoopSource {
    /**
     * Returns statistics of the loops, always as the same objects. Any thread may call it.
     *
     * @return live views; you can keep them and read them again
     */
    List<LoopStats> loopStats();
}
