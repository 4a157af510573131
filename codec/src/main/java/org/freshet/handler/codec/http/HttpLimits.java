package org.freshet.handler.codec.http;

import java.util.EnumSet;
import java.util.Objects;

/**
 * Limits on what is accepted from a peer, and how strictly it is read. Decoders, aggregators, inflaters, forms and
 * WebSocket share this class. Immutable.
 *
 * <pre>{@code
 * HttpLimits limits = HttpLimits.standard().toBuilder()
 *         .maxHeaderSize(16 * 1024)
 *         .allow(HttpViolation.NON_ASCII_TARGET)
 *         .build();
 * }</pre>
 *
 * <p>Constructors without limits use {@link #defaults()}. Every limit is checked before memory is allocated for the
 * data in question. The defaults below are those of {@link #standard()}. The status below is the one suggested for a
 * request; for a response, the HTTP decoder suggests 502.
 */
public final class HttpLimits {
    /** The system property that selects the {@link #defaults()}: {@value}. */
    public static final String DEFAULTS_PROPERTY = "org.freshet.http";

    private final Builder values;

    /** By kind of message, as {@link #headRules} numbers them; created on demand. */
    private final HeadRules[] headRules = new HeadRules[4];

    private HttpLimits(Builder values) {
        this.values = values.copy();
    }

    /**
     * The usual limits. Requests are read strictly, except for points that HTTP/1 decoders commonly leave to the
     * server, such as a missing {@code Host}. In the head of a response, LF and folded headers are accepted.
     */
    public static HttpLimits standard() {
        return LimitSets.STANDARD;
    }

    /** The sizes of {@link #standard()} with every {@link HttpViolation} forbidden. */
    public static HttpLimits strict() {
        return LimitSets.STRICT;
    }

    /**
     * Other sizes, mostly larger, and every {@link HttpViolation} allowed, for a system that comes from Netty 3 and
     * must keep reading what its peers send. A message that two readers could understand differently is still refused,
     * unless a {@link HttpViolation} says otherwise.
     */
    public static HttpLimits netty3() {
        return LimitSets.NETTY3;
    }

    /**
     * The limits used where none are given. The system property {@value #DEFAULTS_PROPERTY} can be {@code standard},
     * {@code strict} or {@code netty3}; without it, they are {@link #standard()}. The drop-in jar for Netty 3 then also
     * allows {@link HttpViolation#TRAILERS_AS_HEADERS}.
     */
    public static HttpLimits defaults() {
        return LimitSets.DEFAULTS;
    }

    /** Returns a builder initialized with these limits. */
    public Builder toBuilder() {
        return values.copy();
    }

    /**
     * Returns these limits in the form that a head parser needs; the same instance for all connections.
     *
     * @param httpOnly whether only HTTP/1 is accepted
     */
    HeadRules headRules(boolean request, boolean httpOnly) {
        int kind = (request ? 1 : 0) + (httpOnly ? 2 : 0);
        HeadRules rules = headRules[kind];
        if (rules == null) { // racing threads create equal ones
            rules = new HeadRules(request, httpOnly, this);
            headRules[kind] = rules;
        }
        return rules;
    }

    public boolean allows(HttpViolation violation) {
        return values.allowed.contains(violation);
    }

    // ---- heads ----

    /**
     * Maximum bytes of a start line without its end, and of the empty lines before it; 8192 by default. Above: 414 for
     * the line, 400 for empty lines.
     */
    public int maxInitialLineLength() {
        return values.maxInitialLineLength;
    }

    /** Maximum bytes of a header section, including line ends; 8192 by default. Above: 431. */
    public int maxHeaderSize() {
        return values.maxHeaderSize;
    }

    /** Maximum number of header lines in a message or a trailer section; 200 by default. Above: 431. */
    public int maxHeaders() {
        return values.maxHeaders;
    }

    /** Maximum bytes of a method's name; 32 by default. Above: 501. */
    public int maxMethodLength() {
        return values.maxMethodLength;
    }

    // ---- bodies ----

    /**
     * Maximum bytes of content passed on as one piece; 8192 by default. Longer content of known length is passed on in
     * chunks of this size, and longer chunks in pieces. Not a limit on what is accepted.
     */
    public int maxChunkSize() {
        return values.maxChunkSize;
    }

    /** Maximum bytes of the line before a chunk, which contains its size and extensions; 256 by default. Above: 400. */
    public int maxChunkLineLength() {
        return values.maxChunkLineLength;
    }

    /**
     * Maximum bytes of chunk extensions in one message, in addition to twice its content; 16 KiB by default. Above:
     * 400.
     */
    public int maxChunkOverhead() {
        return values.maxChunkOverhead;
    }

