package org.freshet.handler.codec.http2.hpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The Huffman code of RFC 7541, appendix B. The code is canonical: codes of one length are consecutive numbers, in the order of
 * their symbols, and start where the next shorter length ends. So the lengths define everything, and the codes and decoding
 * tables are computed from them when the class is loaded.
 *
 * <p>Decoding looks at twelve bits first, which are mostly two symbols with codes of five or six bits. Otherwise it looks at
 * eight bits at a time: a table entry holds a symbol and how many of the eight bits belong to it or, for a longer code, the
 * table for the next eight bits.
 *
 * <p>The tables are immutable; any thread.
 */
final class Huffman {
    private static final int EOS = 256;
    private static final int LONGEST_CODE = 30;

    /** How many bits are examined to find the longest code, eight at a time. */
    private static final int LOOKED_AT = 32;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    /** The length of each symbol's code in bits, 16 symbols per line. */
    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
        30
    };

    private static final int[] CODES = codes();

    // A table entry: the next table's number and this flag, or a symbol and, in the lowest bits, its length.
    private static final int NEXT_TABLE = 0x8000;
    private static final int LENGTH_BITS = 4;
    private static final char[] TABLES = tables();

    // An entry for twelve bits, from the lowest: 4 bits for the length of the codes, 4 for the number of symbols, and
    // 8 for each symbol. 0 if the first code is longer than eight bits.
    private static final int PAIR_BITS = 12;
    private static final int[] PAIRS = pairs();

    private Huffman() {}

    private static int[] codes() {
        int[] codes = new int[LENGTHS.length];
        int code = 0;
        for (int length = 1; length <= LONGEST_CODE; length++) {
            code <<= 1;
            for (int symbol = 0; symbol < LENGTHS.length; symbol++) {
                if (LENGTHS[symbol] == length) {
                    codes[symbol] = code++;
                }
            }
        }
        return codes;
    }

    private static char[] tables() {
        char[] tables = new char[256 << 5];
        int used = 1;
        for (int symbol = 0; symbol < LENGTHS.length; symbol++) {
            int bitsLeft = LENGTHS[symbol];
            int table = 0;
            while (bitsLeft > 8) {
                bitsLeft -= 8;
                int at = table << 8 | CODES[symbol] >>> bitsLeft & 0xff;
                if (tables[at] == 0) {
                    tables[at] = (char) (NEXT_TABLE | used++);
                }
                table = tables[at] & ~NEXT_TABLE;
            }
            int spare = 8 - bitsLeft;
            int first = table << 8 | CODES[symbol] << spare & 0xff;
            for (int i = 0; i < 1 << spare; i++) {
                tables[first + i] = (char) (symbol << LENGTH_BITS | bitsLeft);
            }
        }
        return Arrays.copyOf(tables, used << 8);
    }

    private static int[] pairs() {
        int[] pairs = new int[1 << PAIR_BITS];
        for (int bits = 0; bits < pairs.length; bits++) {
            int first = TABLES[bits >>> PAIR_BITS - 8];
            int firstLength = first & (1 << LENGTH_BITS) - 1;
            int second = TABLES[bits << firstLength >>> PAIR_BITS - 8 & 0xff];
            int length = firstLength + (second & (1 << LENGTH_BITS) - 1);
            if (first < NEXT_TABLE && second < NEXT_TABLE && length <= PAIR_BITS) {
                pairs[bits] = second >>> LENGTH_BITS << 16 | first >>> LENGTH_BITS << 8 | 2 << 4 | length;
            } else if (first < NEXT_TABLE) {
                pairs[bits] = first >>> LENGTH_BITS << 8 | 1 << 4 | firstLength;
            }
        }
        return pairs;
    }

    /** The most octets that an encoded string of this length decodes to, plus one that decoding may overwrite. */
    static int maxDecodedLength(int length) {
        return (int) (length * 8L / 5) + 1;
    }

    /**
     * Decodes a complete string.
     *
     * @param out has {@link #maxDecodedLength} octets of room at the index
     * @return the index after the last octet written
     * @throws HpackException for the end-of-string symbol, a truncated code, or padding other than the first bits of that
     * symbol, seven at most
     */
    static int decode(byte[] in, int from, int to, byte[] out, int outIndex) throws HpackException {
        long bits = 0;
        int available = 0; // of the lowest bits
        int at = outIndex;
        while (true) {
            if (available < LOOKED_AT) {
                if (to - from >= Integer.BYTES) {
                    bits = bits << Integer.SIZE | (int) INTS.get(in, from) & 0xffffffffL;
                    available += Integer.SIZE;
                    from += Integer.BYTES;
                } else if (from < to) {
                    bits = bits << 8 | in[from++] & 0xff;
                    available += 8;
                    continue;
                } else {
                    return decodeRest(bits, available, out, at);
                }
            }
            int pair = PAIRS[(int) (bits >>> available - PAIR_BITS) & (1 << PAIR_BITS) - 1];
            if (pair != 0) {
                out[at] = (byte) (pair >>> 8);
                out[at + 1] = (byte) (pair >>> 16);
                at += pair >>> 4 & 0xf;
                available -= pair & 0xf;
                continue;
            }
            int entry = TABLES[(int) (bits >>> available - 8) & 0xff];
            while (entry >= NEXT_TABLE) {
                available -= 8;
                entry = TABLES[(entry & ~NEXT_TABLE) << 8 | (int) (bits >>> available - 8) & 0xff];
            }
            available -= entry & (1 << LENGTH_BITS) - 1;
            out[at++] = symbol(entry);
        }
    }

    /** Continues when fewer bits are left than a code may need, as if the padding were infinite. */
    private static int decodeRest(long bits, int bitsLeft, byte[] out, int at) throws HpackException {
        long padded = bits << LOOKED_AT | 0xffffffffL;
        int available = bitsLeft + LOOKED_AT;
        while (true) {
            int next = available;
            int entry = TABLES[(int) (padded >>> next - 8) & 0xff];
            while (entry >= NEXT_TABLE) {
                next -= 8;
                entry = TABLES[(entry & ~NEXT_TABLE) << 8 | (int) (padded >>> next - 8) & 0xff];
            }
            next -= entry & (1 << LENGTH_BITS) - 1;
            if (next < LOOKED_AT) {
                checkPadding(bits, available - LOOKED_AT);
                return at;
            }
            available = next;
            out[at++] = symbol(entry);
        }
    }

    private static byte symbol(int entry) throws HpackException {
        int symbol = entry >>> LENGTH_BITS;
        if (symbol == EOS) {
            throw new HpackException("a Huffman-coded string contains the end-of-string symbol");
        }
        return (byte) symbol;
    }

    private static void checkPadding(long bits, int length) throws HpackException {
        long ones = (1L << length) - 1;
        if (length > 7 || (bits & ones) != ones) {
            throw new HpackException(
                    "a Huffman-coded string ends within a code, or its padding is not the first seven or fewer "
                            + "bits of the end-of-string symbol");
        }
    }

    /**
     * The number of octets the encoded string takes.
     *
     * @throws IllegalArgumentException for a character that is not Latin-1
     */
    static int encodedLength(String text) {
        long bits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c > 0xff) {
                throw new IllegalArgumentException(String.format(
                        "cannot send character U+%04X at index %d: HTTP/2 fields are Latin-1", (int) c, i));
            }
            bits += LENGTHS[c];
        }
        return (int) (bits + 7 >>> 3);
    }

    /**
     * Encodes the string.
     *
     * @param text Latin-1, as checked by {@link #encodedLength}
     * @return the index after the last octet written
     */
    static int encode(String text, byte[] out, int outIndex) {
        long bits = 0;
        int pending = 0; // of the lowest bits; less than 32 before each symbol
        int at = outIndex;
        for (int i = 0; i < text.length(); i++) {
            int c = text.charAt(i) & 0xff;
            bits = bits << LENGTHS[c] | CODES[c];
            pending += LENGTHS[c];
            if (pending >= Integer.SIZE) {
                pending -= Integer.SIZE;
                INTS.set(out, at, (int) (bits >>> pending));
                at += Integer.BYTES;
            }
        }
        for (; pending >= 8; pending -= 8) {
            out[at++] = (byte) (bits >>> pending - 8);
        }
        if (pending > 0) {
            out[at++] = (byte) (bits << 8 - pending | 0xff >>> pending);
        }
        return at;
    }
}
