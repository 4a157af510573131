package org.freshet.handler.codec.http;

import java.text.ParseException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The headers of a message, in the order in which they were added. Names ignore case, and can have several values. You
 * may extend this class. If a decoder finds a class other than {@link DefaultHttpHeaders} in a message, it adds the
 * received headers one by one.
 *
 * <p>The static methods read and write common headers. None of them decides how a received message is framed: the
 * decoder has done that from the bytes.
 *
 * <p>Several threads may read headers as long as none changes them.
 */
public abstract class HttpHeaders implements Iterable<Map.Entry<String, String>> {
    /** Always empty; changing it throws UnsupportedOperationException. */
    public static final HttpHeaders EMPTY_HEADERS = new EmptyHeaders();

    /** Names marked as sensitive; null if no name is marked. Immutable: replaced when a name is added. */
    private Set<String> sensitive;

    protected HttpHeaders() {}

    /** The first value of this name, or null. */
    public abstract String get(String name);

    /** All values of this name, in order, as a new list. Empty if there is no such header. */
    public abstract List<String> getAll(String name);

    /** All headers, in order, as a new list. Setting the value of an entry changes the headers. */
    public abstract List<Map.Entry<String, String>> entries();

    public abstract boolean contains(String name);

    public abstract boolean isEmpty();

    /** The names as they were added, each spelling once, as a new set. */
    public abstract Set<String> names();

    /**
     * Adds a value after the existing ones.
     *
     * @param value a String; a {@link Date} or {@link java.util.Calendar} is written as an HTTP date, anything else as
     *     its {@code toString()}
     * @throws NullPointerException if an argument is null
     * @throws IllegalArgumentException if the name or value cannot be sent
     */
    public abstract HttpHeaders add(String name, Object value);

    /** Adds each value with {@link #add(String, Object)}. */
    public abstract HttpHeaders add(String name, Iterable<?> values);

    /** Adds all headers of another message, including their {@linkplain #markSensitive marks}. */
    public HttpHeaders add(HttpHeaders headers) {
        markAs(headers);
        for (Map.Entry<String, String> header : headers.entries()) {
            add(header.getKey(), header.getValue());
        }
        return this;
    }

    /** Replaces all values of this name with one. The header moves to the end; see {@link #add(String, Object)}. */
    public abstract HttpHeaders set(String name, Object value);

    /** Replaces all values of this name with several, up to the first null; see {@link #set(String, Object)}. */
    public abstract HttpHeaders set(String name, Iterable<?> values);

    /** Replaces all headers with those of another message, and adds their {@linkplain #markSensitive marks}. */
    public HttpHeaders set(HttpHeaders headers) {
        markAs(headers);
        List<Map.Entry<String, String>> others = headers.entries();
        clear();
        for (Map.Entry<String, String> header : others) {
            add(header.getKey(), header.getValue());
        }
        return this;
    }

    public abstract HttpHeaders remove(String name);

    public abstract HttpHeaders clear();

    /** Whether one of the name's values equals this value as a whole. */
    public boolean contains(String name, String value, boolean ignoreCaseValue) {
        for (String present : getAll(name)) {
            if (ignoreCaseValue ? present.equalsIgnoreCase(value) : present.equals(value)) {
                return true;
            }
        }
        return false;
    }

    // ---- sensitive ----