    /** Maximum bytes of a trailer section, including line ends; 4096 by default. Above: 431. */
    public int maxTrailerSize() {
        return values.maxTrailerSize;
    }

    /**
     * Maximum bytes of a message's content, however it is framed. Not limited by default, because chunks are not kept;
     * handlers that keep them have their own limit. Checked before content is read if there is a
     * {@code Content-Length}. Above: 413.
     */
    public long maxContentLength() {
        return values.maxContentLength;
    }

    // ---- inflation ----

    /** Maximum bytes of one message's content after decoding; 64 MiB by default. Above: 413. */
    public long maxInflatedBytes() {
        return values.maxInflatedBytes;
    }

    /**
     * Maximum ratio of decoded to encoded content, applied once the decoded content is larger than
     * {@link #minBytesForInflationRatio}; 100 by default. Above: 413.
     */
    public int maxInflationRatio() {
        return values.maxInflationRatio;
    }

    /** Bytes of decoded content accepted at any ratio; 1 MiB by default. */
    public long minBytesForInflationRatio() {
        return values.minBytesForInflationRatio;
    }

    // ---- pipelining ----

    /**
     * Maximum number of a connection's requests that may wait for their responses; 1 by default. Reading is suspended
     * until some are answered.
     */
    public int maxPipelinedRequests() {
        return values.maxPipelinedRequests;
    }

    // ---- forms ----

    /** Maximum number of fields and files in a form; 1000 by default. Above: 413. */
    public int maxFormFields() {
        return values.maxFormFields;
    }

    /** Maximum bytes of one field that is not a file; 16 MiB by default. Above: 413. */
    public long maxFormFieldSize() {
        return values.maxFormFieldSize;
    }

    /**
     * Maximum bytes of a form's fields and files kept in memory, including those deleted meanwhile; 64 MiB by default.
     * Above: 413.
     */
    public long maxFormBytesInMemory() {
        return values.maxFormBytesInMemory;
    }

    /**
     * Maximum bytes of a form as received, wherever its fields and files are kept; 64 MiB by default. Raise it if users
     * upload larger files. Above: 413.
     */
    public long maxFormSize() {
        return values.maxFormSize;
    }

    /** Maximum bytes of the name of a field or file; 1024 by default. Above: 400. */
    public int maxFormNameLength() {
        return values.maxFormNameLength;
    }

    /** Maximum bytes of the header section of one part of a multipart form; 8192 by default. Above: 431. */
    public int maxPartHeadSize() {
        return values.maxPartHeadSize;
    }

    /** Maximum number of header lines in one part of a multipart form; 32 by default. Above: 431. */
    public int maxPartHeaders() {
        return values.maxPartHeaders;
    }

    // ---- WebSocket ----

    /** Maximum bytes of one frame's payload; 16 MiB by default. Above: close code 1009. */
    public int maxWebSocketFrameSize() {
        return values.maxWebSocketFrameSize;
    }

    /** Maximum bytes of a message in all its frames, inflated; 16 MiB by default. Above: close code 1009. */
    public int maxWebSocketMessageSize() {
        return values.maxWebSocketMessageSize;
    }

    /** Builds limits. A limit that is not set keeps the value it was created with. Not thread-safe. */
    public static final class Builder implements Cloneable {
        private EnumSet<HttpViolation> allowed = EnumSet.noneOf(HttpViolation.class);
        private int maxInitialLineLength = 8192;
        private int maxHeaderSize = 8192;
        private int maxHeaders = 200;
        private int maxMethodLength = 32;
        private int maxChunkSize = 8192;
        private int maxChunkLineLength = 256;
        private int maxChunkOverhead = 16 * 1024;
        private int maxTrailerSize = 4096;
        private long maxContentLength = Long.MAX_VALUE;
        private long maxInflatedBytes = 64L * 1024 * 1024;
        private int maxInflationRatio = 100;
        private long minBytesForInflationRatio = 1024 * 1024;
        private int maxPipelinedRequests = 1;
        private int maxFormFields = 1000;
        private long maxFormFieldSize = 16L * 1024 * 1024;
        private long maxFormBytesInMemory = 64L * 1024 * 1024;
        private long maxFormSize = 64L * 1024 * 1024;
        private int maxFormNameLength = 1024;
        private int maxPartHeadSize = 8192;
        private int maxPartHeaders = 32;
        private int maxWebSocketFrameSize = 16 * 1024 * 1024;
        private int maxWebSocketMessageSize = 16 * 1024 * 1024;

        Builder() {}

