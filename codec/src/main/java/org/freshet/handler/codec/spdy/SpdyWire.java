package org.freshet.handler.codec.spdy;

/** Constants of the wire format, which is big-endian. */
final class SpdyWire {
    /** The size of each frame's head. */
    static final int HEAD_BYTES = 8;

    /** The largest length after the head. */
    static final int MAX_LENGTH = 0xFFFFFF;

    static final int MAX_SETTING_ID = 0xFFFFFF;
    static final int SETTING_BYTES = 8;

    /** The limit of a header's name, and of its values together. */
    static final int MAX_TEXT_BYTES = 0xFFFF;

    static final int CONTROL_BIT = 0x8000_0000;

    // Types of control frames.
    static final int SYN_STREAM = 1;
    static final int SYN_REPLY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int HEADERS = 8;
    static final int WINDOW_UPDATE = 9;

    // Flags. The meaning of each bit depends on the frame type.
    static final int FLAG_FIN = 1;
    static final int FLAG_UNIDIRECTIONAL = 2;
    static final int FLAG_CLEAR_SETTINGS = 1;
    static final int FLAG_PERSIST_VALUE = 1;
    static final int FLAG_PERSISTED = 2;

    /** The stream ID of the whole session in a WINDOW_UPDATE. */
    static final int SESSION = 0;

    private SpdyWire() {}

    /** Whether the server started the stream or ping. */
    static boolean isServersId(int id) {
        return id % 2 == 0;
    }
}
