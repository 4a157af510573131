package org.freshet.telemetry;

import java.util.List;

/** What has I/O loops: the channel factories and pools of the NIO transport, and a channel, which has one. */
public interface LoopSource {
    /**
     * The numbers of its loops, which are always the same objects. Any thread.
     *
     * @return live views: they can be kept, and asked again
     */
    List<LoopStats> loopStats();
}
