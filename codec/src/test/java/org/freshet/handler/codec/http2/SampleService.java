package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.zip.CRC32;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;

/**
 * A handler written for HTTP/1.1: answers each request with a report of what it received. {@code /large} is answered
 * with a mebibyte, {@code /chunks} with three chunks.
 */
final class SampleService extends SimpleChannelUpstreamHandler {
    static final int LARGE = 1 << 20;

    private HttpRequest request;
    private long length;
    private CRC32 crc;

    /** The report about a request. */
    static String report(String method, String uri, byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        return report(method, uri, content.length, crc);
    }

    private static String report(String method, String uri, long length, CRC32 crc) {
        return method + " " + uri + " " + length + " " + Long.toHexString(crc.getValue());
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof HttpRequest received) {
            request = received;
            length = 0;
            crc = new CRC32();
            take(received.getContent());
            if (!received.isChunked()) {
                answer(ctx);
            }
        } else if (e.getMessage() instanceof HttpChunk chunk) {
            take(chunk.getContent());
            if (chunk.isLast()) {
                answer(ctx);
            }
        }
    }

    private void take(ChannelBuffer content) {
        length += content.readableBytes();
        crc.update(content.toByteBuffer());
    }

    private void answer(ChannelHandlerContext ctx) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain");
        ChannelFuture written;
        if (request.getUri().equals("/chunks")) {
            response.setChunked(true);
            response.headers().set(HttpHeaders.Names.TRANSFER_ENCODING, HttpHeaders.Values.CHUNKED);
            ctx.getChannel().write(response);
            for (String chunk : new String[] {"one, ", "two, ", "three"}) {
                ctx.getChannel().write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(chunk, US_ASCII)));
            }
            written = ctx.getChannel().write(HttpChunk.LAST_CHUNK);
        } else {
            String text = request.getUri().equals("/large")
                    ? "x".repeat(LARGE)
                    : report(request.getMethod().getName(), request.getUri(), length, crc);
            response.setContent(ChannelBuffers.copiedBuffer(text, US_ASCII));
            HttpHeaders.setContentLength(response, text.length());
            written = ctx.getChannel().write(response);
        }
        if (!HttpHeaders.isKeepAlive(request)) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        ctx.getChannel().close();
    }
}
