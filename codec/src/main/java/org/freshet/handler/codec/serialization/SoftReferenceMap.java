package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.util.Map;

/** A map with values that the garbage collector takes when memory runs short. Its views are copies of the moment. */
public class SoftReferenceMap<K, V> extends ReferenceMap<K, V> {
    /** @param map where the references are kept; belongs to the new map, which is as thread-safe as this one is */
    public SoftReferenceMap(Map<K, Reference<V>> map) {
        super(map);
    }

    @Override
    Reference<V> refer(V value) {
        return new SoftReference<>(value);
    }
}
