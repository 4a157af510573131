package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/**
 * Undoes gzip and deflate, the latter with or without zlib's header, since peers send either, and those of {@link
 * ContentCodings}; see the superclass.
 */
public class HttpContentDecompressor extends HttpContentDecoder {
    private final ContentCodings codings;

    /** With {@link HttpLimits#defaults()}. */
    public HttpContentDecompressor() {
        this(HttpLimits.defaults());
    }

    public HttpContentDecompressor(HttpLimits limits) {
        this(limits, ContentCodings.defaults());
    }

    public HttpContentDecompressor(HttpLimits limits, ContentCodings codings) {
        super(limits);
        this.codings = Objects.requireNonNull(codings, "codings");
    }

    @Override
    protected DecoderEmbedder<ChannelBuffer> newContentDecoder(String contentEncoding) throws Exception {
        boolean gzip =
                contentEncoding.equalsIgnoreCase(HttpHeaders.Values.GZIP) || contentEncoding.equalsIgnoreCase("x-gzip");
        boolean deflate = contentEncoding.equalsIgnoreCase(HttpHeaders.Values.DEFLATE)
                || contentEncoding.equalsIgnoreCase("x-deflate");
        return gzip || deflate ? new InflatingEmbedder(gzip, limits()) : codings.newDecoder(contentEncoding);
    }
}
