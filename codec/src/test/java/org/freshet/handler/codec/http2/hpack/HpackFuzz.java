package org.freshet.handler.codec.http2.hpack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Properties of field blocks that hold for any octets: no failure but {@link HpackException}, and decoded fields that
 * are encoded again decode to the same.
 *
 * <p>The first octet of an input determines where it is split into two blocks, so that the second one starts with the
 * table left by the first.
 */
public final class HpackFuzz {
    private static final int TABLE = 4096;
    private static final int MAX_FIELDS = 1000;

    /** Room for the split, a table's size, fields that are indexed, added and taken from the table. */
    private static final byte[] SIZE_AND_INDEXED = {
        0, 0x3f, (byte) 0xe1, 0x1f, (byte) 0x82, 0x40, 1, 'a', 1, 'b', (byte) 0xbe, 0x00, 1, 'c', 0
    };

    private HpackFuzz() {}

    /** Seed inputs. */
    public static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        Random random = new Random(1);
        for (int i = 0; i < 20; i++) {
            byte[] block = RandomFields.encode(new HpackEncoder(), RandomFields.next(random));
            byte[] seed = new byte[Math.min(1000, block.length) + SIZE_AND_INDEXED.length];
            System.arraycopy(SIZE_AND_INDEXED, 0, seed, 0, SIZE_AND_INDEXED.length);
            System.arraycopy(block, 0, seed, SIZE_AND_INDEXED.length, seed.length - SIZE_AND_INDEXED.length);
            seed[0] = (byte) (i * 13);
            seeds.add(seed);
        }
        return seeds;
    }

    /** The name and signature that Jazzer requires. */
    public static void fuzzerTestOneInput(byte[] data) {
        if (data.length < 2) {
            return;
        }
        int cut = Math.min(data.length, 1 + (data[0] & 0xff));
        HpackDecoder decoder = new HpackDecoder(TABLE);
        HpackEncoder encoder = new HpackEncoder();
        HpackDecoder again = new HpackDecoder(TABLE);
        try {
            check(decoder, Arrays.copyOfRange(data, 1, cut), encoder, again);
            check(decoder, Arrays.copyOfRange(data, cut, data.length), encoder, again);
        } catch (HpackException refused) {
            // may be sent by a peer
        }
    }

    private static void check(HpackDecoder decoder, byte[] block, HpackEncoder encoder, HpackDecoder again)
            throws HpackException {
        List<String> fields = decoded(decoder, block);
        int most = HpackEncoder.MAX_BEGIN_LENGTH;
        for (int i = 0; i < fields.size(); i += 2) {
            most += HpackEncoder.maxLength(fields.get(i), fields.get(i + 1));
        }
        byte[] out = new byte[most];
        int end = encoder.begin(out, 0);
        for (int i = 0; i < fields.size(); i += 2) {
            end = encoder.encode(fields.get(i), fields.get(i + 1), out, end);
        }
        try {
            List<String> same = decoded(again, Arrays.copyOf(out, end));
            if (!same.equals(fields)) {
                throw new AssertionError("encoded and decoded again: " + same + "\nat first: " + fields);
            }
        } catch (HpackException e) {
            throw new AssertionError("encoded fields are refused", e);
        }
    }

    private static List<String> decoded(HpackDecoder decoder, byte[] block) throws HpackException {
        List<String> fields = new ArrayList<>();
        decoder.decode(block, 0, block.length, (name, value, never) -> {
            if (fields.size() < 2 * MAX_FIELDS) {
                fields.add(name);
                fields.add(value);
            }
        });
        return fields;
    }
}