        private Builder copy() {
            try {
                Builder copy = (Builder) clone();
                copy.allowed = allowed.clone();
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }

        public HttpLimits build() {
            return new HttpLimits(this);
        }

        public Builder allow(HttpViolation violation) {
            allowed.add(Objects.requireNonNull(violation, "violation"));
            return this;
        }

        public Builder forbid(HttpViolation violation) {
            allowed.remove(Objects.requireNonNull(violation, "violation"));
            return this;
        }

        /** See {@link HttpLimits#maxInitialLineLength()}; 1 or more. */
        public Builder maxInitialLineLength(int value) {
            maxInitialLineLength = (int) checked("maxInitialLineLength", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxHeaderSize()}; 1 or more. */
        public Builder maxHeaderSize(int value) {
            maxHeaderSize = (int) checked("maxHeaderSize", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxHeaders()}; 1 or more. */
        public Builder maxHeaders(int value) {
            maxHeaders = (int) checked("maxHeaders", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxMethodLength()}; 7 or more. */
        public Builder maxMethodLength(int value) {
            maxMethodLength = (int) checked("maxMethodLength", value, 7);
            return this;
        }

        /** See {@link HttpLimits#maxChunkSize()}; 1 or more. */
        public Builder maxChunkSize(int value) {
            maxChunkSize = (int) checked("maxChunkSize", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxChunkLineLength()}; 1 or more. */
        public Builder maxChunkLineLength(int value) {
            maxChunkLineLength = (int) checked("maxChunkLineLength", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxChunkOverhead()}; 0 or more. */
        public Builder maxChunkOverhead(int value) {
            maxChunkOverhead = (int) checked("maxChunkOverhead", value, 0);
            return this;
        }

        /** See {@link HttpLimits#maxTrailerSize()}; 1 or more. */
        public Builder maxTrailerSize(int value) {
            maxTrailerSize = (int) checked("maxTrailerSize", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxContentLength()}; 0 or more. */
        public Builder maxContentLength(long value) {
            maxContentLength = checked("maxContentLength", value, 0);
            return this;
        }

        /** See {@link HttpLimits#maxInflatedBytes()}; 1 or more. */
        public Builder maxInflatedBytes(long value) {
            maxInflatedBytes = checked("maxInflatedBytes", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxInflationRatio()}; 1 or more. */
        public Builder maxInflationRatio(int value) {
            maxInflationRatio = (int) checked("maxInflationRatio", value, 1);
            return this;
        }

        /** See {@link HttpLimits#minBytesForInflationRatio()}; 0 or more. */
        public Builder minBytesForInflationRatio(long value) {
            minBytesForInflationRatio = checked("minBytesForInflationRatio", value, 0);
            return this;
        }

        /** See {@link HttpLimits#maxPipelinedRequests()}; 1 or more. */
        public Builder maxPipelinedRequests(int value) {
            maxPipelinedRequests = (int) checked("maxPipelinedRequests", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxFormFields()}; 1 or more. */
        public Builder maxFormFields(int value) {
            maxFormFields = (int) checked("maxFormFields", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxFormFieldSize()}; 0 or more. */
        public Builder maxFormFieldSize(long value) {
            maxFormFieldSize = checked("maxFormFieldSize", value, 0);
            return this;
        }

        /** See {@link HttpLimits#maxFormBytesInMemory()}; 0 or more. */
        public Builder maxFormBytesInMemory(long value) {
            maxFormBytesInMemory = checked("maxFormBytesInMemory", value, 0);
            return this;
        }

        /** See {@link HttpLimits#maxFormSize()}; 0 or more. */
        public Builder maxFormSize(long value) {
            maxFormSize = checked("maxFormSize", value, 0);
            return this;
        }

        /** See {@link HttpLimits#maxFormNameLength()}; 1 or more. */
        public Builder maxFormNameLength(int value) {
            maxFormNameLength = (int) checked("maxFormNameLength", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxPartHeadSize()}; 1 or more. */
        public Builder maxPartHeadSize(int value) {
            maxPartHeadSize = (int) checked("maxPartHeadSize", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxPartHeaders()}; 1 or more. */
        public Builder maxPartHeaders(int value) {
            maxPartHeaders = (int) checked("maxPartHeaders", value, 1);
            return this;
        }

        /** See {@link HttpLimits#maxWebSocketFrameSize()}; 125 or more. */
        public Builder maxWebSocketFrameSize(int value) {
            maxWebSocketFrameSize = (int) checked("maxWebSocketFrameSize", value, 125);
            return this;
        }

        /** See {@link HttpLimits#maxWebSocketMessageSize()}; 125 or more. */
        public Builder maxWebSocketMessageSize(int value) {
            maxWebSocketMessageSize = (int) checked("maxWebSocketMessageSize", value, 125);
            return this;
        }

        private static long checked(String name, long value, long least) {
            if (value < least) {
                throw new IllegalArgumentException(name + " < " + least + ": " + value);
            }
            return value;
        }
    }
}
