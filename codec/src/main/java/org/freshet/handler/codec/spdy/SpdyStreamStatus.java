package org.freshet.handler.codec.spdy;

import java.util.Objects;

/** Why a stream was reset. Instances with equal codes are equal. Any code may be sent, but most peers only know the constants. */
public class SpdyStreamStatus implements Comparable<SpdyStreamStatus> {
    public static final SpdyStreamStatus PROTOCOL_ERROR = new SpdyStreamStatus(1, "PROTOCOL_ERROR");
    public static final SpdyStreamStatus INVALID_STREAM = new SpdyStreamStatus(2, "INVALID_STREAM");
    public static final SpdyStreamStatus REFUSED_STREAM = new SpdyStreamStatus(3, "REFUSED_STREAM");
    public static final SpdyStreamStatus UNSUPPORTED_VERSION = new SpdyStreamStatus(4, "UNSUPPORTED_VERSION");
    public static final SpdyStreamStatus CANCEL = new SpdyStreamStatus(5, "CANCEL");
    public static final SpdyStreamStatus INTERNAL_ERROR = new SpdyStreamStatus(6, "INTERNAL_ERROR");
    public static final SpdyStreamStatus FLOW_CONTROL_ERROR = new SpdyStreamStatus(7, "FLOW_CONTROL_ERROR");
    public static final SpdyStreamStatus STREAM_IN_USE = new SpdyStreamStatus(8, "STREAM_IN_USE");
    public static final SpdyStreamStatus STREAM_ALREADY_CLOSED = new SpdyStreamStatus(9, "STREAM_ALREADY_CLOSED");
    public static final SpdyStreamStatus INVALID_CREDENTIALS = new SpdyStreamStatus(10, "INVALID_CREDENTIALS");
    public static final SpdyStreamStatus FRAME_TOO_LARGE = new SpdyStreamStatus(11, "FRAME_TOO_LARGE");

    private static final SpdyStreamStatus[] BY_CODE = {
        null,
        PROTOCOL_ERROR,
        INVALID_STREAM,
        REFUSED_STREAM,
        UNSUPPORTED_VERSION,
        CANCEL,
        INTERNAL_ERROR,
        FLOW_CONTROL_ERROR,
        STREAM_IN_USE,
        STREAM_ALREADY_CLOSED,
        INVALID_CREDENTIALS,
        FRAME_TOO_LARGE
    };

    private final int code;
    private final String statusPhrase;

    /**
     * Returns the constant with that code, or a new status.
     *
     * @throws IllegalArgumentException if the code is 0
     */
    public static SpdyStreamStatus valueOf(int code) {
        if (code == 0) {
            throw new IllegalArgumentException("the status code of RST_STREAM must not be 0");
        }
        return code >= 0 && code < BY_CODE.length
                ? BY_CODE[code]
                : new SpdyStreamStatus(code, "UNKNOWN (" + code + ")");
    }

    public SpdyStreamStatus(int code, String statusPhrase) {
        if (code == 0) {
            throw new IllegalArgumentException("the status code of RST_STREAM must not be 0");
        }
        this.code = code;
        this.statusPhrase = Objects.requireNonNull(statusPhrase, "statusPhrase");
    }

    public int getCode() {
        return code;
    }

    /** The name of the status, in readable form. */
    public String getStatusPhrase() {
        return statusPhrase;
    }

    @Override
    public int hashCode() {
        return code;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof SpdyStreamStatus other && other.code == code;
    }

    @Override
    public String toString() {
        return statusPhrase;
    }

    @Override
    public int compareTo(SpdyStreamStatus o) {
        return Integer.compare(code, o.code);
    }
}
