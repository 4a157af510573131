package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Netty 4.2's HPACK, without its checks of fields, which Freshet makes elsewhere; a decoded block is its map of fields.
 * It compresses strings of any length, like Freshet; by default, it doesn't compress those shorter than 512 octets.
 */
final class Netty4Hpack implements HpackCoding {
    private static final int STREAM = 1;
    private static final int TABLE_ENTRIES_HINT = 64;
    private static final int COMPRESSED_FROM = 0;

    private final Http2Headers fields = new DefaultHttp2Headers(false);
    private final ByteBuf out = Unpooled.buffer(HpackTraffic.newBlock().length);
    private DefaultHttp2HeadersEncoder encoder;
    private DefaultHttp2HeadersDecoder decoder;

    Netty4Hpack(HpackTraffic traffic) {
        List<String> texts = traffic.fields();
        for (int i = 0; i < texts.size(); i += 2) {
            fields.add(AsciiString.cached(texts.get(i)), AsciiString.cached(texts.get(i + 1)));
        }
        reset();
    }

    @Override
    public void reset() {
        encoder = new DefaultHttp2HeadersEncoder(
                Http2HeadersEncoder.NEVER_SENSITIVE, false, TABLE_ENTRIES_HINT, COMPRESSED_FROM);
        decoder = new DefaultHttp2HeadersDecoder(false);
    }

    @Override
    public int encode() {
        try {
            encoder.encodeHeaders(STREAM, fields, out.clear());
            return out.readableBytes();
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int decode(byte[] block) {
        try {
            return decoder.decodeHeaders(STREAM, Unpooled.wrappedBuffer(block)).size();
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
