package org.freshet.handler.codec.http2;

import java.util.Objects;
import java.util.function.LongSupplier;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.util.Timer;

/**
 * What this side of a connection accepts: the SETTINGS that its peer is sent (RFC 9113 6.5.2), and the limits behind them.
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

    /** Values for servers on the Internet; see the methods. */
    public static Http2Settings defaults() {
        return DEFAULTS;
    }

    /** A builder that starts with these values. */
    public Builder toBuilder() {
        return new Builder(values);
    }

    /** Requests of a peer at a time, those whose handlers still work on them included. 100 by default. */
    public int maxConcurrentStreams() {
        return values.maxConcurrentStreams;
    }

    /** Bytes of content that a peer may send on a stream before they are read. 262,144 by default. */
    public int initialWindowSize() {
        return values.initialWindowSize;
    }

    /** Bytes of content that a peer may send on all streams before we say that there is room for more. 1 MiB by default. */
    public int connectionWindowSize() {
        return values.connectionWindowSize;
    }

    /**
     * What both windows may grow to while they keep a distant peer from sending as fast as it's read. 0, which is the default, for 16 MiB on
     * a client and no growth on a server, where many peers add up.
     */
    public int maxWindowSize() {
        return values.maxWindowSize;
    }

    /**
     * Bytes of content that streams which are not read may hold together before they keep others from receiving. 4 MiB by
     * default.
     */
    public int maxHeldBytes() {
        return values.maxHeldBytes;
    }

    /** Bytes of a frame's payload. 16,384 by default, which is the least that the RFC allows. */
    public int maxFrameSize() {
        return values.maxFrameSize;
    }

    /** Bytes of a message's fields, with 32 for each field. 16,384 by default. Beyond: 431, or the connection's end. */
    public int maxHeaderListSize() {
        return values.maxHeaderListSize;
    }

    /** How long a peer may take. {@link Http2Timeouts#defaults()} by default. */
    public Http2Timeouts timeouts() {
        return values.timeouts;
    }

    /** Measures that; null, which is the default, for the JDK's. Is not stopped. */
    public Timer timer() {
        return values.timer;
    }

    /**
     * How often a peer may do what is an attack in quantity. Null, which is the default, for {@link Http2AbuseLimits#defaults()} on a
     * server and {@link Http2AbuseLimits#none()} on a client.
     */
    public Http2AbuseLimits abuseLimits() {
        return values.abuseLimits;
    }

    /**
     * Whether a server lets clients open WebSocket connections on streams (RFC 8441), with the handlers that do so over HTTP/1.1. False by
     * default; a client needs no setting.
     */
    public boolean webSocket() {
        return values.webSocket;
    }

    /** What measures the quantities of {@link AbuseGuard}. */
    LongSupplier nanoClock() {
        if (values.nanoClock != null) {
            return values.nanoClock;
        }
        return values.timer == null ? System::nanoTime : values.timer::nanoTime;
    }

    /** Of a client's first stream. */
    int firstStreamId() {
        return values.firstStreamId;
    }

    /** For the fields of all connections together. */
    OpenFields.Ceiling fieldCeiling() {
        return values.fieldCeiling;
    }

    /** What holds for messages whatever carries them: headers of a message, sizes of chunks and contents. */
    public HttpLimits httpLimits() {
        return values.httpLimits;
    }

    /** Collects settings; those that are not set stay as they are in what it was made from. Not thread-safe. */
    public static final class Builder {
        private int maxConcurrentStreams = 100;
        private int initialWindowSize = 256 * 1024;
        private int connectionWindowSize = 1024 * 1024;
        private int maxWindowSize;
        private int maxHeldBytes = 4 * 1024 * 1024;
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
            maxHeldBytes = other.maxHeldBytes;
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

        /** See {@link Http2Settings#connectionWindowSize()}; 65,535 or more, where the RFC has it start. */
        public Builder connectionWindowSize(int value) {
            connectionWindowSize = checked("connectionWindowSize", value, 65_535, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#maxWindowSize()}; 0 or more. One below the other two sizes changes nothing. */
        public Builder maxWindowSize(int value) {
            maxWindowSize = checked("maxWindowSize", value, 0, Integer.MAX_VALUE);
            return this;
        }

        /** See {@link Http2Settings#maxHeldBytes()}; 0 or more. */
        public Builder maxHeldBytes(int value) {
            maxHeldBytes = checked("maxHeldBytes", value, 0, Integer.MAX_VALUE);
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

        /** See {@link Http2Settings#timer()}; null for the JDK's. */
        public Builder timer(Timer value) {
            timer = value;
            return this;
        }

        /** See {@link Http2Settings#abuseLimits()}; null for the default. */
        public Builder abuseLimits(Http2AbuseLimits value) {
            abuseLimits = value;
            return this;
        }

        /** See {@link Http2Settings#webSocket()}. */
        public Builder webSocket(boolean value) {
            webSocket = value;
            return this;
        }

        /** For tests; the timer's otherwise. */
        Builder nanoClock(LongSupplier value) {
            nanoClock = value;
            return this;
        }

        /** For tests; is 1 otherwise. */
        Builder firstStreamId(int value) {
            firstStreamId = value;
            return this;
        }

        /** For tests; is that of the process otherwise. */
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
