package org.freshet.handler.codec.http2;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * A server's streams that have ended on the wire, and of which handlers have not read all: the oldest first. Each has freed its place among
 * the client's streams, so these have bounds of their own: their number, and how long handlers may read nothing.
 *
 * <p>Belongs to the thread of its connection.
 */
final class UnreadStreams {
    /** How much of a stream was unread at the last look, and how many looks in a row have found it so. */
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

    /** Adds a stream. One too many drops the oldest. */
    void add(StreamChannel channel) {
        looks.put(channel, new Look());
        if (looks.size() > most) {
            dropOldest();
        }
    }

    void remove(StreamChannel channel) {
        looks.remove(channel);
    }

    /** Returns false if there is none. */
    boolean dropOldest() {
        Iterator<StreamChannel> each = looks.keySet().iterator();
        boolean isThere = each.hasNext();
        if (isThere) {
            drop.accept(each.next());
        }
        return isThere;
    }

    /** @param isOver whether so many looks are more than handlers may take to read something */
    void check(IntPredicate isOver) {
        for (StreamChannel channel : all()) {
            Look look = looks.get(channel);
            if (look == null) {
                continue; // ended by a handler of one that was dropped
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
