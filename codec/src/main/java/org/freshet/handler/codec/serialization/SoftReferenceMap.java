package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.util.Map;

/** A map whose values the garbage collector clears when memory runs short. Its views are snapshots. */
public class SoftReferenceMap<K, V> extends ReferenceMap<K, V> {
    /** @param map holds the references; belongs to the new map, which is as thread-safe as this one */
    public SoftReferenceMap(Map<K, Reference<V>> map) {
        super(map);
    }

    @Override
    Reference<V> refer(V value) {
        return new SoftReference<>(value);
    }
}
