package org.freshet.handler.codec.spdy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** Headers in insertion order, with a hash table by name: lookups stay fast with many different names. */
public class DefaultSpdyHeaders extends SpdyHeaders {
    private final List<Header> headers;
    private final Map<String, List<Header>> byName;

    DefaultSpdyHeaders() {
        this(new ArrayList<>(), new HashMap<>());
    }

    private DefaultSpdyHeaders(List<Header> headers, Map<String, List<Header>> byName) {
        this.headers = headers;
        this.byName = byName;
    }

    static SpdyHeaders readOnly() {
        return new DefaultSpdyHeaders(List.of(), Map.of());
    }

    private static final class Header implements Map.Entry<String, String> {
        private final String name;
        private String value;

        Header(String name, String value) {
            this.name = name;
            this.value = value;
        }

        @Override
        public String getKey() {
            return name;
        }

        @Override
        public String getValue() {
            return value;
        }

        @Override
        public String setValue(String newValue) {
            String old = value;
            value = checkedValue(name, newValue);
            return old;
        }

        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    @Override
    public String get(String name) {
        List<Header> named = named(name);
        return named.isEmpty() ? null : named.get(0).value;
    }

    @Override
    public List<String> getAll(String name) {
        List<String> values = new ArrayList<>();
        named(name).forEach(header -> values.add(header.value));
        return values;
    }

    private List<Header> named(String name) {
        return byName.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public List<Map.Entry<String, String>> entries() {
        return new ArrayList<>(headers);
    }

    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        return Collections.<Map.Entry<String, String>>unmodifiableList(headers).iterator();
    }

    @Override
    public boolean contains(String name) {
        return !named(name).isEmpty();
    }

    @Override
    public Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        headers.forEach(header -> names.add(header.name));
        return names;
    }

    @Override
    public SpdyHeaders add(String name, Object value) {
        String key = checkedName(name);
        Header header = new Header(key, checkedValue(key, value));
        headers.add(header);
        byName.computeIfAbsent(key, absent -> new ArrayList<>(1)).add(header);
        return this;
    }

    @Override
    public SpdyHeaders add(String name, Iterable<?> values) {
        for (Object value : values) {
            add(name, value);
        }
        return this;
    }

    @Override
    public SpdyHeaders set(String name, Object value) {
        checkedValue(checkedName(name), value);
        remove(name);
        return add(name, value);
    }

    @Override
    public SpdyHeaders set(String name, Iterable<?> values) {
        checkedName(name);
        remove(name);
        for (Object value : values) {
            if (value == null) {
                break;
            }
            add(name, value);
        }
        return this;
    }

    @Override
    public SpdyHeaders remove(String name) {
        if (byName.remove(name.toLowerCase(Locale.ROOT)) != null) {
            headers.removeIf(header -> header.name.equalsIgnoreCase(name));
        }
        return this;
    }

    @Override
    public SpdyHeaders clear() {
        headers.clear();
        byName.clear();
        return this;
    }

    @Override
    public boolean isEmpty() {
        return headers.isEmpty();
    }

    /** The length of the header block before compression: each name and value has a length of four bytes. */
    long length() {
        long length = 0;
        for (Header header : headers) {
            length += header.name.length() + header.value.length() + 2 * Integer.BYTES;
        }
        return length;
    }

    // ---- validation ----

    private static String checkedName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("empty header name");
        }
        checkLength("name", name);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == 0 || c > 127) {
                throw new IllegalArgumentException(
                        "header name contains NUL or non-ASCII characters: " + HeaderSyntax.printable(name));
            }
        }
        return name.toLowerCase(Locale.ROOT);
    }

    private static String checkedValue(String name, Object value) {
        String text = Objects.requireNonNull(value, "value").toString();
        checkLength("value of " + name, text);
        if (text.indexOf(0) >= 0) { // separates values
            throw new IllegalArgumentException("value of " + name + " contains NUL: add several values one by one: "
                    + HeaderSyntax.printable(text));
        }
        return text;
    }

    private static void checkLength(String what, String text) {
        if (text.length() > SpdyWire.MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    "length of " + HeaderSyntax.printable(what.substring(0, Math.min(80, what.length()))) + " > "
                            + SpdyWire.MAX_TEXT_BYTES + ": " + text.length());
        }
    }
}
