package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * Encodes requests; see {@link HttpMessageEncoder}. Content must match what the head declares, so that no server reads
 * it as the next request:
 *
 * <ul>
 * <li>A whole request with content but without {@code Content-Length} gets one. If a whole request contradicts its
 *     {@code Content-Length}, writing it fails with an IllegalArgumentException.
 * <li>After a head that declares more content than the request has, buffers, file regions and chunks are sent without
 *     framing until the length is reached.
 * <li>Instead of chunks, the application may write buffers that it has encoded itself. It then also writes the end.
 * <li>Content that the head did not declare fails with an IllegalStateException, and none of it is sent. Content beyond
 *     the declared length, an end before it, and a request inside another one also fail, and the connection is closed.
 * <li>Before the first request, and after one with the method CONNECT or an {@code Upgrade} header, buffers pass
 *     unchanged.
 * </ul>
 *
 * <p>An absolute URI without a path is sent with the path {@code /}, unless the method is OPTIONS and there is no
 * query: the last proxy turns such a target into {@code *}, which addresses the server itself (RFC 9112, section
 * 3.2.4).
 */
public class HttpRequestEncoder extends HttpMessageEncoder {
    private final RequestContent sent = new RequestContent();

    public HttpRequestEncoder() {}

    @Override
    protected Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception {
        if (msg instanceof HttpRequest request) {
            return encodeRequest(ctx, request);
        }
        if (msg instanceof HttpChunk chunk) {
            return sent.isInChunks() ? encodeFramed(ctx, chunk) : encodeUnframed(ctx, chunk);
        }
        if ((msg instanceof ChannelBuffer || msg instanceof FileRegion) && sent.takeRaw(ctx, msg)) {
            onRequestEnd();
        }
        return super.encode(ctx, channel, msg);
    }

    /** The last request was written completely, or in a way that hides its end. */
    void onRequestEnd() {}

    private ChannelBuffer encodeRequest(ChannelHandlerContext ctx, HttpRequest request) throws Exception {
        sent.checkBoundary(ctx);
        long length = DeclaredContent.lengthOf(request);
        boolean inChunks = DeclaredContent.isInChunks(request, length);
        long missing = length < 0 ? 0 : DeclaredContent.missing(request, length);
        if (length < 0 && !inChunks) {
            addLength(request);
        }
        ChannelBuffer encoded = encodeMessage(request);
        sent.begin(inChunks, missing, mayEndHttp(request));
        if (!inChunks && missing == 0) {
            onRequestEnd();
        }
        return encoded;
    }

    private static void addLength(HttpRequest request) {
        int present = request.getContent().readableBytes();
        boolean framed = isSentInOneChunk(request) || HeaderStatics.draft76ContentLength(request) >= 0;
        if (present > 0 && !framed) {
            HttpHeaders.setContentLength(request, present);
        }
    }

    private static boolean mayEndHttp(HttpRequest request) {
        return HttpMethod.CONNECT.equals(request.getMethod())
                || request.headers().contains(HttpHeaders.Names.UPGRADE);
    }

    private Object encodeFramed(ChannelHandlerContext ctx, HttpChunk chunk) throws Exception {
        Object encoded = super.encode(ctx, ctx.getChannel(), chunk);
        if (chunk.isLast() && sent.endChunks()) {
            onRequestEnd();
        }
        return encoded;
    }

    private ChannelBuffer encodeUnframed(ChannelHandlerContext ctx, HttpChunk chunk) {
        if (sent.take(ctx, chunk)) {
            onRequestEnd();
        }
        return chunk.getContent();
    }

    @Override
    protected void encodeInitialLine(ChannelBuffer buf, HttpMessage message) throws Exception {
        HttpRequest request = (HttpRequest) message;
        byte[] line = new byte[lineLength(request)];
        writeInitialLine(message, line, 0);
        buf.writeBytes(line);
    }

    @Override
    int initialLineLength(HttpMessage message) {
        boolean own = getClass() == HttpRequestEncoder.class || this instanceof HttpClientCodec.Encoder;
        return own ? lineLength((HttpRequest) message) : -1;
    }

    private static int lineLength(HttpRequest request) {
        String method =
                HeaderSyntax.checkToken("a method's name", request.getMethod().getName());
        String target = HeaderSyntax.checkTarget(target(request));
        String version = HeaderSyntax.checkTarget(request.getProtocolVersion().getText());
        return method.length() + target.length() + version.length() + 4;
    }

    private static String target(HttpRequest request) {
        String uri = request.getUri();
        if (uri.isEmpty()) {
            return "/";
        }
        int scheme = uri.charAt(0) == '/' ? -1 : uri.indexOf("://");
        if (scheme <= 0) {
            return uri;
        }
        int from = scheme + "://".length();
        int query = uri.indexOf('?', from);
        int path = uri.indexOf('/', from);
        if (path >= 0 && (query < 0 || path < query)) {
            return uri;
        }
        if (query >= 0) {
            return uri.substring(0, query) + '/' + uri.substring(query);
        }
        return HttpMethod.OPTIONS.equals(request.getMethod()) ? uri : uri + '/';
    }

    @Override
    int writeInitialLine(HttpMessage message, byte[] array, int from) {
        HttpRequest request = (HttpRequest) message;
        int at = HeadWriter.write(request.getMethod().getName(), array, from);
        array[at++] = ' ';
        at = HeadWriter.write(target(request), array, at);
        array[at++] = ' ';
        return HeadWriter.lineEnd(
                array, HeadWriter.write(request.getProtocolVersion().getText(), array, at));
    }
}
