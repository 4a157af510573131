package org.freshet.telemetry;

import java.util.List;

/** Has I/O loops: the channel factories and pools of the NIO transport, and a channel, which has one loop. */
public interface LoopSource {
    /**
     * Returns statistics of the loops, always as the same objects. Any thread may call it.
     *
     * @return live views; you can keep them and read them again
     */
    List<LoopStats> loopStats();
}
