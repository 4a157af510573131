package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/** Undoes gzip and deflate, the latter with or without zlib's header, since peers send either; see the superclass. */
public class HttpContentDecompressor extends HttpContentDecoder {
    /** With {@link HttpLimits#defaults()}. */
    public HttpContentDecompressor() {}

    public HttpContentDecompressor(HttpLimits limits) {
        super(limits);
    }

    @Override
    protected DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) throws Exception {
        boolean gzip =
                contentEncoding.equalsIgnoreCase(HttpHeaders.Values.GZIP) || contentEncoding.equalsIgnoreCase("x-gzip");
        boolean deflate = contentEncoding.equalsIgnoreCase(HttpHeaders.Values.DEFLATE)
                || contentEncoding.equalsIgnoreCase("x-deflate");
        return gzip || deflate ? new InflatingEmbedder(gzip, limits()) : null;
    }
}
