package org.freshet.handler.codec.http2;

/**
 * The frame types of RFC 9113 6 and RFC 9218 7.1, with the rules that don't depend on content: the streams on which a frame may
 * come, and its length.
 */
enum FrameType {
    DATA(0x0, On.STREAM, 0, Integer.MAX_VALUE),
    HEADERS(0x1, On.STREAM, 0, Integer.MAX_VALUE),
    PRIORITY(0x2, On.STREAM, 5, 5),
    RST_STREAM(0x3, On.STREAM, 4, 4),
    SETTINGS(0x4, On.CONNECTION, 0, Integer.MAX_VALUE),
    PUSH_PROMISE(0x5, On.STREAM, 4, Integer.MAX_VALUE),
    PING(0x6, On.CONNECTION, 8, 8),
    GOAWAY(0x7, On.CONNECTION, 8, Integer.MAX_VALUE),
    WINDOW_UPDATE(0x8, On.BOTH, 4, 4),
    CONTINUATION(0x9, On.STREAM, 0, Integer.MAX_VALUE),
    PRIORITY_UPDATE(0x10, On.CONNECTION, 4, Integer.MAX_VALUE);

    private enum On {
        STREAM,
        CONNECTION,
        BOTH
    }

    static final int HEADER_LENGTH = 9;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int PRIORITY_FIELDS = 0x20;

    private static final FrameType[] BY_CODE = new FrameType[0x11];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    final int code;
    private final On on;
    private final int minLength;
    private final int maxLength;

    FrameType(int code, On on, int minLength, int maxLength) {
        this.code = code;
        this.on = on;
        this.minLength = minLength;
        this.maxLength = maxLength;
    }

    /** Returns null for an unknown type. Such frames are ignored. */
    static FrameType of(int code) {
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }

    void check(int streamId, int length) throws Http2Exception {
        if (streamId == 0 ? on == On.STREAM : on == On.CONNECTION) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, this + " frame on stream " + streamId);
        }
        if (length < minLength || length > maxLength) {
            throw new Http2Exception(Http2Error.FRAME_SIZE_ERROR, this + " frame has " + length + " octets");
        }
    }
}
