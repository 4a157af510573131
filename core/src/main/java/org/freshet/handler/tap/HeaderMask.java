package org.freshet.handler.tap;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Overwrites the values of some header lines in one direction of a flow with asterisks, however the lines are split. It
 * knows text lines only, so content that looks like such a line is overwritten too. Used on the writer's thread only.
 */
final class HeaderMask {
    private enum Place {
        /** At the beginning of a line. */
        LINE_START,
        /** In text that may become a name. */
        NAME,
        /** In a value to be overwritten. */
        SECRET,
        /** In the rest of another line. */
        OTHER
    }

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;
    private static final long LINE_FEEDS = ONES * '\n';

    /** In lower case. */
    private final Set<String> names;

    private final byte[] name;
    private int nameLength;
    private Place place = Place.LINE_START;

    /** Whether the previous line was overwritten: a line that begins with a blank continues it. */
    private boolean wasSecret;

    HeaderMask(Set<String> names) {
        this.names = names;
        name = new byte[names.stream().mapToInt(String::length).max().orElse(0)];
    }

    /** Overwrites the secrets in the next piece. */
    void apply(byte[] piece) {
        for (int i = 0; i < piece.length; i++) {
            if (place == Place.OTHER) {
                i = nextLineFeed(piece, i);
                if (i == piece.length) {
                    return;
                }
            }
            byte b = piece[i];
            if (b == '\n') {
                wasSecret = place == Place.SECRET;
                place = Place.LINE_START;
                nameLength = 0;
            } else if (place == Place.SECRET) {
                piece[i] = b == '\r' || b == ' ' ? b : (byte) '*';
            } else {
                piece[i] = onName(b);
            }
        }
    }

    /** Most bytes are content, so eight are checked per step. Returns the array's length if no line feed follows. */
    private static int nextLineFeed(byte[] piece, int from) {
        ByteBuffer bytes = ByteBuffer.wrap(piece);
        int at = from;
        for (; at + Long.BYTES <= piece.length; at += Long.BYTES) {
            long differences = bytes.getLong(at) ^ LINE_FEEDS;
            if ((differences - ONES & ~differences & HIGH_BITS) != 0) {
                break; // one of these is 0
            }
        }
        while (at < piece.length && piece[at] != '\n') {
            at++;
        }
        return at;
    }

    /**
     * The next bytes don't follow the previous ones. After a gap in a name or a secret value, they may still belong to
     * it.
     */
    void onGap() {
        place = place == Place.SECRET || place == Place.NAME ? Place.SECRET : Place.OTHER;
    }

    private byte onName(byte b) {
        boolean isFolded = place == Place.LINE_START && wasSecret && (b == ' ' || b == '\t');
        place = isFolded ? Place.SECRET : Place.NAME;
        if (b == ':') {
            place = isSecret() ? Place.SECRET : Place.OTHER;
        } else if (nameLength == name.length && !isFolded) {
            place = Place.OTHER;
        } else if (!isFolded) {
            name[nameLength++] = (byte) (b >= 'A' && b <= 'Z' ? b + 'a' - 'A' : b);
        }
        return b;
    }

    private boolean isSecret() {
        return names.contains(new String(name, 0, nameLength, StandardCharsets.ISO_8859_1));
    }
}
