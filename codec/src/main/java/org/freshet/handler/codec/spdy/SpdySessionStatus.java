package org.freshet.handler.codec.spdy;

import java.util.Objects;

/** Why a session ended. Instances with equal codes are equal. Any code may be sent, but most peers only know the constants. */
public class SpdySessionStatus implements Comparable<SpdySessionStatus> {
    public static final SpdySessionStatus OK = new SpdySessionStatus(0, "OK");
    public static final SpdySessionStatus PROTOCOL_ERROR = new SpdySessionStatus(1, "PROTOCOL_ERROR");
    public static final SpdySessionStatus INTERNAL_ERROR = new SpdySessionStatus(2, "INTERNAL_ERROR");

    private static final SpdySessionStatus[] BY_CODE = {OK, PROTOCOL_ERROR, INTERNAL_ERROR};

    private final int code;
    private final String statusPhrase;

    /** Returns the constant with that code, or a new status. */
    public static SpdySessionStatus valueOf(int code) {
        return code >= 0 && code < BY_CODE.length
                ? BY_CODE[code]
                : new SpdySessionStatus(code, "UNKNOWN (" + code + ")");
    }

    public SpdySessionStatus(int code, String statusPhrase) {
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
        return o instanceof SpdySessionStatus other && other.code == code;
    }

    @Override
    public String toString() {
        return statusPhrase;
    }

    @Override
    public int compareTo(SpdySessionStatus o) {
        return Integer.compare(code, o.code);
    }
}
