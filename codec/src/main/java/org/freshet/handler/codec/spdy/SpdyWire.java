package org.freshet.handler.codec.spdy;

/** Numbers of the wire format, which is big-endian. */
final class SpdyWire {
    /** Of each frame. */
    static final int HEAD_BYTES = 8;

    /** Of what follows the head. */
    static final int MAX_LENGTH = 0xFFFFFF;

    static final int MAX_SETTING_ID = 0xFFFFFF;
    static final int SETTING_BYTES = 8;

    /** Of a header's name, and of its values together. */
    static final int MAX_TEXT_BYTES = 0xFFFF;

    static final int CONTROL_BIT = 0x8000_0000;

    // The types of control frames.
    static final int SYN_STREAM = 1;
    static final int SYN_REPLY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int HEADERS = 8;
    static final int WINDOW_UPDATE = 9;

    // Flags; each bit has its meaning in some types only.
    static final int FLAG_FIN = 1;
    static final int FLAG_UNIDIRECTIONAL = 2;
    static final int FLAG_CLEAR_SETTINGS = 1;
    static final int FLAG_PERSIST_VALUE = 1;
    static final int FLAG_PERSISTED = 2;

    /** In a WINDOW_UPDATE: the whole session. */
    static final int SESSION = 0;

    private SpdyWire() {}

    /** Whether the server began the stream or ping. */
    static boolean isServersId(int id) {
        return id % 2 == 0;
    }
}
