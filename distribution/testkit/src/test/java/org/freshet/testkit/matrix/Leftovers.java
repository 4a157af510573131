package org.freshet.testkit.matrix;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;

/** Channels of runs that are over: nothing must refer to them. One thread. */
final class Leftovers {
    private static final int COLLECTIONS = 10;

    private record Channels(Cell cell, WeakReference<Channel> channel) {}

    private final List<Channels> channels = new ArrayList<>();

    void add(Cell cell, WeakReference<Channel> channel) {
        channels.add(new Channels(cell, channel));
    }

    /** Returns the cells whose channels are still there after a collection. */
    List<Cell> find() {
        for (int i = 0; i < COLLECTIONS && channels.stream().anyMatch(Leftovers::isThere); i++) {
            System.gc();
        }
        return channels.stream().filter(Leftovers::isThere).map(Channels::cell).toList();
    }

    private static boolean isThere(Channels each) {
        return each.channel.get() != null;
    }
}
