package org.freshet.handler.codec.http2.hpack;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Netty 4.2's HPACK on the other side, over many blocks, so that both tables fill up and evict entries. */
class HpackPeerTest {
    private static final int BLOCKS = 2_000;

    private final Random random = Seeds.random();

    @Test
    void shouldBeDecodedByNetty() throws Exception {
        HpackEncoder encoder = new HpackEncoder();
        DefaultHttp2HeadersDecoder netty = new DefaultHttp2HeadersDecoder(false, 1 << 20);
        for (int block = 0; block < BLOCKS; block++) {
            String[] fields = RandomFields.next(random);
            ByteBuf octets = Unpooled.wrappedBuffer(RandomFields.encode(encoder, fields));

            assertEquals(
                    sorted(RandomFields.lines(fields)),
                    sorted(lines(netty.decodeHeaders(1, octets))),
                    () -> Arrays.toString(fields));
        }
    }

    @Test
    void shouldDecodeBlocksEncodedByNetty() throws Exception {
        HpackDecoder decoder = new HpackDecoder(4096);
        DefaultHttp2HeadersEncoder netty = new DefaultHttp2HeadersEncoder();
        for (int block = 0; block < BLOCKS; block++) {
            String[] fields = RandomFields.next(random);
            Http2Headers headers = new DefaultHttp2Headers(false);
            for (int i = 0; i < fields.length; i += 2) {
                headers.add(fields[i], fields[i + 1]);
            }
            ByteBuf encoded = Unpooled.buffer();
            netty.encodeHeaders(1, headers, encoded);
            byte[] octets = ByteBufUtil.getBytes(encoded);
            List<String> lines = new ArrayList<>();

            decoder.decode(octets, 0, octets.length, (name, value, never) -> lines.add(name + ": " + value));

            assertEquals(sorted(RandomFields.lines(fields)), sorted(lines), () -> Arrays.toString(fields));
        }
    }

    private static List<String> lines(Http2Headers headers) {
        List<String> lines = new ArrayList<>();
        headers.forEach(field -> lines.add(field.getKey() + ": " + field.getValue()));
        return lines;
    }

    /** Netty puts pseudo-headers before others. */
    private static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }
}
