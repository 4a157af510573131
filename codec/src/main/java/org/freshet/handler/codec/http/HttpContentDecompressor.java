package org.freshet.handler.codec.http;

import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/**
 * Decompresses gzip, deflate and the given {@link ContentCodings}. For deflate, the zlib header is optional, since
 * peers disagree on it. See the superclass.
 */
public class HttpContentDecompressor extends HttpContentDecoder {
    private final ContentCodings codings;

    /** Uses {@link HttpLimits#defaults()}. */
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
