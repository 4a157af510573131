package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Map;

/** A map whose values the garbage collector may free as soon as they are not referenced elsewhere. Its views are copies of the moment. */
public class WeakReferenceMap<K, V> extends ReferenceMap<K, V> {
    /** @param map where the references are kept; belongs to the new map, which is as thread-safe as this one is */
    public WeakReferenceMap(Map<K, Reference<V>> map) {
        super(map);
    }

    @Override
    Reference<V> refer(V value) {
        return new WeakReference<>(value);
    }
}
