package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandler;

/**
 * Decodes HTTP/1.0 and HTTP/1.1 responses; see {@link HttpMessageDecoder} for what it passes on and what it refuses.
 *
 * <p>This decoder doesn't know the requests, so it expects content even in a response to HEAD or CONNECT. Use
 * {@code HttpClientCodec} to get those right.
 */
@ChannelHandler.Borrower
public class HttpResponseDecoder extends HttpMessageDecoder {
    /** Uses {@link HttpLimits#defaults()}. */
    public HttpResponseDecoder() {}

    /** Uses {@link HttpLimits#defaults()} except for these three; see there for their meaning. */
    public HttpResponseDecoder(int maxInitialLineLength, int maxHeaderSize, int maxChunkSize) {
        super(maxInitialLineLength, maxHeaderSize, maxChunkSize);
    }

    public HttpResponseDecoder(HttpLimits limits) {
        super(limits);
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        return new DefaultHttpResponse(
                HttpVersion.valueOf(initialLine[0]), status(Integer.parseInt(initialLine[1]), initialLine[2]));
    }

    private static HttpResponseStatus status(int code, String reasonPhrase) {
        HttpResponseStatus usual = HttpResponseStatus.valueOf(code);
        return usual.getReasonPhrase().equals(reasonPhrase) ? usual : new HttpResponseStatus(code, reasonPhrase);
    }

    @Override
    protected boolean isDecodingRequest() {
        return false;
    }

    @Override
    boolean isHttpOnly() {
        return true;
    }
}
