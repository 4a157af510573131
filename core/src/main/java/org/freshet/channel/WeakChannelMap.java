package org.freshet.channel;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Maps channels, compared by identity and weakly referenced, to values. Any thread may call any method.
 *
 * <p>Entries of collected channels are removed at the next put or iteration.
 */
final class WeakChannelMap {
    private static final class Key extends WeakReference<Channel> {
        private final int hash;

        Key(Channel channel, ReferenceQueue<Channel> collected) {
            super(channel, collected);
            hash = System.identityHashCode(channel);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        /** A cleared key is still equal to itself, so it can be removed. */
        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Channel channel = get();
            return channel != null && other instanceof Key key && key.refersTo(channel);
        }
    }

    /** Equal to the key of its channel; avoids creating a weak reference for a look-up. */
    private record Lookup(Channel channel) {
        @Override
        public int hashCode() {
            return System.identityHashCode(channel);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.refersTo(channel);
        }
    }

    private final ConcurrentHashMap<Object, Object> values = new ConcurrentHashMap<>();
    private final ReferenceQueue<Channel> collected = new ReferenceQueue<>();

    /** Null if the channel has no value. */
    Object get(Channel channel) {
        return values.get(new Lookup(channel));
    }

    /** Returns the previous value, or null. */
    Object put(Channel channel, Object value) {
        dropCollected();
        return values.put(new Key(channel, collected), value);
    }

    /** Returns the existing value and changes nothing; null if the value was put. */
    Object putIfAbsent(Channel channel, Object value) {
        dropCollected();
        return values.putIfAbsent(new Key(channel, collected), value);
    }

    /** Returns the previous value, or null. */
    Object remove(Channel channel) {
        return values.remove(new Lookup(channel));
    }

    /** Iterates over the channels that have not been collected; weakly consistent. */
    Iterator<Channel> keys() {
        dropCollected();
        return values.keySet().stream()
                .map(key -> ((Key) key).get())
                .filter(Objects::nonNull)
                .iterator();
    }

    private void dropCollected() {
        for (Reference<?> key = collected.poll(); key != null; key = collected.poll()) {
            values.remove(key);
        }
    }
}
