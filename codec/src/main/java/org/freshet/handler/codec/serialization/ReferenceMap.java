package org.freshet.handler.codec.serialization;

import java.lang.ref.Reference;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A map whose values can be garbage-collected. A key stays until it is removed or put again. Views are unmodifiable
 * snapshots of the live entries. As thread-safe as the underlying map.
 */
abstract class ReferenceMap<K, V> implements Map<K, V> {
    private final Map<K, Reference<V>> references;

    ReferenceMap(Map<K, Reference<V>> references) {
        this.references = Objects.requireNonNull(references, "map");
    }

    abstract Reference<V> refer(V value);

    private static <V> V referent(Reference<V> reference) {
        return reference == null ? null : reference.get();
    }

    private Map<K, V> live() {
        Map<K, V> live = new LinkedHashMap<>();
        references.forEach((key, reference) -> {
            V value = reference.get();
            if (value != null) {
                live.put(key, value);
            }
        });
        return live;
    }

    /** Includes keys whose values were collected, as long as these keys are there. */
    @Override
    public int size() {
        return references.size();
    }

    @Override
    public boolean isEmpty() {
        return references.isEmpty();
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public boolean containsValue(Object value) {
        return live().containsValue(value);
    }

    @Override
    public V get(Object key) {
        return referent(references.get(key));
    }

    @Override
    public V put(K key, V value) {
        return referent(references.put(key, refer(Objects.requireNonNull(value, "value"))));
    }

    @Override
    public V remove(Object key) {
        return referent(references.remove(key));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        map.forEach(this::put);
    }

    @Override
    public void clear() {
        references.clear();
    }

    @Override
    public Set<K> keySet() {
        return Set.copyOf(live().keySet());
    }

    @Override
    public Collection<V> values() {
        return java.util.List.copyOf(live().values());
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return java.util.Collections.unmodifiableMap(live()).entrySet();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Map<?, ?> map && live().equals(map);
    }

    @Override
    public int hashCode() {
        return live().hashCode();
    }

    @Override
    public String toString() {
        return live().toString();
    }
}
