package org.freshet.handler.codec.http;

import java.nio.channels.NotYetConnectedException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.http.internal.HeaderSyntax;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.MessagePart;

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
 * <li>If a request that is written whole is refused, because of {@link WriteOverflow#FAIL} or because the channel isn't
 *     connected yet, none of it is sent, and the connection is used for the next one. If another part of a request can't
 *     be sent, the connection is closed.
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
    private final PassingPart passing = new PassingPart();

    private boolean isEarly;

    public HttpRequestEncoder() {}

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (!(evt instanceof MessageEvent write) || !(write.getMessage() instanceof HttpRequest || sent.isDue())) {
            super.handleDownstream(ctx, evt);
        } else if (ctx.getChannel().isConnected()) {
            passPart(ctx, write);
        } else {
            passEarly(ctx, write);
        }
    }

    private void passPart(ChannelHandlerContext ctx, MessageEvent write) throws Exception {
        if (!passing.begin(ctx, write)) {
            return;
        }
        try {
            encodeAndSend(ctx, write);
        } catch (Exception contradiction) { // none of it was sent
            passing.end();
            throw contradiction;
        }
        Throwable cause = write.getFuture().getCause();
        if (cause == null) {
            passing.end();
        } else {
            onUnsent(ctx, cause, undoOf(write.getMessage()));
        }
    }

    private void encodeAndSend(ChannelHandlerContext ctx, MessageEvent write) throws Exception {
        try {
            super.handleDownstream(ctx, write);
        } catch (Error withoutMemory) { // the part may have been counted
            abort(ctx, withoutMemory);
            throw withoutMemory;
        }
    }

    /**
     * Without a connection, the I/O thread refuses the part later, unless a handler holds it until then. The write's
     * own future is completed once that was dealt with.
     */
    private void passEarly(ChannelHandlerContext ctx, MessageEvent write) throws Exception {
        EarlyFuture passed = new EarlyFuture(write);
        Object part = write.getMessage();
        isEarly = true;
        try {
            encodeAndSend(ctx, new DownstreamMessageEvent(ctx.getChannel(), passed, part, write.getRemoteAddress()));
        } finally {
            isEarly = false;
        }
        Runnable undo = undoOf(part);
        passed.addListener(done -> {
            try {
                if (!done.isSuccess()) {
                    onUnsent(ctx, done.getCause(), undo);
                }
            } finally {
                Holding.complete(write, done.getCause());
            }
        });
    }

    /** The future of a part that is written before the channel is connected. */
    private static final class EarlyFuture extends DefaultChannelFuture {
        private final ChannelFuture writes;

        EarlyFuture(MessageEvent write) {
            super(write.getChannel(), false);
            writes = write.getFuture();
        }

        @Override
        public boolean setProgress(long amount, long current, long total) {
            return writes.setProgress(amount, current, total);
        }
    }

    /** Whether the request being encoded is written before the channel is connected. */
    final boolean isEarly() {
        return isEarly;
    }

    /** Returns null if more of the request may follow, or something that depends on it. */
    private Runnable undoOf(Object part) {
        boolean isWhole = part instanceof HttpRequest request && !sent.isDue() && !mayEndHttp(request);
        return isWhole ? undo() : null;
    }

    /** Returns what forgets the last request; it runs on any thread if none of the request was sent. */
    Runnable undo() {
        return () -> {};
    }

    private void onUnsent(ChannelHandlerContext ctx, Throwable cause, Runnable undo) {
        boolean isRefused = cause instanceof WriteOverflowException || cause instanceof NotYetConnectedException;
        if (isRefused && undo != null) {
            undo.run();
            passing.end();
        } else if (MessagePart.leavesGap(cause)) {
            abort(ctx, cause);
        }
    }

    private void abort(ChannelHandlerContext ctx, Throwable cause) {
        sent.fail();
        MessagePart.end(ctx, cause);
    }

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
        if (present > 0 && HeaderStatics.draft76ContentLength(request) < 0) {
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
