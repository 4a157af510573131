package org.freshet.microbench.codec;

import java.util.ArrayList;
import java.util.List;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.codec.http2.hpack.HpackException;

/** Freshet's HPACK; a decoded block is a list of names and values. */
final class FreshetHpack implements HpackCoding {
    private static final int TABLE_OCTETS = 4096;

    private final List<String> fields;
    private final byte[] out = HpackTraffic.newBlock();
    private HpackEncoder encoder;
    private HpackDecoder decoder;

    FreshetHpack(HpackTraffic traffic) {
        fields = traffic.fields();
        reset();
    }

    @Override
    public void reset() {
        encoder = new HpackEncoder();
        decoder = new HpackDecoder(TABLE_OCTETS);
    }

    @Override
    public int encode() {
        return HpackTraffic.encode(encoder, fields, out);
    }

    @Override
    public int decode(byte[] block) {
        List<String> decoded = new ArrayList<>(32);
        try {
            decoder.decode(block, 0, block.length, (name, value, neverIndexed) -> {
                decoded.add(name);
                decoded.add(value);
            });
        } catch (HpackException e) {
            throw new IllegalStateException(e);
        }
        return decoded.size() / 2;
    }
}
