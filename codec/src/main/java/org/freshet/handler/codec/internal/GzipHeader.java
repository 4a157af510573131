package org.freshet.handler.codec.internal;

import java.util.zip.CRC32;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.internal.InflateException.Reason;

/**
 * Reads the header of a gzip member (RFC 1952, section 2.3), however the input is cut. Optional fields are skipped. If
 * the header has a checksum, it is verified. Belongs to one decoder.
 */
final class GzipHeader {
    /** In the order of the header. */
    private enum Field {
        FIXED,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        CHECKSUM,
        COMPLETE
    }

    private static final int ID1 = 0x1F;
    private static final int ID2 = 0x8B;
    private static final int DEFLATE = 8;
    private static final int FIXED_BYTES = 10;

    private static final int FLAG_CHECKSUM = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int RESERVED_FLAGS = 0xE0;

    /** Enough for the longest extra field, and as much again for the file name and the comment. */
    private static final int MAX_BYTES = 2 << 16;

    private Field field = Field.FIXED;
    private final CRC32 checksum = new CRC32();
    private int flags;

    /** Number of header bytes read. */
    private int length;

    /** Number of bytes of the current field read. */
    private int fieldLength;

    /** The value of the current field so far, in little endian. */
    private int number;

    /** Returns whether no byte of the header has been read. */
    boolean isUntouched() {
        return length == 0;
    }

    /**
     * Continues reading.
     *
     * @return whether the header is complete; bytes after it are left unread
     */
    boolean read(ChannelBuffer in) {
        while (field != Field.COMPLETE && in.readable()) {
            int b = in.readUnsignedByte();
            length++;
            if (length > MAX_BYTES) {
                throw new InflateException(Reason.CORRUPT, "gzip header > " + MAX_BYTES + " bytes");
            }
            if (field != Field.CHECKSUM) {
                checksum.update(b);
            }
            accept(b);
        }
        return field == Field.COMPLETE;
    }

    private void accept(int b) {
        switch (field) {
            case FIXED -> acceptFixed(b);
            case EXTRA_LENGTH -> {
                if (isNumberComplete(b)) {
                    // An empty extra field has nothing to wait for.
                    enter(number > 0 ? Field.EXTRA : next(Field.EXTRA));
                }
            }
            case EXTRA -> {
                number--;
                if (number == 0) {
                    enter(next(Field.EXTRA));
                }
            }
            case NAME, COMMENT -> {
                if (b == 0) {
                    enter(next(field));
                }
            }
            case CHECKSUM -> {
                if (isNumberComplete(b)) {
                    checkChecksum();
                    enter(Field.COMPLETE);
                }
            }
            default -> throw new IllegalStateException("in field " + field);
        }
    }

    private void acceptFixed(int b) {
        switch (length) {
            case 1 -> require(b == ID1, "first byte is not 0x1f: " + b);
            case 2 -> require(b == ID2, "second byte is not 0x8b: " + b);
            case 3 -> require(b == DEFLATE, "compression method is not 8: " + b);
            case 4 -> {
                require((b & RESERVED_FLAGS) == 0, "reserved flags are set: " + b);
                flags = b;
            }
            case FIXED_BYTES -> enter(next(Field.FIXED));
            default -> {
                // The time, the level and the operating system: not used.
            }
        }
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new InflateException(Reason.CORRUPT, "not a gzip header: " + problem);
        }
    }

    /** For fields that are numbers of two bytes. */
    private boolean isNumberComplete(int b) {
        number |= b << 8 * fieldLength;
        fieldLength++;
        return fieldLength == 2;
    }

    private void checkChecksum() {
        int expected = (int) checksum.getValue() & 0xFFFF;
        if (number != expected) {
            throw new InflateException(Reason.CORRUPT, "gzip header checksum is not " + expected + ": " + number);
        }
    }

    private Field next(Field after) {
        if (after.compareTo(Field.EXTRA_LENGTH) < 0 && (flags & FLAG_EXTRA) != 0) {
            return Field.EXTRA_LENGTH;
        }
        if (after.compareTo(Field.NAME) < 0 && (flags & FLAG_NAME) != 0) {
            return Field.NAME;
        }
        if (after.compareTo(Field.COMMENT) < 0 && (flags & FLAG_COMMENT) != 0) {
            return Field.COMMENT;
        }
        return (flags & FLAG_CHECKSUM) != 0 ? Field.CHECKSUM : Field.COMPLETE;
    }

    private void enter(Field next) {
        field = next;
        fieldLength = 0;
        if (next != Field.EXTRA) {
            number = 0;
        }
    }
}