    /**
     * Marks headers as sensitive. Over HTTP/2, they are sent in a way that keeps them out of the compression tables on
     * both sides and in any proxy; an attacker could guess them there from the size of what is sent (RFC 7541, section
     * 7.1.3). Received headers are marked if they were sent that way. {@link #add(HttpHeaders)} and
     * {@link #set(HttpHeaders)} copy the marks. {@code Authorization}, {@code Set-Cookie} and short cookies need no
     * mark. HTTP/1.1 has no such tables.
     *
     * @param name the name of headers, ignoring case, whether they exist or will be added. The mark is permanent
     * @return this
     */
    public HttpHeaders markSensitive(String name) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        if (sensitive != null) {
            names.addAll(sensitive);
        }
        names.add(name);
        sensitive = names;
        return this;
    }

    /** Whether headers with this name are {@linkplain #markSensitive marked}. */
    public boolean isSensitive(String name) {
        return sensitive != null && sensitive.contains(name);
    }

    private void markAs(HttpHeaders others) {
        if (others.sensitive != null) {
            others.sensitive.forEach(this::markSensitive);
        }
    }

    // ---- persistence ----

    /**
     * Whether the connection stays open after the message. The version decides, unless {@code Connection} contains
     * {@code close} or {@code keep-alive}; {@code close} wins.
     */
    public static boolean isKeepAlive(HttpMessage message) {
        return HeaderStatics.isKeepAlive(message);
    }

    /** Sets {@code Connection} if the message's version has a different default, otherwise removes it. */
    public static void setKeepAlive(HttpMessage message, boolean keepAlive) {
        HeaderStatics.setKeepAlive(message, keepAlive);
    }

    // ---- any header ----

    /** The first value, or null. */
    public static String getHeader(HttpMessage message, String name) {
        return message.headers().get(name);
    }

    public static String getHeader(HttpMessage message, String name, String defaultValue) {
        String value = message.headers().get(name);
        return value == null ? defaultValue : value;
    }

    public static void setHeader(HttpMessage message, String name, Object value) {
        message.headers().set(name, value);
    }

    public static void setHeader(HttpMessage message, String name, Iterable<?> values) {
        message.headers().set(name, values);
    }

    public static void addHeader(HttpMessage message, String name, Object value) {
        message.headers().add(name, value);
    }

    public static void removeHeader(HttpMessage message, String name) {
        message.headers().remove(name);
    }

    public static void clearHeaders(HttpMessage message) {
        message.headers().clear();
    }

    // ---- numbers ----

    /** @throws NumberFormatException if the header is missing or not a number */
    public static int getIntHeader(HttpMessage message, String name) {
        return Integer.parseInt(HeaderStatics.numberOf(message, name));
    }

    /** Returns the default if the header is missing or not a number. */
    public static int getIntHeader(HttpMessage message, String name, int defaultValue) {
        return HeaderStatics.intOf(message.headers().get(name), defaultValue);
    }

    public static void setIntHeader(HttpMessage message, String name, int value) {
        message.headers().set(name, value);
    }

    public static void setIntHeader(HttpMessage message, String name, Iterable<Integer> values) {
        message.headers().set(name, values);
    }

    public static void addIntHeader(HttpMessage message, String name, int value) {
        message.headers().add(name, value);
    }

    // ---- dates ----

    /** @throws ParseException if the header is missing or not a date */
    public static Date getDateHeader(HttpMessage message, String name) throws ParseException {
        return HeaderStatics.date(message, name);
    }

    /** Returns the default if the header is missing or not a date. */
    public static Date getDateHeader(HttpMessage message, String name, Date defaultValue) {
        return HeaderStatics.date(message, name, defaultValue);
    }

    /** Null removes the header. */
    public static void setDateHeader(HttpMessage message, String name, Date value) {
        HeaderStatics.setDate(message, name, value);
    }

    public static void setDateHeader(HttpMessage message, String name, Iterable<Date> values) {
        message.headers().set(name, values);
    }

    public static void addDateHeader(HttpMessage message, String name, Date value) {
        message.headers().add(name, value);
    }

    /** @throws ParseException if {@code Date} is missing or not a date */
    public static Date getDate(HttpMessage message) throws ParseException {
        return HeaderStatics.date(message, Names.DATE);
    }

    public static Date getDate(HttpMessage message, Date defaultValue) {
        return HeaderStatics.date(message, Names.DATE, defaultValue);
    }

    /** Null removes {@code Date}. */
    public static void setDate(HttpMessage message, Date value) {
        HeaderStatics.setDate(message, Names.DATE, value);
    }

    // ---- content ----

    /**
     * The value of {@code Content-Length}. A WebSocket handshake of draft 76 has none; its length is 8 for the request
     * and 16 for the response.
     *
     * @throws NumberFormatException if the header is missing or not a number
     */
    public static long getContentLength(HttpMessage message) {
        return HeaderStatics.contentLength(message);
    }

    /**
     * Returns the {@linkplain #getContentLength(HttpMessage) length}, or the default if it is missing or not a number.
     */
    public static long getContentLength(HttpMessage message, long defaultValue) {
        return HeaderStatics.contentLength(message, defaultValue);
    }

    public static void setContentLength(HttpMessage message, long length) {
        message.headers().set(Names.CONTENT_LENGTH, length);
    }

    public static boolean isContentLengthSet(HttpMessage message) {
        return message.headers().contains(Names.CONTENT_LENGTH);
    }

    /** Whether {@code chunked} is one of the transfer codings. */
    public static boolean isTransferEncodingChunked(HttpMessage message) {
        return HeaderStatics.isChunked(message);
    }

    /** Removes {@code chunked} from the transfer codings, and keeps the others. */
    public static void removeTransferEncodingChunked(HttpMessage message) {
        HeaderStatics.removeChunked(message);
    }

    /** Adds {@code chunked} to the transfer codings, and removes {@code Content-Length}. */
    public static void setTransferEncodingChunked(HttpMessage message) {
        HeaderStatics.addChunked(message);
    }

    /**
     * Whether this is a request from HTTP/1.1 on whose sender waits for {@code 100 Continue} before sending the
     * content.
     */
    public static boolean is100ContinueExpected(HttpMessage message) {
        return HeaderStatics.is100ContinueExpected(message);
    }

    public static void set100ContinueExpected(HttpMessage message) {
        set100ContinueExpected(message, true);
    }

    public static void set100ContinueExpected(HttpMessage message, boolean set) {
        HeaderStatics.set100ContinueExpected(message, set);
    }

    // ---- host ----

    /** {@code Host}, or null. */
    public static String getHost(HttpMessage message) {
        return message.headers().get(Names.HOST);
    }

    public static String getHost(HttpMessage message, String defaultValue) {
        return getHeader(message, Names.HOST, defaultValue);
    }

    public static void setHost(HttpMessage message, String value) {
        message.headers().set(Names.HOST, value);
    }

    /** Header names. */
    public static final class Names {
        public static final String ACCEPT = "Accept";
        public static final String ACCEPT_CHARSET = "Accept-Charset";
        public static final String ACCEPT_ENCODING = "Accept-Encoding";
        public static final String ACCEPT_LANGUAGE = "Accept-Language";
        public static final String ACCEPT_PATCH = "Accept-Patch";
        public static final String ACCEPT_RANGES = "Accept-Ranges";
        public static final String ACCESS_CONTROL_ALLOW_CREDENTIALS = "Access-Control-Allow-Credentials";
        public static final String ACCESS_CONTROL_ALLOW_HEADERS = "Access-Control-Allow-Headers";
        public static final String ACCESS_CONTROL_ALLOW_METHODS = "Access-Control-Allow-Methods";
        public static final String ACCESS_CONTROL_ALLOW_ORIGIN = "Access-Control-Allow-Origin";
        public static final String ACCESS_CONTROL_EXPOSE_HEADERS = "Access-Control-Expose-Headers";
        public static final String ACCESS_CONTROL_MAX_AGE = "Access-Control-Max-Age";
        public static final String ACCESS_CONTROL_REQUEST_HEADERS = "Access-Control-Request-Headers";
        public static final String ACCESS_CONTROL_REQUEST_METHOD = "Access-Control-Request-Method";
        public static final String AGE = "Age";
        public static final String ALLOW = "Allow";
        public static final String AUTHORIZATION = "Authorization";
        public static final String CACHE_CONTROL = "Cache-Control";
        public static final String CONNECTION = "Connection";
        public static final String CONTENT_BASE = "Content-Base";
        public static final String CONTENT_ENCODING = "Content-Encoding";
        public static final String CONTENT_LANGUAGE = "Content-Language";
        public static final String CONTENT_LENGTH = "Content-Length";
        public static final String CONTENT_LOCATION = "Content-Location";
        public static final String CONTENT_MD5 = "Content-MD5";
        public static final String CONTENT_RANGE = "Content-Range";
        public static final String CONTENT_TRANSFER_ENCODING = "Content-Transfer-Encoding";
        public static final String CONTENT_TYPE = "Content-Type";
        public static final String COOKIE = "Cookie";
        public static final String DATE = "Date";
        public static final String ETAG = "ETag";
        public static final String EXPECT = "Expect";
        public static final String EXPIRES = "Expires";
        public static final String FROM = "From";
        public static final String HOST = "Host";
        public static final String IF_MATCH = "If-Match";
        public static final String IF_MODIFIED_SINCE = "If-Modified-Since";
        public static final String IF_NONE_MATCH = "If-None-Match";
        public static final String IF_RANGE = "If-Range";
        public static final String IF_UNMODIFIED_SINCE = "If-Unmodified-Since";
        public static final String LAST_MODIFIED = "Last-Modified";
        public static final String LOCATION = "Location";
        public static final String MAX_FORWARDS = "Max-Forwards";
        public static final String ORIGIN = "Origin";
        public static final String PRAGMA = "Pragma";
        public static final String PROXY_AUTHENTICATE = "Proxy-Authenticate";
        public static final String PROXY_AUTHORIZATION = "Proxy-Authorization";
        public static final String RANGE = "Range";
        public static final String REFERER = "Referer";
        public static final String RETRY_AFTER = "Retry-After";
        public static final String SEC_WEBSOCKET_ACCEPT = "Sec-WebSocket-Accept";
        public static final String SEC_WEBSOCKET_KEY = "Sec-WebSocket-Key";
        public static final String SEC_WEBSOCKET_KEY1 = "Sec-WebSocket-Key1";
        public static final String SEC_WEBSOCKET_KEY2 = "Sec-WebSocket-Key2";
        public static final String SEC_WEBSOCKET_LOCATION = "Sec-WebSocket-Location";
        public static final String SEC_WEBSOCKET_ORIGIN = "Sec-WebSocket-Origin";
        public static final String SEC_WEBSOCKET_PROTOCOL = "Sec-WebSocket-Protocol";
        public static final String SEC_WEBSOCKET_VERSION = "Sec-WebSocket-Version";
        public static final String SERVER = "Server";
        public static final String SET_COOKIE = "Set-Cookie";
        public static final String SET_COOKIE2 = "Set-Cookie2";
        public static final String TE = "TE";
        public static final String TRAILER = "Trailer";
        public static final String TRANSFER_ENCODING = "Transfer-Encoding";
        public static final String UPGRADE = "Upgrade";
        public static final String USER_AGENT = "User-Agent";
        public static final String VARY = "Vary";
        public static final String VIA = "Via";
        public static final String WARNING = "Warning";
        public static final String WEBSOCKET_LOCATION = "WebSocket-Location";
        public static final String WEBSOCKET_ORIGIN = "WebSocket-Origin";
        public static final String WEBSOCKET_PROTOCOL = "WebSocket-Protocol";
        public static final String WWW_AUTHENTICATE = "WWW-Authenticate";

        private Names() {}
    }

    /** Header values. */
    public static final class Values {
        public static final String APPLICATION_X_WWW_FORM_URLENCODED = "application/x-www-form-urlencoded";
        public static final String BASE64 = "base64";
        public static final String BINARY = "binary";
        public static final String BOUNDARY = "boundary";
        public static final String BYTES = "bytes";
        public static final String CHARSET = "charset";
        public static final String CHUNKED = "chunked";
        public static final String CLOSE = "close";
        public static final String COMPRESS = "compress";
        public static final String CONTINUE = "100-continue";
        public static final String DEFLATE = "deflate";
        public static final String GZIP = "gzip";
        public static final String IDENTITY = "identity";
        public static final String KEEP_ALIVE = "keep-alive";
        public static final String MAX_AGE = "max-age";
        public static final String MAX_STALE = "max-stale";
        public static final String MIN_FRESH = "min-fresh";
        public static final String MULTIPART_FORM_DATA = "multipart/form-data";
        public static final String MUST_REVALIDATE = "must-revalidate";
        public static final String NONE = "none";
        public static final String NO_CACHE = "no-cache";
        public static final String NO_STORE = "no-store";
        public static final String NO_TRANSFORM = "no-transform";
        public static final String ONLY_IF_CACHED = "only-if-cached";
        public static final String PRIVATE = "private";
        public static final String PROXY_REVALIDATE = "proxy-revalidate";
        public static final String PUBLIC = "public";
        public static final String QUOTED_PRINTABLE = "quoted-printable";
        public static final String S_MAXAGE = "s-maxage";
        public static final String TRAILERS = "trailers";
        public static final String UPGRADE = "Upgrade";
        public static final String WEBSOCKET = "WebSocket";

        private Values() {}
    }
}
