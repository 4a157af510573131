package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandler;

/**
 * Decodes requests of HTTP/1.0 and 1.1; see {@link HttpMessageDecoder} for what it sends on and what it refuses.
 *
 * <p>It does not know which requests were answered, and so cannot bound how many a client sends ahead: {@code HttpServerCodec}
 * does.
 */
@ChannelHandler.Borrower
public class HttpRequestDecoder extends HttpMessageDecoder {
    /** With {@link HttpLimits#defaults()}. */
    public HttpRequestDecoder() {}

    /** With {@link HttpLimits#defaults()} but for these three; see there for their meaning. */
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
