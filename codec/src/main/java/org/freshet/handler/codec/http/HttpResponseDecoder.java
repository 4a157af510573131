package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelHandler;

/**
 * Decodes responses of HTTP/1.0 and 1.1; see {@link HttpMessageDecoder} for what it sends on and what it refuses.
 *
 * <p>It does not know what was asked for, and so takes a response to HEAD, or to CONNECT, for one with content: {@code
 * HttpClientCodec} knows.
 */
@ChannelHandler.Borrower
public class HttpResponseDecoder extends HttpMessageDecoder {
    /** With {@link HttpLimits#defaults()}. */
    public HttpResponseDecoder() {}

    /** With {@link HttpLimits#defaults()} but for these three; see there for their meaning. */
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
