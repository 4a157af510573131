package org.freshet.handler.codec.http.websocketx;

import java.util.Arrays;

/**
 * Inflates raw deflate data (RFC 1951) exactly as the RFC describes, to find how far back it refers and whether it ends
 * at the end of a block. It is slow, and meant for tests that must not rely on the code under test or its library.
 */
final class DeflateReader {
    private static final int[] LENGTH_BASE = {
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258
    };
    private static final int[] LENGTH_EXTRA = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0
    };
    private static final int[] CODE_LENGTH_ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    private final byte[] input;
    private int bit;
    private byte[] written = new byte[0];
    private int writtenLength;
    private int maxDistance;

    private DeflateReader(byte[] input) {
        this.input = input;
    }

    /** Reads all blocks. */
    static DeflateReader read(byte[] input) {
        DeflateReader reader = new DeflateReader(input);
        while (reader.bit < input.length * 8) {
            reader.readBlock();
        }
        return reader;
    }

    int maxDistance() {
        return maxDistance;
    }

    byte[] output() {
        return Arrays.copyOf(written, writtenLength);
    }

    private void readBlock() {
        boolean isFinal = bits(1) == 1;
        int type = bits(2);
        switch (type) {
            case 0 -> readStored();
            case 1 -> readCoded(fixedLiterals(), new Code(filled(30, 5)));
            case 2 -> readDynamic();
            default -> throw new IllegalStateException("block type 3 at bit " + bit);
        }
        if (isFinal) {
            bit = (bit + 7) / 8 * 8;
        }
    }

    private void readStored() {
        bit = (bit + 7) / 8 * 8;
        int length = bits(16);
        if ((bits(16) ^ 0xFFFF) != length) {
            throw new IllegalStateException("a stored block whose lengths differ");
        }
        for (int i = 0; i < length; i++) {
            write(bits(8));
        }
    }

    private static Code fixedLiterals() {
        int[] lengths = filled(288, 8);
        Arrays.fill(lengths, 144, 256, 9);
        Arrays.fill(lengths, 256, 280, 7);
        return new Code(lengths);
    }

    private static int[] filled(int size, int value) {
        int[] values = new int[size];
        Arrays.fill(values, value);
        return values;
    }

    private void readDynamic() {
        int literals = bits(5) + 257;
        int distances = bits(5) + 1;
        int[] codeLengths = new int[19];
        for (int i = 0, count = bits(4) + 4; i < count; i++) {
            codeLengths[CODE_LENGTH_ORDER[i]] = bits(3);
        }
        Code code = new Code(codeLengths);
        int[] lengths = new int[literals + distances];
        for (int at = 0; at < lengths.length; ) {
            int symbol = symbol(code);
            int value = symbol < 16 ? symbol : symbol == 16 ? lengths[at - 1] : 0;
            int repeat = symbol < 16 ? 1 : symbol == 16 ? 3 + bits(2) : symbol == 17 ? 3 + bits(3) : 11 + bits(7);
            Arrays.fill(lengths, at, at + repeat, value);
            at += repeat;
        }
        readCoded(
                new Code(Arrays.copyOf(lengths, literals)),
                new Code(Arrays.copyOfRange(lengths, literals, lengths.length)));
    }

    private void readCoded(Code literals, Code distances) {
        for (int symbol = symbol(literals); symbol != 256; symbol = symbol(literals)) {
            if (symbol < 256) {
                write(symbol);
            } else {
                int length = LENGTH_BASE[symbol - 257] + bits(LENGTH_EXTRA[symbol - 257]);
                int code = symbol(distances);
                int extra = Math.max(0, code / 2 - 1);
                int distance = (code < 4 ? code : (2 + code % 2 << extra) + bits(extra)) + 1;
                copy(distance, length);
            }
        }
    }

    private void copy(int distance, int length) {
        maxDistance = Math.max(maxDistance, distance);
        if (distance > writtenLength) {
            throw new IllegalStateException("distance > bytes written: " + distance);
        }
        for (int i = 0; i < length; i++) {
            write(written[writtenLength - distance]);
        }
    }

    private void write(int value) {
        if (writtenLength == written.length) {
            written = Arrays.copyOf(written, Math.max(64, 2 * writtenLength));
        }
        written[writtenLength++] = (byte) value;
    }

    private int bits(int count) {
        int value = 0;
        for (int i = 0; i < count; i++) {
            if (bit >= input.length * 8) {
                throw new IllegalStateException("breaks off inside a block");
            }
            value |= (input[bit / 8] >> bit % 8 & 1) << i;
            bit++;
        }
        return value;
    }

    private int symbol(Code code) {
        int value = 0;
        for (int length = 1; length <= 15; length++) {
            value = value << 1 | bits(1);
            int symbol = code.symbol(value, length);
            if (symbol >= 0) {
                return symbol;
            }
        }
        throw new IllegalStateException("no such code at bit " + bit);
    }

    /** A canonical Huffman code. */
    private static final class Code {
        private final int[] lengths;
        private final int[] codes;

        Code(int[] lengths) {
            this.lengths = lengths;
            codes = new int[lengths.length];
            int code = 0;
            for (int length = 1; length <= 15; length++) {
                for (int symbol = 0; symbol < lengths.length; symbol++) {
                    if (lengths[symbol] == length) {
                        codes[symbol] = code++;
                    }
                }
                code <<= 1;
            }
        }

        int symbol(int code, int length) {
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                if (lengths[symbol] == length && codes[symbol] == code) {
                    return symbol;
                }
            }
            return -1;
        }
    }
}
