package org.freshet.microbench.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The way the end of a frame is marked, and the bytes of a frame. */
public enum FrameKind {
    /** No decoder: the cost of the reads alone; each read is a frame. */
    NONE,
    /** Frames end with a byte 0. */
    DELIMITER,
    /** Frames end with a byte 0 or with CR LF; here with the latter. */
    DELIMITERS,
    /** Frames end with CR LF. */
    LINE,
    FIXED_LENGTH,
    /** Frames begin with their length in 4 bytes. */
    LENGTH_FIELD,
    /** The same frames, decoded by a user's replaying decoder with a checkpoint between length and content. */
    REPLAYING;

    /** The decoders' limit. */
    static final int MAX_FRAME_BYTES = 8192;

    static final int LENGTH_FIELD_BYTES = 4;

    private static final byte[] CR_LF = {'\r', '\n'};
    private static final byte[] NUL = {0};

    /** The delimiters that this kind's decoder looks for. */
    byte[][] delimiters() {
        return this == DELIMITER ? new byte[][] {NUL} : new byte[][] {NUL, CR_LF};
    }

    /** Returns the number of a frame's bytes on the wire that are not handed on. */
    int overheadBytes() {
        return switch (this) {
            case NONE, FIXED_LENGTH -> 0;
            case DELIMITER -> NUL.length;
            case DELIMITERS, LINE -> CR_LF.length;
            case LENGTH_FIELD, REPLAYING -> LENGTH_FIELD_BYTES;
        };
    }

    /** Returns one frame in wire format, with letters between its marks. */
    byte[] frame(int wireBytes) {
        byte[] frame = new byte[wireBytes];
        Arrays.fill(frame, (byte) 'x');
        switch (this) {
            case DELIMITER -> frame[wireBytes - 1] = 0;
            case DELIMITERS, LINE -> System.arraycopy(CR_LF, 0, frame, wireBytes - CR_LF.length, CR_LF.length);
            case LENGTH_FIELD, REPLAYING -> ByteBuffer.wrap(frame).putInt(wireBytes - LENGTH_FIELD_BYTES);
            default -> {}
        }
        return frame;
    }
}
