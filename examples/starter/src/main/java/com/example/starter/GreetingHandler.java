package com.example.starter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;

/** Answers requests on the connection's I/O thread, so it must not block. Keeps no state: one instance serves all. */
@Sharable
final class GreetingHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        QueryStringDecoder target = new QueryStringDecoder(((HttpRequest) e.getMessage()).getUri());
        HttpResponse response;
        if (target.getPath().equals("/")) {
            String name = target.getParameters().getOrDefault("name", List.of("world")).get(0);
            response = text(HttpResponseStatus.OK, "Hello, " + name + "!\n");
        } else {
            response = text(HttpResponseStatus.NOT_FOUND, "Nothing is here.\n");
        }
        e.getChannel().write(response);
    }

    private static HttpResponse text(HttpResponseStatus status, String text) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=UTF-8");
        response.setContent(ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8));
        return response;
    }
}
