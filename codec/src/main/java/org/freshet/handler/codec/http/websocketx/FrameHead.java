package org.freshet.handler.codec.http.websocketx;

/**
 * The first bytes of a frame, up to its mask (RFC 6455, section 5.2). Parses them and rejects any head that is invalid
 * regardless of the connection's state. Belongs to one decoder and its thread.
 */
final class FrameHead {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** The most content a control frame may have. */
    static final int MAX_CONTROL_BYTES = 125;

    static final int FINAL = 0x80;
    static final int MASKED = 0x80;
    static final int MASK_BYTES = 4;

    /** The size of a head with the longest length field and a mask. */
    static final int MAX_BYTES = 14;

    /** Marks a length that follows in two bytes. */
    static final int LENGTH_OF_16_BITS = 126;

    /** Marks a length that follows in eight bytes. */
    static final int LENGTH_OF_64_BITS = 127;

    boolean finalFragment;
    int rsv;
    int opcode;
    boolean masked;
    long length;

    /** Set once the mask has been read. */
    int mask;

    /**
     * Reads the head without the mask.
     *
     * @return its size in bytes, or -1 if more bytes are needed
     */
    int parse(byte[] array, int from, int to) throws MalformedWebSocketFrameException {
        if (to - from < 2) {
            return -1;
        }
        finalFragment = (array[from] & FINAL) != 0;
        rsv = array[from] >> 4 & 7;
        opcode = array[from] & 0xF;
        masked = (array[from + 1] & MASKED) != 0;
        length = array[from + 1] & 0x7F;
        checkOpcode();
        if (length < LENGTH_OF_16_BITS) {
            return 2;
        }
        int lengthBytes = length == LENGTH_OF_16_BITS ? 2 : 8;
        if (to - from < 2 + lengthBytes) {
            return -1;
        }
        readLength(array, from + 2, lengthBytes);
        return 2 + lengthBytes;
    }

    boolean isControl() {
        return opcode >= CLOSE;
    }

    private void checkOpcode() throws MalformedWebSocketFrameException {
        if (opcode > PONG || opcode > BINARY && opcode < CLOSE) {
            throw new MalformedWebSocketFrameException("frame with reserved opcode " + opcode);
        }
        if (isControl() && !finalFragment) {
            throw new MalformedWebSocketFrameException("fragmented control frame with opcode " + opcode);
        }
        if (isControl() && length > MAX_CONTROL_BYTES) {
            throw new MalformedWebSocketFrameException("control frame of more than 125 bytes, with opcode " + opcode);
        }
    }

    private void readLength(byte[] array, int from, int bytes) throws MalformedWebSocketFrameException {
        length = 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | array[from + i] & 0xFF;
        }
        if (length < 0) {
            throw new MalformedWebSocketFrameException("frame length with the highest bit set");
        }
        if (length < LENGTH_OF_16_BITS || bytes == 8 && length <= 0xFFFF) {
            throw new MalformedWebSocketFrameException(
                    "frame length " + length + " is encoded in " + bytes + " bytes, not in the shortest form");
        }
    }

    void readMask(byte[] array, int from) {
        mask = (array[from] & 0xFF) << 24
                | (array[from + 1] & 0xFF) << 16
                | (array[from + 2] & 0xFF) << 8
                | array[from + 3] & 0xFF;
    }

    // ---- writing ----

    /** The size in bytes of a head for content of that length. */
    static int size(int length, boolean masked) {
        int lengthBytes = length < LENGTH_OF_16_BITS ? 0 : length <= 0xFFFF ? 2 : 8;
        return 2 + lengthBytes + (masked ? MASK_BYTES : 0);
    }

    /**
     * Writes a head without a mask at the start of an array.
     *
     * @return the index at which the mask, or the content, follows
     */
    static int write(byte[] array, int first, int length, boolean masked) {
        int maskBit = masked ? MASKED : 0;
        array[0] = (byte) first;
        if (length < LENGTH_OF_16_BITS) {
            array[1] = (byte) (maskBit | length);
            return 2;
        }
        int lengthBytes = length <= 0xFFFF ? 2 : 8;
        array[1] = (byte) (maskBit | (lengthBytes == 2 ? LENGTH_OF_16_BITS : LENGTH_OF_64_BITS));
        for (int i = 0; i < lengthBytes; i++) {
            array[1 + lengthBytes - i] = i < 4 ? (byte) (length >>> 8 * i) : 0;
        }
        return 2 + lengthBytes;
    }
}
