package org.freshet.handler.codec.http2;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The streams of a connection by number, in an open-addressing hash table. Also remembers the streams we reset last, for which
 * frames may still be in flight.
 *
 * <p>Belongs to its connection's thread.
 */
final class Streams {
    private static final int RESET_REMEMBERED = 128;

    private Stream[] slots = new Stream[16];
    private int count;

    /** 0 marks an unused entry; null before the first reset. */
    private int[] recentlyReset;

    /** The number of resets so far; determines the next index. */
    private int nextReset;

    int count() {
        return count;
    }

    Stream get(int id) {
        int mask = slots.length - 1;
        for (int slot = slot(id, mask); slots[slot] != null; slot = slot + 1 & mask) {
            if (slots[slot].id() == id) {
                return slots[slot];
            }
        }
        return null;
    }

    /** @param stream a stream whose number is not contained yet */
    void add(Stream stream) {
        if ((count + 1) * 2 > slots.length) {
            Stream[] old = slots;
            slots = new Stream[old.length * 2];
            for (Stream each : old) {
                put(each);
            }
        }
        put(stream);
        count++; // last: without memory for the slots, it isn't contained
    }

    private void put(Stream stream) {
        if (stream != null) {
            int mask = slots.length - 1;
            int slot = slot(stream.id(), mask);
            while (slots[slot] != null) {
                slot = slot + 1 & mask;
            }
            slots[slot] = stream;
        }
    }

    /** Removes the stream if it is contained, and moves up the ones that it had displaced. */
    void remove(Stream stream) {
        int mask = slots.length - 1;
        int slot = slot(stream.id(), mask);
        while (slots[slot] != stream) {
            if (slots[slot] == null) {
                return;
            }
            slot = slot + 1 & mask;
        }
        slots[slot] = null;
        count--;
        for (int next = slot + 1 & mask; slots[next] != null; next = next + 1 & mask) {
            Stream moved = slots[next];
            slots[next] = null;
            put(moved);
        }
    }

    /** Runs the action for each current stream, even if the action adds or removes some. */
    void forEach(Consumer<Stream> action) {
        for (Stream stream : Arrays.stream(slots).filter(each -> each != null).toList()) {
            action.accept(stream);
        }
    }

    boolean any(Predicate<Stream> condition) {
        for (Stream stream : slots) {
            if (stream != null && condition.test(stream)) {
                return true;
            }
        }
        return false;
    }

    void rememberReset(int id) {
        if (recentlyReset == null) {
            recentlyReset = new int[RESET_REMEMBERED];
        }
        recentlyReset[nextReset++ & RESET_REMEMBERED - 1] = id;
    }

    /**
     * Whether frames for a stream that is gone may still be in flight. Once more streams were reset than we remember, always
     * true.
     */
    boolean wasReset(int id) {
        if (nextReset > RESET_REMEMBERED) {
            return true;
        }
        for (int i = 0; recentlyReset != null && i < RESET_REMEMBERED; i++) {
            if (recentlyReset[i] == id) {
                return true;
            }
        }
        return false;
    }

    /** The numbers of one side are all odd or all even. */
    private static int slot(int id, int mask) {
        return id >>> 1 & mask;
    }
}
