package org.freshet.handler.codec.http2;

/** Why a stream or a connection ended (RFC 9113 7). An unknown code counts as {@link #INTERNAL_ERROR}. */
public enum Http2Error {
    NO_ERROR,
    PROTOCOL_ERROR,
    INTERNAL_ERROR,
    FLOW_CONTROL_ERROR,
    SETTINGS_TIMEOUT,
    STREAM_CLOSED,
    FRAME_SIZE_ERROR,
    REFUSED_STREAM,
    CANCEL,
    COMPRESSION_ERROR,
    CONNECT_ERROR,
    ENHANCE_YOUR_CALM,
    INADEQUATE_SECURITY,
    HTTP_1_1_REQUIRED;

    private static final Http2Error[] BY_CODE = values();

    /** The code on the wire, where it is unsigned. */
    public int code() {
        return ordinal();
    }

    static Http2Error of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : INTERNAL_ERROR;
    }
}
