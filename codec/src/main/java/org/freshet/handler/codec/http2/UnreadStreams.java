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
    private static final class Check {
        int unread;
        int unchanged;
    }

    private final int most;

    /** Ends a stream, and removes it from here. */
    private final Consumer<StreamChannel> drop;

    private final Map<StreamChannel, Check> checks = new LinkedHashMap<>(0);

    UnreadStreams(int most, Consumer<StreamChannel> drop) {
        this.most = most;
        this.drop = drop;
    }

    boolean isEmpty() {
        return checks.isEmpty();
    }

    /** Octets of the fields of their requests. */
    long fieldOctets() {
        long octets = 0;
        for (StreamChannel channel : checks.keySet()) {
            octets += channel.stream.fieldOctets();
        }
        return octets;
    }

    List<StreamChannel> all() {
        return List.copyOf(checks.keySet());
    }

    /** Adds a stream. Drops the oldest if there are too many. */
    void add(StreamChannel channel) {
        checks.put(channel, new Check());
        if (checks.size() > most) {
            dropOldest();
        }
    }

    void remove(StreamChannel channel) {
        checks.remove(channel);
    }

    /** Returns false if no stream is unread. */
    boolean dropOldest() {
        Iterator<StreamChannel> each = checks.keySet().iterator();
        boolean isThere = each.hasNext();
        if (isThere) {
            StreamChannel oldest = each.next();
            drop.accept(oldest);
            checks.remove(oldest); // without memory, its end goes on later, and the next call drops another one
        }
        return isThere;
    }

    /** @param isOver whether this many consecutive checks exceed the time that handlers may take to read something */
    void check(IntPredicate isOver) {
        for (StreamChannel channel : all()) {
            Check check = checks.get(channel);
            if (check == null) {
                continue; // ended by a handler of a stream dropped before it
            }
            int unread = channel.unread();
            check.unchanged = unread == check.unread ? check.unchanged + 1 : 0;
            check.unread = unread;
            if (isOver.test(check.unchanged)) {
                drop.accept(channel);
            }
        }
    }
}
