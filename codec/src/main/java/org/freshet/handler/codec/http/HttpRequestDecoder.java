package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandler;

/**
 * Decodes HTTP/1.0 and HTTP/1.1 requests; see {@link HttpMessageDecoder} for what it passes on and what it refuses.
 *
 * <p>This decoder doesn't know which requests have been answered, so it can't limit how many a client sends ahead. Use
 * {@code HttpServerCodec} for that.
 */
@ChannelHandler.Borrower
public class HttpRequestDecoder extends HttpMessageDecoder {
    /** Uses {@link HttpLimits#defaults()}. */
    public HttpRequestDecoder() {}

    /** Uses {@link HttpLimits#defaults()} except for these three; see there for their meaning. */
    public HttpRequestDecoder(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        super(maxInitialLineLength, maxHeaderSize, maxChunkSize);
    }

    public HttpRequestDecoder(HttpLimits limits) {
        super(limits);
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) throws Exception {
        return DefaultHttpRequest.ofDecoded(
                HttpVersion.valueOf(initialLine[2]), HttpMethod.valueOf(initialLine[0]), initialLine[1]);
    }

    @Override
    protected boolean isDecodingRequest() {
        return true;
    }

    @Override
    boolean isHttpOnly() {
        return true;
    }
}
