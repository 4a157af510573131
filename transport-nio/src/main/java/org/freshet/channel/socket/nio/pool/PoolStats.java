package org.freshet.channel.socket.nio.pool;

import java.util.ArrayList;
import java.util.List;
import org.freshet.telemetry.LoopSource;
import org.freshet.telemetry.LoopStats;

/** The statistics of the loops of a factory's pools. Users may have supplied some of the pools. */
public final class PoolStats {
    private PoolStats() {}

    public static List<LoopStats> of(Object... pools) {
        List<LoopStats> all = new ArrayList<>();
        for (Object pool : pools) {
            if (pool instanceof LoopSource source) {
                all.addAll(source.loopStats());
            }
        }
        return all;
    }
}
