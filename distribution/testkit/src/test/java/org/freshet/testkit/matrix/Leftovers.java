package org.freshet.testkit.matrix;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;

/** Channels of finished runs: nothing may refer to them. One thread. */
final class Leftovers {
    /** A channel with TLS is released within a second of real time; what refers to it until then is unknown. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record Channels(Cell cell, WeakReference<Channel> channel) {}

    private final List<Channels> channels = new ArrayList<>();

    void add(Cell cell, WeakReference<Channel> channel) {
        channels.add(new Channels(cell, channel));
    }

    /** Returns the cells whose channels are still reachable after some seconds of garbage collections. */
    List<Cell> find() {
        long beginNanos = System.nanoTime();
        while (channels.stream().anyMatch(Leftovers::isThere) && System.nanoTime() - beginNanos < PATIENCE_NANOS) {
            System.gc();
        }
        return channels.stream().filter(Leftovers::isThere).map(Channels::cell).toList();
    }

    private static boolean isThere(Channels each) {
        return each.channel.get() != null;
    }
}
