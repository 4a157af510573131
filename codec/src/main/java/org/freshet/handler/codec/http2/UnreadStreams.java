package org.freshet.handler.codec.http2;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * A server's streams that have ended on the wire but that handlers have not completely read; the oldest first. They no longer
 * count as the client's open streams, so they have bounds of their own: their number, and how long handlers may read nothing.
 *
 * <p>Belongs to its connection's thread.
 */
final class UnreadStreams {
    /** How much of a stream was unread at the last check, and how many consecutive checks gave the same result. */
    private static final class Look {
        int unread;
        int same;
    }

    private final int most;

    /** Ends a stream, and removes it from here. */
    private final Consumer<StreamChannel> drop;

    private final Map<StreamChannel, Look> looks = new LinkedHashMap<>(0);

    UnreadStreams(int most, Consumer<StreamChannel> drop) {
        this.most = most;
        this.drop = drop;
    }

    boolean isEmpty() {
        return looks.isEmpty();
    }

    /** Octets of the fields of their requests. */
    long fieldOctets() {
        long octets = 0;
        for (StreamChannel channel : looks.keySet()) {
            octets += channel.stream.fieldOctets();
        }
        return octets;
    }

    List<StreamChannel> all() {
        return List.copyOf(looks.keySet());
    }

    /** Adds a stream. Drops the oldest if there are too many. */
    void add(StreamChannel channel) {
        looks.put(channel, new Look());
        if (looks.size() > most) {
            dropOldest();
        }
    }

    void remove(StreamChannel channel) {
        looks.remove(channel);
    }

    /** Returns false if there are none. */
    boolean dropOldest() {
        Iterator<StreamChannel> each = looks.keySet().iterator();
        boolean isThere = each.hasNext();
        if (isThere) {
            drop.accept(each.next());
        }
        return isThere;
    }

    /** @param isOver whether this many consecutive checks exceed the time that handlers may take to read something */
    void check(IntPredicate isOver) {
        for (StreamChannel channel : all()) {
            Look look = looks.get(channel);
            if (look == null) {
                continue; // ended by a handler of a stream dropped before it
            }
            int unread = channel.unread();
            look.same = unread == look.unread ? look.same + 1 : 0;
            look.unread = unread;
            if (isOver.test(look.same)) {
                drop.accept(channel);
            }
        }
    }
}
