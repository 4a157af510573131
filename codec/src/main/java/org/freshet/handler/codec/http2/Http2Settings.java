package org.freshet.handler.codec.http2;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.util.Timer;

/**
 * The limits of this side of a connection, including the SETTINGS sent to the peer (RFC 9113 6.5.2).
 * Immutable.
 *
 * <pre>{@code
 * Http2Settings settings = Http2Settings.defaults().toBuilder()
 *         .maxConcurrentStreams(250)
 *         .initialWindowSize(1024 * 1024)
 *         .build();
 * }</pre>
 */
public final class Http2Settings {
    private static final Http2Settings DEFAULTS = new Builder().build();

    private final Builder values;

    private Http2Settings(Builder values) {
        this.values = new Builder(values);
    }

    /** Values for servers on the Internet; each method names its default. */
    public static Http2Settings defaults() {
        return DEFAULTS;
    }

    /** Returns a builder that starts with these values. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Requests a peer may have at a time, including those that handlers are still working on. Default: 100. */
    public int maxConcurrentStreams() {
        return values.maxConcurrentStreams;
    }

    /** Bytes of content that a peer may send on a stream before they are read. Default: 262,144. */
    public int initialWindowSize() {
        return values.initialWindowSize;
    }

    /** Bytes of content that a peer may send on all streams before it must wait for more credit. Default: 1 MiB. */
    public int connectionWindowSize() {
        return values.connectionWindowSize;
    }

    /**
     * The size up to which both windows may grow if they keep a distant peer from sending as fast as its data is read. 0 (the
     * default) means 16 MiB on a client, and no growth on a server, where the windows of many peers add up.
     */
    public int maxWindowSize() {
        return values.maxWindowSize;
    }

    /** Bytes of content that unread streams may hold together before they keep others from receiving. Default: 4 MiB. */
    public int maxUnreadBytes() {
        return values.maxUnreadBytes;
    }

    /** The largest payload of a frame, in bytes. Default: 16,384, the minimum required by the RFC. */
    public int maxFrameSize() {
        return values.maxFrameSize;
    }

    /**
     * The largest size of a message's fields in bytes, counting 32 more per field. Default: 16,384. A request above it is
     * answered with 431; a response or trailers above it reset the stream; above four times the limit, the connection ends.
     */
    public int maxHeaderListSize() {
        return values.maxHeaderListSize;
    }

    /** How long a peer may take. Default: {@link Http2Timeouts#defaults()}. */
    public Http2Timeouts timeouts() {
        return values.timeouts;
    }

    /** The timer for these times; null (the default) uses Freshet's own. This class never stops it. */
    public Timer timer() {
        return values.timer;
    }

    /**
     * Rate limits on frames that are an attack in volume. Null (the default) uses {@link Http2AbuseLimits#defaults()} on a
     * server and {@link Http2AbuseLimits#none()} on a client.
     */
    public Http2AbuseLimits abuseLimits() {
        return values.abuseLimits;
    }

    /**
     * Whether clients may open WebSocket connections on streams of a server (RFC 8441), with the same handlers as over
     * HTTP/1.1. Default: false. A client ignores this.
     */
    public boolean webSocket() {
        return values.webSocket;
    }

    /** The clock for the rates of {@link AbuseGuard}. */
    LongSupplier nanoClock() {
        if (values.nanoClock != null) {
            return values.nanoClock;
        }
        return values.timer == null ? System::nanoTime : values.timer::nanoTime;
    }

    /** The number of a client's first stream. */
    int firstStreamId() {
        return values.firstStreamId;
    }

    /** The limit on the fields of all connections together. */
    OpenFields.Ceiling fieldCeiling() {
        return values.fieldCeiling;
    }

    /**
     * The limits on messages that don't depend on the HTTP version: the number of headers, and the sizes of chunks and content.
     */
    public HttpLimits httpLimits() {
        return values.httpLimits;
    }

