package org.freshet.handler.codec.http;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An empty set of headers that cannot be changed. */
final class EmptyHeaders extends HttpHeaders {
    @Override
    public HttpHeaders markSensitive(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String get(String name) {
        return null;
    }

    @Override
    public List<String> getAll(String name) {
        return Collections.emptyList();
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        return Collections.emptyList();
    }

    @Override
    public boolean contains(String name) {
        return false;
    }

    @Override
    public boolean isEmpty() {
        return true;
    }

    @Override
    public Set<String> names() {
        return Collections.emptySet();
    }

    @Override
    public HttpHeaders add(String name, Object value) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders add(String name, Iterable<?> values) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders add(HttpHeaders headers) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders set(String name, Object value) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders set(String name, Iterable<?> values) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders set(HttpHeaders headers) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders remove(String name) {
        throw unchangeable();
    }

    @Override
    public HttpHeaders clear() {
        throw unchangeable();
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        return Collections.emptyIterator();
    }

    private static UnsupportedOperationException unchangeable() {
        return new UnsupportedOperationException("these headers are always empty: create a DefaultHttpHeaders");
    }
}
