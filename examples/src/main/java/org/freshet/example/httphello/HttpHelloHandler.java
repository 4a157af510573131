package org.freshet.example.httphello;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;

/**
 * Answers each request. The codec takes care of HEAD, whose answer has no content; the aggregator takes care of chunked
 * requests.
 */
@Sharable
final class HttpHelloHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        HttpRequest request = (HttpRequest) e.getMessage();
        HttpMethod method = request.getMethod();
        String path = new QueryStringDecoder(request.getUri()).rawPath();
        if (!path.equals("/")) {
            answer(e.getChannel(), request, newResponse(HttpResponseStatus.NOT_FOUND, "Nothing is here.\n"));
        } else if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            HttpResponse response = newResponse(HttpResponseStatus.METHOD_NOT_ALLOWED, "Try GET.\n");
            response.headers().set(HttpHeaders.Names.ALLOW, "GET, HEAD");
            answer(e.getChannel(), request, response);
        } else {
            answer(e.getChannel(), request, newResponse(HttpResponseStatus.OK, "Hello, world!\n"));
        }
    }

    private static HttpResponse newResponse(HttpResponseStatus status, String text) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        ChannelBuffer content = ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=UTF-8");
        HttpHeaders.setContentLength(response, content.readableBytes());
        response.setContent(content);
        return response;
    }

    /** Keeps the connection open if the client wants that. For HTTP/1.0, the answer must say so. */
    private static void answer(Channel channel, HttpRequest request, HttpResponse response) {
        boolean keepAlive = HttpHeaders.isKeepAlive(request);
        if (!keepAlive) {
            response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
        } else if (request.getProtocolVersion().equals(HttpVersion.HTTP_1_0)) {
            response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.KEEP_ALIVE);
        }
        ChannelFuture written = channel.write(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** A refused request gets an answer; nothing the client sent after it is read. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (!(e.getCause() instanceof HttpFailure) || !e.getChannel().isConnected()) {
            e.getChannel().close(); // idle for too long, or a broken connection
            return;
        }
        HttpFailure failure = (HttpFailure) e.getCause();
        HttpResponse response = newResponse(failure.suggestedStatus(), failure.getMessage() + "\n");
        response.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
        e.getChannel().write(response).addListener(ChannelFutureListener.CLOSE);
    }
}
