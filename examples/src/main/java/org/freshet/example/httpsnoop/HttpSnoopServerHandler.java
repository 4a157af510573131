package org.freshet.example.httpsnoop;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;
import org.freshet.handler.codec.http.cookie.Cookie;
import org.freshet.handler.codec.http.cookie.DefaultCookie;
import org.freshet.handler.codec.http.cookie.ServerCookieDecoder;
import org.freshet.handler.codec.http.cookie.ServerCookieEncoder;

/**
 * Describes a request as it arrives, whole or in chunks, and sends the description when the request is complete.
 * Content is shown up to a limit and only counted beyond it, so little is kept, however much a client sends.
 */
final class HttpSnoopServerHandler extends SimpleChannelUpstreamHandler {
    private static final int MAX_SHOWN_BYTES = 1024;
    private static final String VISITS = "visits";

    private HttpRequest request;
    private final StringBuilder told = new StringBuilder();
    private int visits;
    private long length;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (e.getMessage() instanceof HttpRequest) {
            request = (HttpRequest) e.getMessage();
            length = 0;
            try {
                describeHead();
            } catch (IllegalArgumentException malformed) {
                request = null;
                refuse(e.getChannel(), HttpResponseStatus.BAD_REQUEST);
                return;
            }
            describeContent(request.getContent());
            if (!request.isChunked()) {
                answer(e.getChannel());
            } else if (HttpHeaders.is100ContinueExpected(request)) {
                e.getChannel().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
            }
            return;
        }
        if (request == null) {
            return; // the content of a refused request
        }
        HttpChunk chunk = (HttpChunk) e.getMessage();
        describeContent(chunk.getContent());
        if (chunk.isLast()) {
            for (Map.Entry<String, String> header : ((HttpChunkTrailer) chunk).trailingHeaders()) {
                describe("trailer", header.getKey() + ": " + header.getValue());
            }
            answer(e.getChannel());
        }
    }

    private void describeHead() {
        told.setLength(0);
        describe("method", request.getMethod().getName());
        describe("version", request.getProtocolVersion().getText());
        QueryStringDecoder target = new QueryStringDecoder(request.getUri());
        describe("path", target.rawPath());
        for (Map.Entry<String, List<String>> parameter : target.getParameters().entrySet()) {
            describe("parameter", parameter.getKey() + " = " + String.join(", ", parameter.getValue()));
        }
        for (Map.Entry<String, String> header : request.headers()) {
            describe("header", header.getKey() + ": " + header.getValue());
        }
        visits = 1;
        for (String header : request.headers().getAll(HttpHeaders.Names.COOKIE)) {
            for (Cookie cookie : ServerCookieDecoder.STRICT.decode(header)) {
                describe("cookie", cookie.name() + " = " + cookie.value());
                visits += cookie.name().equals(VISITS) ? visitsIn(cookie.value()) : 0;
            }
        }
    }

    /** The value comes from the client and may be anything. */
    private static int visitsIn(String value) {
        return value.matches("\\d{1,6}") ? Integer.parseInt(value) : 0;
    }

    private void describeContent(ChannelBuffer content) {
        int shown = (int) Math.min(content.readableBytes(), Math.max(0, MAX_SHOWN_BYTES - length));
        if (shown > 0) {
            describe("content", content.toString(content.readerIndex(), shown, StandardCharsets.UTF_8));
        }
        length += content.readableBytes();
    }

    private void describe(String what, String value) {
        told.append(what).append(": ").append(value).append('\n');
    }

    private void answer(Channel channel) {
        describe("content length", Long.toString(length));
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        ChannelBuffer content = ChannelBuffers.copiedBuffer(told, StandardCharsets.UTF_8);
        response.setContent(content);
        HttpHeaders.setContentLength(response, content.readableBytes());
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=UTF-8");
        Cookie cookie = new DefaultCookie(VISITS, Integer.toString(visits));
        cookie.setHttpOnly(true);
        response.headers().set(HttpHeaders.Names.SET_COOKIE, ServerCookieEncoder.STRICT.encode(cookie));
        boolean keepAlive =
                HttpHeaders.isKeepAlive(request) && request.getProtocolVersion().equals(HttpVersion.HTTP_1_1);
        HttpHeaders.setKeepAlive(response, keepAlive);
        ChannelFuture written = channel.write(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (!(e.getCause() instanceof HttpFailure)) {
            System.err.println(e.getChannel() + ": " + e.getCause());
            e.getChannel().close();
            return;
        }
        refuse(e.getChannel(), ((HttpFailure) e.getCause()).suggestedStatus());
    }

    private static void refuse(Channel channel, HttpResponseStatus status) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        HttpHeaders.setContentLength(response, 0);
        HttpHeaders.setKeepAlive(response, false);
        channel.write(response).addListener(ChannelFutureListener.CLOSE);
    }
}
