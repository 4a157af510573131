package org.freshet.handler.tap;

import java.nio.ByteBuffer;

/**
 * Overwrites the values of some header lines in one direction of a flow with asterisks, however the lines are split. It
 * knows text lines only, so content that looks like such a line is overwritten too. Guarded by the flow's lane.
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

    /** In lower case, sorted. */
    private final String[] names;

    /** How many characters of a name the line has. */
    private int nameLength;

    /** The names that begin with them: from this index... */
    private int first;

    /** ...to this one, exclusive. */
    private int end;

    private Place place = Place.LINE_START;

    /** Whether the previous line was overwritten: a line that begins with a blank continues it. */
    private boolean wasSecret;

    /** @param names in lower case, sorted */
    HeaderMask(String[] names) {
        this.names = names;
    }

    /** Overwrites the secrets in the next piece, which is a part of a buffer with an array. */
    void apply(ByteBuffer bytes, int from, int to) {
        if (names.length == 0) {
            return;
        }
        byte[] array = bytes.array();
        for (int i = from; i < to; i++) {
            if (place == Place.OTHER) {
                i = nextLineFeed(bytes, i, to);
                if (i == to) {
                    return;
                }
            }
            byte b = array[i];
            if (b == '\n') {
                wasSecret = place == Place.SECRET;
                place = Place.LINE_START;
            } else if (place == Place.SECRET) {
                array[i] = b == '\r' || b == ' ' ? b : (byte) '*';
            } else {
                onName(b);
            }
        }
    }

    /** Most bytes are content, so eight are checked per step. Returns {@code to} if no line feed follows. */
    private static int nextLineFeed(ByteBuffer bytes, int from, int to) {
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long differences = bytes.getLong(at) ^ LINE_FEEDS;
            if ((differences - ONES & ~differences & HIGH_BITS) != 0) {
                break; // one of these is 0
            }
        }
        while (at < to && bytes.get(at) != '\n') {
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

    private void onName(byte b) {
        if (place == Place.LINE_START) {
            if (wasSecret && (b == ' ' || b == '\t')) {
                place = Place.SECRET;
                return;
            }
            place = Place.NAME;
            nameLength = 0;
            first = 0;
            end = names.length;
        }
        if (b == ':') {
            // Of the names that begin with it, the name itself is the first.
            place = first < end && names[first].length() == nameLength ? Place.SECRET : Place.OTHER;
        } else {
            narrow((char) (b >= 'A' && b <= 'Z' ? b + 'a' - 'A' : b & 0xff));
        }
    }

    private void narrow(char next) {
        while (first < end && !continuesWith(first, next)) {
            first++;
        }
        int matching = first;
        while (matching < end && continuesWith(matching, next)) {
            matching++;
        }
        end = matching;
        nameLength++;
        if (first == end) {
            place = Place.OTHER;
        }
    }

    private boolean continuesWith(int index, char next) {
        String name = names[index];
        return nameLength < name.length() && name.charAt(nameLength) == next;
    }
}
