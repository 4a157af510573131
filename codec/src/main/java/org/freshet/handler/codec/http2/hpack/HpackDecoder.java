package org.freshet.handler.codec.http2.hpack;

import java.nio.charset.StandardCharsets;

/**
 * Decodes the field blocks of one direction of a connection (RFC 7541 3 and 6), and keeps the table they fill.
 *
 * <p>Takes complete blocks. The caller bounds the length of a block, and the {@link FieldSink} bounds the number and size of
 * the fields it keeps: a short block can refer to the same large field thousands of times, which costs nothing here.
 *
 * <p>Belongs to its connection's thread.
 */
public final class HpackDecoder {
    /** How many bits an integer may have beyond its first octet: far more than any valid length or index. */
    private static final int MAX_INTEGER_BITS = 28;

    /** A block may begin with two changes of the table's size: down to the smallest size since the last block, and up again. */
    private static final int MAX_SIZE_UPDATES = 2;

    private static final int SCRATCH_KEPT = 256;

    private final DynamicTable table;
    private int maxTableSize;
    private boolean isSmallerSizeDue;
    private byte[] scratch = {};

    // The current block.
    private byte[] block;
    private int at;
    private int end;

    /** @param maxTableSize the size that SETTINGS_HEADER_TABLE_SIZE allows the peer; 4,096 before any SETTINGS */
    public HpackDecoder(int maxTableSize) {
        this.maxTableSize = maxTableSize;
        table = new DynamicTable(maxTableSize);
    }

    /**
     * Sets the limit of the peer's table, once the peer has acknowledged the SETTINGS that contain it. If that is less than the
     * table's size, the next block has to begin with the new size (RFC 9113 4.3.1).
     */
    public void setMaxTableSize(int maxTableSize) {
        this.maxTableSize = maxTableSize;
        isSmallerSizeDue = maxTableSize < table.maxSize();
    }

    /** The size of the table in octets, as defined by RFC 7541. */
    public int tableSize() {
        return table.size();
    }

    /**
     * Decodes a complete block.
     *
     * @throws HpackException if the block is malformed; the fields before the error were delivered, and no further block can be
     * decoded
     */
    public void decode(byte[] octets, int offset, int length, FieldSink sink) throws HpackException {
        block = octets;
        at = offset;
        end = offset + length;
        try {
            readSizeUpdates();
            while (at < end) {
                readField(sink);
            }
        } finally {
            block = null;
            if (scratch.length > SCRATCH_KEPT) {
                scratch = new byte[0];
            }
        }
    }

    private void readSizeUpdates() throws HpackException {
        int updates = 0;
        while (at < end && (block[at] & 0xe0) == 0x20) {
            if (++updates > MAX_SIZE_UPDATES) {
                throw new HpackException("a block changes the table size more than twice");
            }
            int size = readInteger(5);
            if (size > maxTableSize) {
                throw new HpackException(
                        "a table size of " + size + " octets exceeds the limit of " + maxTableSize + " in SETTINGS");
            }
            table.setMaxSize(size);
            isSmallerSizeDue = false;
        }
        if (isSmallerSizeDue) {
            throw new HpackException("a block must begin with the smaller table size required by SETTINGS");
        }
    }

    private void readField(FieldSink sink) throws HpackException {
        int kind = block[at] & 0xff;
        if (kind >= 0x80) {
            int index = readInteger(7);
            sink.field(name(index), value(index), false);
        } else if (kind >= 0x40) {
            String name = readName(6);
            String value = readString(false);
            table.add(name, value);
            sink.field(name, value, false);
        } else if (kind >= 0x20) {
            throw new HpackException("a block changes the table size after its first field");
        } else {
            String name = readName(4);
            sink.field(name, readString(false), kind >= 0x10);
        }
    }

    private String readName(int prefixBits) throws HpackException {
        int index = readInteger(prefixBits);
        return index == 0 ? readString(true) : name(index);
    }

    private String name(int index) throws HpackException {
        return index > 0 && index <= StaticTable.LENGTH ? StaticTable.name(index) : table.name(number(index));
    }

    /** Only for an index that has a {@link #name}. */
    private String value(int index) throws HpackException {
        return index <= StaticTable.LENGTH ? StaticTable.value(index) : table.value(number(index));
    }

    private int number(int index) throws HpackException {
        int back = index - StaticTable.LENGTH - 1;
        if (back < 0 || back >= table.count()) {
            throw new HpackException(
                    "index " + index + " is in neither table; the dynamic table has " + table.count() + " entries");
        }
        return table.newest() - back;
    }

    /** Reads an integer (RFC 7541 5.1). The octet's higher bits have another meaning. */
    private int readInteger(int prefixBits) throws HpackException {
        int prefix = (1 << prefixBits) - 1;
        int value = octet() & prefix;
        if (value < prefix) {
            return value;
        }
        for (int shift = 0; ; shift += 7) {
            int octet = octet();
            if (shift >= MAX_INTEGER_BITS) {
                throw new HpackException("an integer is too large, or has more octets than necessary");
            }
            value += (octet & 0x7f) << shift;
            if (octet < 0x80) {
                return value;
            }
        }
    }

    private int octet() throws HpackException {
        if (at == end) {
            throw new HpackException("a block ends within a field");
        }
        return block[at++] & 0xff;
    }

    /** Reads a string (RFC 7541 5.2). */
    private String readString(boolean isName) throws HpackException {
        boolean isHuffman = at < end && block[at] < 0;
        int length = readInteger(7);
        if (length > end - at) {
            throw new HpackException("a block ends within a string of " + length + " octets");
        }
        int from = at;
        at += length;
        if (!isHuffman) {
            return string(block, from, at, isName);
        }
        int needed = Huffman.maxDecodedLength(length);
        if (scratch.length < needed) {
            scratch = new byte[Math.max(SCRATCH_KEPT, needed)];
        }
        return string(scratch, 0, Huffman.decode(block, from, at, scratch, 0), isName);
    }

    private static String string(byte[] octets, int from, int to, boolean isName) {
        return isName
                ? FieldNames.of(octets, from, to)
                : new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
