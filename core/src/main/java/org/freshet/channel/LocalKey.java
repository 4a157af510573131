package org.freshet.channel;

import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * Finds the values of one {@link ChannelLocal} in the channels that store them.
 *
 * <p>A channel has an array of pairs, each a key and its value. The array is never modified: every change replaces it with a changed copy
 * by compare-and-set, so an addition cannot lose a value that another thread sets at the same time. Pipelines use their locals in the same
 * order on each connection, so a key is nearly always at the index where it was last put. Looking there first makes a read one bounds check
 * and two loads, and the array is no longer than the values need. Numbered slots would need an array as long as the highest number that a
 * channel uses.
 *
 * <p>A pair whose {@code ChannelLocal} is garbage is dropped when the next one is added. Any thread may call any method.
 */
final class LocalKey extends WeakReference<ChannelLocal<?>> {
    private static final Object[] NO_PAIRS = {};

    /** Where the key was last put, in any channel. A hint: threads may see an old value. */
    private int usualIndex;

    LocalKey(ChannelLocal<?> owner) {
        super(owner);
    }

    /** Null if the channel has no value. */
    Object get(AbstractChannel channel) {
        Object[] pairs = channel.locals();
        int index = indexIn(pairs);
        return index < 0 ? null : pairs[index + 1];
    }

    /** Returns the previous value, or null. */
    Object set(AbstractChannel channel, Object value) {
        while (true) {
            Object[] pairs = channel.locals();
            int index = indexIn(pairs);
            if (index < 0) {
                if (channel.replaceLocals(pairs, added(pairs, value))) {
                    return null;
                }
            } else if (channel.replaceLocals(pairs, replaced(pairs, index, value))) {
                return pairs[index + 1];
            }
        }
    }

    /** Returns the existing value and changes nothing; null if the value was set. */
    Object setIfAbsent(AbstractChannel channel, Object value) {
        while (true) {
            Object[] pairs = channel.locals();
            int index = indexIn(pairs);
            if (index >= 0) {
                return pairs[index + 1];
            }
            if (channel.replaceLocals(pairs, added(pairs, value))) {
                return null;
            }
        }
    }

    /** Returns the previous value, or null. */
    Object remove(AbstractChannel channel) {
        while (true) {
            Object[] pairs = channel.locals();
            int index = indexIn(pairs);
            if (index < 0) {
                return null;
            }
            if (channel.replaceLocals(pairs, removed(pairs, index))) {
                return pairs[index + 1];
            }
        }
    }

    private int indexIn(Object[] pairs) {
        if (pairs == null) {
            return -1;
        }
        int usual = usualIndex;
        if (usual < pairs.length && pairs[usual] == this) {
            return usual;
        }
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i] == this) {
                return i;
            }
        }
        return -1;
    }

    private Object[] added(Object[] pairs, Object value) {
        Object[] kept = pairs == null ? NO_PAIRS : withoutGarbage(pairs);
        int index = kept.length;
        Object[] copy = Arrays.copyOf(kept, index + 2);
        copy[index] = this;
        copy[index + 1] = value;
        if (usualIndex != index) { // avoid writing to a cache line that all readers share
            usualIndex = index;
        }
        return copy;
    }

    private static Object[] withoutGarbage(Object[] pairs) {
        Object[] kept = pairs.clone();
        int length = 0;
        for (int i = 0; i < pairs.length; i += 2) {
            if (!((LocalKey) pairs[i]).refersTo(null)) {
                kept[length++] = pairs[i];
                kept[length++] = pairs[i + 1];
            }
        }
        return length == pairs.length ? pairs : Arrays.copyOf(kept, length);
    }

    private static Object[] replaced(Object[] pairs, int index, Object value) {
        Object[] copy = pairs.clone();
        copy[index + 1] = value;
        return copy;
    }

    private static Object[] removed(Object[] pairs, int index) {
        if (pairs.length == 2) {
            return null;
        }
        Object[] copy = Arrays.copyOf(pairs, pairs.length - 2);
        System.arraycopy(pairs, index + 2, copy, index, copy.length - index);
        return copy;
    }
}
