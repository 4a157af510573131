package org.freshet.handler.codec.http2.hpack;

/**
 * Encodes the field blocks of one direction of a connection (RFC 7541 3 and 6), and keeps the table they fill.
 *
 * <p>A block is {@link #begin}, followed by {@link #encode} for each field, into an array with enough room: fields are written
 * directly to the array that is sent. Names must be lower case, names and values Latin-1. The caller guarantees this.
 *
 * <p>Belongs to its connection's thread.
 */
public final class HpackEncoder {
    /** The largest table used, whatever the peer allows: the peer decides about its memory, not about ours. */
    public static final int MAX_TABLE_SIZE = 4096;

    /** The most octets {@link #begin} writes: two table sizes. */
    public static final int MAX_BEGIN_LENGTH = 8;

    /** The most octets an integer takes. */
    private static final int MAX_INTEGER_LENGTH = 6;

    private final DynamicTable table = new DynamicTable(MAX_TABLE_SIZE);
    private final TableIndex index = new TableIndex(table);

    /** The smallest size since the last block. The peer must be told even if the table is larger again. */
    private int smallestSize = MAX_TABLE_SIZE;

    private int wantedSize = MAX_TABLE_SIZE;

    /** Sets the size allowed by the peer's SETTINGS_HEADER_TABLE_SIZE. The next block announces how much of it is used. */
    public void setMaxTableSize(long granted) {
        wantedSize = (int) Math.min(granted, MAX_TABLE_SIZE);
        smallestSize = Math.min(smallestSize, wantedSize);
    }

    /** The most octets the field takes. */
    public static int maxLength(String name, String value) {
        return name.length() + value.length() + 3 * MAX_INTEGER_LENGTH;
    }

    /**
     * Begins a block. If the table's size has changed, announces that.
     *
     * @param out has {@link #MAX_BEGIN_LENGTH} octets of room at the index
     * @return the index after the last octet written
     */
    public int begin(byte[] out, int outIndex) {
        int at = outIndex;
        if (smallestSize < table.maxSize()) {
            table.setMaxSize(smallestSize);
            at = writeInteger(0x20, 5, smallestSize, out, at);
        }
        if (wantedSize != table.maxSize()) {
            table.setMaxSize(wantedSize);
            at = writeInteger(0x20, 5, wantedSize, out, at);
        }
        smallestSize = wantedSize;
        return at;
    }

    /** Whether fields with that name never enter a table, whatever their sender wants. */
    public static boolean isAlwaysSensitive(String name) {
        return Indexing.isAlwaysNever(name);
    }

    /**
     * Encodes a field that no intermediary may put into a table. Parameters and result are those of {@link #encode}.
     *
     * @throws IllegalArgumentException see {@link #encode}
     */
    public int encodeSensitive(String name, String value, byte[] out, int outIndex) {
        return writeLiteral(StaticTable.indexOf(name), name, value, Indexing.NEVER, out, outIndex);
    }

    /**
     * Encodes a field.
     *
     * @param out has {@link #maxLength} octets of room at the index
     * @return the index after the last octet written
     * @throws IllegalArgumentException if the name or value contains a character that is not Latin-1; nothing was added to the
     * table, and the block can continue from the given index
     */
    public int encode(String name, String value, byte[] out, int outIndex) {
        int named = StaticTable.indexOf(name);
        int whole = named == 0 ? 0 : StaticTable.indexOf(named, value);
        if (whole != 0) {
            return writeInteger(0x80, 7, whole, out, outIndex);
        }
        int number = index.find(name, value);
        if (number >= 0) {
            return writeInteger(0x80, 7, position(number), out, outIndex);
        }
        return writeLiteral(named, name, value, Indexing.of(name, value, table.maxSize()), out, outIndex);
    }

    private int writeLiteral(
            int namedInStatic, String name, String value, Indexing indexing, byte[] out, int outIndex) {
        int named = namedInStatic;
        if (named == 0) {
            int number = index.find(name);
            named = number >= 0 ? position(number) : 0;
        }
        int at = writeInteger(indexing.pattern, indexing.prefixBits, named, out, outIndex);
        if (named == 0) {
            at = writeString(name, out, at);
        }
        at = writeString(value, out, at);
        if (indexing == Indexing.ADD) { // it fits
            table.add(name, value);
            index.added();
        }
        return at;
    }

    private int position(int number) {
        return StaticTable.LENGTH + 1 + table.newest() - number;
    }

    private static int writeInteger(int pattern, int prefixBits, int value, byte[] out, int outIndex) {
        int at = outIndex;
        int prefix = (1 << prefixBits) - 1;
        if (value < prefix) {
            out[at++] = (byte) (pattern | value);
            return at;
        }
        out[at++] = (byte) (pattern | prefix);
        int rest = value - prefix;
        for (; rest >= 0x80; rest >>>= 7) {
            out[at++] = (byte) (rest | 0x80);
        }
        out[at++] = (byte) rest;
        return at;
    }

    /** Uses the Huffman code if that is shorter. */
    private static int writeString(String text, byte[] out, int outIndex) {
        int coded = Huffman.encodedLength(text);
        if (coded < text.length()) {
            int at = writeInteger(0x80, 7, coded, out, outIndex);
            return Huffman.encode(text, out, at);
        }
        int at = writeInteger(0x00, 7, text.length(), out, outIndex);
        for (int i = 0; i < text.length(); i++) {
            out[at++] = (byte) text.charAt(i);
        }
        return at;
    }
}
