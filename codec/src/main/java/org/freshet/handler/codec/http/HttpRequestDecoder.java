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
        return new DefaultHttpRequest(
                HttpVersion.valueOf(initialLine[2]), HttpMethod.valueOf(initialLine[0]), initialLine[1]);
    }

    /** A subclass may change the line, so what it creates is checked. */
    @Override
    HttpMessage newMessage(String method, String target, String version) throws Exception {
        return getClass() == HttpRequestDecoder.class
                ? newRequest(method, target, version)
                : super.newMessage(method, target, version);
    }

    /** Creates the request of a start line that was parsed. */
    static HttpMessage newRequest(String method, String target, String version) {
        return DefaultHttpRequest.ofDecoded(HttpVersion.valueOf(version), HttpMethod.valueOf(method), target);
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
