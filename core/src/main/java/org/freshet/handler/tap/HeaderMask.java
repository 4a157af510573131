package org.freshet.handler.tap;

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

    private static final long LINE_FEEDS = Octets.eightOf('\n');

    /** In lower case, in ISO 8859-1, sorted. */
    private final byte[][] names;

    /** How many characters of a name the line has. */
    private int nameLength;

    /** The names that begin with them: from this index... */
    private int first;

    /** ...to this one, exclusive. */
    private int end;

    private Place place = Place.LINE_START;

    /** Whether the previous line was overwritten: a line that begins with a blank continues it. */
    private boolean wasSecret;

    /** @param names in lower case, in ISO 8859-1, sorted */
    HeaderMask(byte[][] names) {
        this.names = names;
    }

    /** Overwrites the secrets in the next piece. */
    void apply(byte[] bytes, int from, int to) {
        if (names.length == 0) {
            return;
        }
        int at = from;
        while (at < to) {
            at = switch (place) {
                case OTHER -> endLine(Octets.indexOf(LINE_FEEDS, bytes, at, to), to);
                case SECRET -> maskLine(bytes, at, to);
                default -> readName(bytes, at, to);
            };
        }
    }

    /** Returns the index after a line feed, where the next line begins; {@code to} if the line goes on. */
    private int endLine(int lineFeed, int to) {
        if (lineFeed == to) {
            return to;
        }
        wasSecret = place == Place.SECRET;
        place = Place.LINE_START;
        return lineFeed + 1;
    }

    private int maskLine(byte[] bytes, int from, int to) {
        int end = Octets.indexOf(LINE_FEEDS, bytes, from, to);
        for (int i = from; i < end; i++) {
            bytes[i] = bytes[i] == '\r' || bytes[i] == ' ' ? bytes[i] : (byte) '*';
        }
        return endLine(end, to);
    }

    /** Returns the index after the bytes that decide whether the line has a secret. */
    private int readName(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] == '\n') {
                return endLine(at, to);
            }
            onName(bytes[at]);
            if (place != Place.NAME) {
                return at + 1;
            }
        }
        return to;
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
            place = isName() ? Place.SECRET : Place.OTHER;
        } else if ((b != ' ' && b != '\t') || !isName()) { // some peers accept blanks before the colon
            narrow(b >= 'A' && b <= 'Z' ? (byte) (b + 'a' - 'A') : b);
        }
    }

    private boolean isName() {
        return first < end && names[first].length == nameLength;
    }

    private void narrow(byte next) {
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

    private boolean continuesWith(int index, byte next) {
        byte[] name = names[index];
        return nameLength < name.length && name[nameLength] == next;
    }
}