    /** Collects settings. A value that isn't set keeps the one it started with. Not thread-safe. */
    public static final class Builder {
        private int maxConcurrentStreams = 100;
        private int initialWindowSize = 256 * 1024;
        private int connectionWindowSize = 1024 * 1024;
        private int maxWindowSize;
        private int maxUnreadBytes = 4 * 1024 * 1024;
        private int maxFrameSize = 16 * 1024;
        private int maxHeaderListSize = 16 * 1024;
        private HttpLimits httpLimits = HttpLimits.defaults();
        private Http2Timeouts timeouts = Http2Timeouts.defaults();
        private Timer timer;
        private Http2AbuseLimits abuseLimits;
        private boolean webSocket;
        private LongSupplier nanoClock;
        private int firstStreamId = 1;
        private OpenFields.Ceiling fieldCeiling = OpenFields.Ceiling.OF_PROCESS;

        private Builder() {}

        private Builder(Builder other) {
            maxConcurrentStreams = other.maxConcurrentStreams;
            initialWindowSize = other.initialWindowSize;
            connectionWindowSize = other.connectionWindowSize;
            maxWindowSize = other.maxWindowSize;
            maxUnreadBytes = other.maxUnreadBytes;
            maxFrameSize = other.maxFrameSize;
            maxHeaderListSize = other.maxHeaderListSize;
            httpLimits = other.httpLimits;
            timeouts = other.timeouts;
            timer = other.timer;
            abuseLimits = other.abuseLimits;
            webSocket = other.webSocket;
            nanoClock = other.nanoClock;
            firstStreamId = other.firstStreamId;
            fieldCeiling = other.fieldCeiling;
        }

        public Http2Settings build() {
            return new Http2Settings(this);
        }

        /** See {@link Http2Settings#maxConcurrentStreams()}; 1 or more. */
        public Builder maxConcurrentStreams(int value) {
            maxConcurrentStreams = checked("maxConcurrentStreams", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#initialWindowSize()}; 1 or more. */
        public Builder initialWindowSize(int value) {
            initialWindowSize = checked("initialWindowSize", value, 1, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#connectionWindowSize()}; 65,535, which is the RFC's initial size, or more. */
        public Builder connectionWindowSize(int value) {
            connectionWindowSize = checked("connectionWindowSize", value, 65_535, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#maxWindowSize()}; 0 or more. A value below the other two sizes has no effect. */
        public Builder maxWindowSize(int value) {
            maxWindowSize = checked("maxWindowSize", value, 0, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#maxUnreadBytes()}; 0 or more. */
        public Builder maxUnreadBytes(int value) {
            maxUnreadBytes = checked("maxUnreadBytes", value, 0, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#maxFrameSize()}; 16,384 to 16,777,215. */
        public Builder maxFrameSize(int value) {
            maxFrameSize = checked("maxFrameSize", value, 16_384, 16_777_215);
            return this;
        }

        /** See {@link Http2Settings#maxHeaderListSize()}; 1 or more. */
        public Builder maxHeaderListSize(int value) {
            maxHeaderListSize = checked("maxHeaderListSize", value, 1, Integer.MAX_VALUE / 8);
            return this;
        }

        /** See {@link Http2Settings#httpLimits()}. */
        public Builder httpLimits(HttpLimits value) {
            httpLimits = Objects.requireNonNull(value, "httpLimits");
            return this;
        }

        /** See {@link Http2Settings#timeouts()}. */
        public Builder timeouts(Http2Timeouts value) {
            timeouts = Objects.requireNonNull(value, "timeouts");
            return this;
        }

        /** See {@link Http2Settings#timer()}; null uses Freshet's own. */
        public Builder timer(Timer value) {
            timer = value;
            return this;
        }

        /** See {@link Http2Settings#abuseLimits()}; null uses the default. */
        public Builder abuseLimits(Http2AbuseLimits value) {
            abuseLimits = value;
            return this;
        }

        /** See {@link Http2Settings#webSocket()}. */
        public Builder webSocket(boolean value) {
            webSocket = value;
            return this;
        }

        /** For tests. Default: the timer's clock. */
        Builder nanoClock(LongSupplier value) {
            nanoClock = value;
            return this;
        }

        /** For tests. Default: 1. */
        Builder firstStreamId(int value) {
            firstStreamId = value;
            return this;
        }

        /** For tests. Default: the ceiling of the process. */
        Builder fieldCeiling(OpenFields.Ceiling value) {
            fieldCeiling = value;
            return this;
        }

        private static int checked(String name, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(name + " not in " + least + ".." + most + ": " + value);
            }
            return value;
        }
    }
}
