package org.freshet.handler.codec.spdy;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * The headers of a frame: names with one or more values, in insertion order. Names are lower case; others are converted.
 *
 * <p>The static methods read and write the headers that replace the first line of an HTTP message. Their parameter
 * {@code spdyVersion} has no effect, because there is only one version.
 *
 * <p>Belongs to one thread at a time, like its frame.
 */
public abstract class SpdyHeaders implements Iterable<Map.Entry<String, String>> {
    /** No headers. Modifying it throws UnsupportedOperationException. */
    public static final SpdyHeaders EMPTY_HEADERS = DefaultSpdyHeaders.readOnly();

    protected SpdyHeaders() {}

    /** The first value with that name, or null. */
    public abstract String get(String name);

    /** All values with that name, in order. The list is a copy. */
    public abstract List<String> getAll(String name);

    /** All headers, in order. The list is a copy, but setting the value of an entry changes the headers. */
    public abstract List<Map.Entry<String, String>> entries();

    public abstract boolean contains(String name);

    /** Each name once, in the order in which it was first added. The set is a copy. */
    public abstract Set<String> names();

    /**
     * Adds a value after the existing ones.
     *
     * @param value sent as its {@code toString()}
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the name is empty, not ASCII or contains NUL, if the value contains NUL, or if either
     * is longer than 65,535 characters
     */
    public abstract SpdyHeaders add(String name, Object value);

    /** Calls {@link #add(String, Object)} for each value. */
    public abstract SpdyHeaders add(String name, Iterable<?> values);

    /** Replaces all values with that name by one; see {@link #add(String, Object)}. */
    public abstract SpdyHeaders set(String name, Object value);

    /** Replaces all values with that name by several, up to the first null; see {@link #add(String, Object)}. */
    public abstract SpdyHeaders set(String name, Iterable<?> values);

    public abstract SpdyHeaders remove(String name);

    public abstract SpdyHeaders clear();

    public abstract boolean isEmpty();

    /** Iterates over the entries; see {@link #entries()}. Removing is not supported. */
    @Override
    public Iterator<Map.Entry<String, String>> iterator() {
        return entries().iterator();
    }

    // ---- headers of a frame ----

    public static String getHeader(SpdyHeadersFrame frame, String name) {
        return frame.headers().get(name);
    }

    public static String getHeader(SpdyHeadersFrame frame, String name, String defaultValue) {
        String value = frame.headers().get(name);
        return value == null ? defaultValue : value;
    }

    public static void setHeader(SpdyHeadersFrame frame, String name, Object value) {
        frame.headers().set(name, value);
    }

    public static void setHeader(SpdyHeadersFrame frame, String name, Iterable<?> values) {
        frame.headers().set(name, values);
    }

    public static void addHeader(SpdyHeadersFrame frame, String name, Object value) {
        frame.headers().add(name, value);
    }

    // ---- HTTP's first line, and the host ----

    public static void removeHost(SpdyHeadersFrame frame) {
        frame.headers().remove(HttpNames.HOST);
    }

    public static String getHost(SpdyHeadersFrame frame) {
        return frame.headers().get(HttpNames.HOST);
    }

    public static void setHost(SpdyHeadersFrame frame, String host) {
        frame.headers().set(HttpNames.HOST, host);
    }

    public static void removeMethod(int spdyVersion, SpdyHeadersFrame frame) {
        frame.headers().remove(HttpNames.METHOD);
    }

    /** Null if the header is missing, or if HTTP does not allow its value. */
    public static HttpMethod getMethod(int spdyVersion, SpdyHeadersFrame frame) {
        String method = frame.headers().get(HttpNames.METHOD);
        try {
            return method == null ? null : HttpMethod.valueOf(method);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public static void setMethod(int spdyVersion, SpdyHeadersFrame frame, HttpMethod method) {
        frame.headers().set(HttpNames.METHOD, method.getName());
    }

    public static void removeScheme(int spdyVersion, SpdyHeadersFrame frame) {
        frame.headers().remove(HttpNames.SCHEME);
    }

    public static String getScheme(int spdyVersion, SpdyHeadersFrame frame) {
        return frame.headers().get(HttpNames.SCHEME);
    }

    public static void setScheme(int spdyVersion, SpdyHeadersFrame frame, String scheme) {
        frame.headers().set(HttpNames.SCHEME, scheme);
    }

    public static void removeStatus(int spdyVersion, SpdyHeadersFrame frame) {
        frame.headers().remove(HttpNames.STATUS);
    }

    /** Null if the header is missing, or if HTTP does not allow its value. */
    public static HttpResponseStatus getStatus(int spdyVersion, SpdyHeadersFrame frame) {
        String status = frame.headers().get(HttpNames.STATUS);
        return status == null ? null : HttpStart.parseStatus(status);
    }

    public static void setStatus(int spdyVersion, SpdyHeadersFrame frame, HttpResponseStatus status) {
        frame.headers().set(HttpNames.STATUS, status.toString());
    }

    public static void removeUrl(int spdyVersion, SpdyHeadersFrame frame) {
        frame.headers().remove(HttpNames.PATH);
    }

    /** The path and query. */
    public static String getUrl(int spdyVersion, SpdyHeadersFrame frame) {
        return frame.headers().get(HttpNames.PATH);
    }

    public static void setUrl(int spdyVersion, SpdyHeadersFrame frame, String path) {
        frame.headers().set(HttpNames.PATH, path);
    }

    public static void removeVersion(int spdyVersion, SpdyHeadersFrame frame) {
        frame.headers().remove(HttpNames.VERSION);
    }

    /** Null if the header is missing, or if HTTP does not allow its value. */
    public static HttpVersion getVersion(int spdyVersion, SpdyHeadersFrame frame) {
        String version = frame.headers().get(HttpNames.VERSION);
        try {
            return version == null ? null : HttpVersion.valueOf(version);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    public static void setVersion(int spdyVersion, SpdyHeadersFrame frame, HttpVersion httpVersion) {
        frame.headers().set(HttpNames.VERSION, httpVersion.getText());
    }

    /** The header names that replace HTTP's first line and its Host header. */
    public static final class HttpNames {
        public static final String HOST = ":host";
        public static final String METHOD = ":method";
        public static final String PATH = ":path";
        public static final String SCHEME = ":scheme";
        public static final String STATUS = ":status";
        public static final String VERSION = ":version";

        private HttpNames() {}
    }
}
