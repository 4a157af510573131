package org.freshet.microbench.codec;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.freshet.handler.codec.http.HttpHeaders;

/**
 * Headers in a JDK map, sorted by name, to compare with Freshet's, which refer to the received bytes. For one thread.
 */
final class TreeMapHeaders extends HttpHeaders {
    private final Map<String, List<String>> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    @Override
    public String get(String name) {
        List<String> present = values.get(name);
        return present == null ? null : present.get(0);
    }

    @Override
    public List<String> getAll(String name) {
        return new ArrayList<>(values.getOrDefault(name, List.of()));
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        List<Map.Entry<String, String>> entries = new ArrayList<>();
        values.forEach((name, all) -> all.forEach(value -> entries.add(Map.entry(name, value))));
        return entries;
    }

    @Override
    public boolean contains(String name) {
        return values.containsKey(name);
    }

    @Override
    public boolean isEmpty() {
        return values.isEmpty();
    }

    @Override
    public Set<String> names() {
        return Set.copyOf(values.keySet());
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        values.computeIfAbsent(Objects.requireNonNull(name, "name"), first -> new ArrayList<>(1))
                .add(value.toString());
        return this;
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> all) {
        all.forEach(value -> add(name, value));
        return this;
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        remove(name);
        return add(name, value);
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> all) {
        remove(name);
        return add(name, all);
    }

    @Override
    public HttpHeaders remove(String name) {
        values.remove(name);
        return this;
    }

    @Override
    public HttpHeaders clear() {
        values.clear();
        return this;
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        return entries().iterator();
    }
}
