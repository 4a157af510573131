package org.freshet.handler.codec.http.websocketx;

/**
 * The first bytes of a frame, up to its mask (RFC 6455, section 5.2): reads them, and says what is wrong with them whatever
 * the connection's state. Belongs to one decoder and its thread.
 */
final class FrameHead {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    /** Of control frames' content. */
    static final int MAX_CONTROL_BYTES = 125;

    static final int FINAL = 0x80;
    static final int MASKED = 0x80;
    static final int MASK_BYTES = 4;

    /** With both the longest length and a mask. */
    static final int MAX_BYTES = 14;

    /** In place of a length: it follows in two bytes, or in eight. */
    static final int LENGTH_OF_16_BITS = 126;

    static final int LENGTH_OF_64_BITS = 127;

    boolean finalFragment;
    int rsv;
    int opcode;
    boolean masked;
    long length;

    /** The mask, once it was read. */
    int mask;

    /**
     * Reads the head without the mask.
     *
     * @return how many bytes it has, or -1 if they are not all there
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
            throw new MalformedWebSocketFrameException("a frame with the reserved opcode " + opcode);
        }
        if (isControl() && !finalFragment) {
            throw new MalformedWebSocketFrameException("a fragmented control frame with opcode " + opcode);
        }
        if (isControl() && length > MAX_CONTROL_BYTES) {
            throw new MalformedWebSocketFrameException("a control frame of more than 125 bytes, with opcode " + opcode);
        }
    }

    private void readLength(byte[] array, int from, int bytes) throws MalformedWebSocketFrameException {
        length = 0;
        for (int i = 0; i < bytes; i++) {
            length = length << 8 | array[from + i] & 0xFF;
        }
        if (length < 0) {
            throw new MalformedWebSocketFrameException("a length with the highest bit set");
        }
        if (length < LENGTH_OF_16_BITS || bytes == 8 && length <= 0xFFFF) {
            throw new MalformedWebSocketFrameException("a length of " + length + " in " + bytes + " bytes");
        }
    }

    void readMask(byte[] array, int from) {
        mask = (array[from] & 0xFF) << 24
                | (array[from + 1] & 0xFF) << 16
                | (array[from + 2] & 0xFF) << 8
                | array[from + 3] & 0xFF;
    }

    // ---- writing ----

    /** How many bytes a head with that length of content has. */
    static int size(int length, boolean masked) {
        int lengthBytes = length < LENGTH_OF_16_BITS ? 0 : length <= 0xFFFF ? 2 : 8;
        return 2 + lengthBytes + (masked ? MASK_BYTES : 0);
    }

    /**
     * Writes a head at the start of an array, without a mask.
     *
     * @return where the mask, or the content, follows
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
