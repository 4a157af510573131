package org.freshet.handler.codec.http;

import java.util.EnumSet;
import java.util.Objects;

/**
 * How much of what a peer sends is accepted, and how strictly it is read: one object for decoders, aggregators, inflaters,
 * forms and WebSocket. Immutable.
 *
 * <pre>{@code
 * HttpLimits limits = HttpLimits.standard().toBuilder()
 *         .maxHeaderSize(16 * 1024)
 *         .allow(HttpViolation.NON_ASCII_TARGET)
 *         .build();
 * }</pre>
 *
 * <p>Constructors that take no limits use {@link #defaults()}. Every limit is checked before memory is taken for what it
 * limits.
 */
public final class HttpLimits {
    /** The system property that says what {@link #defaults()} are: {@value}. */
    public static final String DEFAULTS_PROPERTY = "org.freshet.http";

    private final Builder values;

    /** By kind of message, as {@link #headRules} numbers them; made when they are asked for. */
    private final HeadRules[] headRules = new HeadRules[4];

    private HttpLimits(Builder values) {
        this.values = values.copy();
    }

    /**
     * Strict towards requests, but for what decoders of HTTP/1 commonly leave to a server ({@code Host} may be missing);
     * towards responses, LF and folded headers are accepted in the head.
     */
    public static HttpLimits standard() {
        return LimitSets.STANDARD;
    }

    /** The sizes of {@link #standard()}, and no {@link HttpViolation} at all. */
    public static HttpLimits strict() {
        return LimitSets.STRICT;
    }

    /**
     * Larger sizes, and every {@link HttpViolation}: for a system that comes from Netty 3 and must go on reading what its
     * peers send. What two readers could take for different messages is refused all the same, unless a {@link HttpViolation}
     * says otherwise.
     */
    public static HttpLimits netty3() {
        return LimitSets.NETTY3;
    }

    /**
     * What is used where no limits are given: those that the system property {@value #DEFAULTS_PROPERTY} names ({@code
     * standard}, {@code strict} or {@code netty3}), else {@link #standard()}. Without the property, the drop-in jar for Netty 3
     * allows {@link HttpViolation#TRAILERS_AS_HEADERS} as well.
     */
    public static HttpLimits defaults() {
        return LimitSets.DEFAULTS;
    }

    /** A builder that starts with these limits. */
    public Builder toBuilder() {
        return values.copy();
    }

    /**
     * These limits as a parser of heads reads them; the same instance for all connections.
     *
     * @param httpOnly whether no other protocol than HTTP/1 is accepted
     */
    HeadRules headRules(boolean request, boolean httpOnly) {
        int kind = (request ? 1 : 0) + (httpOnly ? 2 : 0);
        HeadRules rules = headRules[kind];
        if (rules == null) { // threads that race make equal ones
            rules = new HeadRules(request, httpOnly, this);
            headRules[kind] = rules;
        }
        return rules;
    }

    public boolean allows(HttpViolation violation) {
        return values.allowed.contains(violation);
    }

    // ---- heads ----

    /** Bytes of a start line without its end, and of empty lines before it. Beyond: 414 for a request's target. */
    public int maxInitialLineLength() {
        return values.maxInitialLineLength;
    }

    /** Bytes of a header section, line ends included. Beyond: 431. */
    public int maxHeaderSize() {
        return values.maxHeaderSize;
    }

    /** Header lines of a message or a trailer section. Beyond: 431. */
    public int maxHeaders() {
        return values.maxHeaders;
    }

    /** Bytes of a method's name. Beyond: 501. */
    public int maxMethodLength() {
        return values.maxMethodLength;
    }

    // ---- bodies ----

    /**
     * Bytes of content up to which it is one piece: a longer content of known length comes in chunks of this size, and a
     * longer chunk in pieces. Not a limit on what is accepted.
     */
    public int maxChunkSize() {
        return values.maxChunkSize;
    }

    /** Bytes of the line before a chunk: its size and extensions. Beyond: 400. */
    public int maxChunkLineLength() {
        return values.maxChunkLineLength;
    }

    /** Bytes of chunk extensions in one message beyond twice its content. Beyond: 400. */
    public int maxChunkOverhead() {
        return values.maxChunkOverhead;
    }

    /** Bytes of a trailer section, line ends included. Beyond: 431. */
    public int maxTrailerSize() {
        return values.maxTrailerSize;
    }

    /**
     * Bytes of a message's content, however it is framed; known before any of it is read where {@code Content-Length}
     * tells. By default not limited, since chunks are not kept; whoever keeps them has a limit of its own. Beyond: 413.
     */
    public long maxContentLength() {
        return values.maxContentLength;
    }

    // ---- inflation ----

    /** Bytes that one message's content may have after its coding is undone. Beyond: 413. */
    public long maxInflatedBytes() {
        return values.maxInflatedBytes;
    }

    /**
     * How many times larger content may become when its coding is undone, once it is larger than {@link
     * #inflationRatioFrom}. Beyond: 413.
     */
    public int maxInflationRatio() {
        return values.maxInflationRatio;
    }

    /** Bytes of undone content that are accepted whatever the ratio. */
    public long inflationRatioFrom() {
        return values.inflationRatioFrom;
    }

    // ---- pipelining ----

    /**
     * Requests of a connection that may wait for their answers. Then reading is suspended until some are answered.
     */
    public int maxPipelinedRequests() {
        return values.maxPipelinedRequests;
    }

    // ---- forms ----

    /** Fields and files of a form. Beyond: 413. */
    public int maxFormFields() {
        return values.maxFormFields;
    }

    /** Bytes of one field that is not a file. Beyond: 413. */
    public long maxFormFieldSize() {
        return values.maxFormFieldSize;
    }

    /**
     * Bytes that the fields and files of one form may have in memory, whether or not they are deleted meanwhile. Beyond: 413.
     */
    public long maxFormBytesInMemory() {
        return values.maxFormBytesInMemory;
    }

    /**
     * Bytes of a form as it is received, wherever its fields and files are kept: 64 MiB by default. Raise it where users upload
     * larger files. Beyond: 413.
     */
    public long maxFormSize() {
        return values.maxFormSize;
    }

    /** Bytes of a field's or file's name. Beyond: 400. */
    public int maxFormNameLength() {
        return values.maxFormNameLength;
    }

    /** Bytes of the header section of one part of a multipart form. Beyond: 431. */
    public int maxPartHeadSize() {
        return values.maxPartHeadSize;
    }

    /** Header lines of one part of a multipart form. Beyond: 431. */
    public int maxPartHeaders() {
        return values.maxPartHeaders;
    }

    // ---- WebSocket ----

    /** Bytes of one frame's payload. Beyond: close code 1009. */
    public int maxWebSocketFrameSize() {
        return values.maxWebSocketFrameSize;
    }

    /** Bytes of a message over all its frames, inflated. Beyond: close code 1009. */
    public int maxWebSocketMessageSize() {
        return values.maxWebSocketMessageSize;
    }

    /** Collects limits; those that are not set stay as they are in what it was made from. Not thread-safe. */
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
        private long inflationRatioFrom = 1024 * 1024;
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

        /** See {@link HttpLimits#inflationRatioFrom()}; 0 or more. */
        public Builder inflationRatioFrom(long value) {
            inflationRatioFrom = checked("inflationRatioFrom", value, 0);
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
