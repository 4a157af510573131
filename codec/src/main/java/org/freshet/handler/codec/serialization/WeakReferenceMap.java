package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;

/**
 * A map whose values the garbage collector may clear once they are not referenced elsewhere. Its views are snapshots.
 */
public class WeakReferenceMap<K, V> extends ReferenceMap<K, V> {
    /** @param map holds the references; belongs to the new map, which is as thread-safe as this one */
    public WeakReferenceMap(Map<K, Reference<V>> map) {
        super(map);
    }

    @Override
    Reference<V> refer(V value) {
        return new WeakReference<>(value);
    }
}
