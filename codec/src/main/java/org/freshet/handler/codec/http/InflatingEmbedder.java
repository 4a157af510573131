package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.internal.InflateLimits;
import org.freshet.handler.codec.internal.InflatingStream;

/** A decoder embedder whose inflater can also be used directly, to get one piece at a time. */
final class InflatingEmbedder extends DecoderEmbedder<ChannelBuffer> {
    private final InflatingStream stream;

    InflatingEmbedder(boolean gzip, HttpLimits limits) {
        super(new ZlibDecoder(gzip ? ZlibWrapper.GZIP : ZlibWrapper.ZLIB_OR_NONE, limits.maxInflatedBytes()));
        InflatingStream.Format format = gzip ? InflatingStream.Format.GZIP : InflatingStream.Format.ZLIB_OR_RAW;
        stream = new InflatingStream(
                format,
                null,
                new InflateLimits(
                        limits.maxInflatedBytes(), limits.maxInflationRatio(), limits.minBytesForInflationRatio()));
    }

    InflatingStream stream() {
        return stream;
    }
}
