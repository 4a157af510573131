package org.freshet.example.httpservice;

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

/** What the service does. It keeps nothing of a connection, so one instance serves all; the pipeline keeps them alive. */
@Sharable
final class GreetingHandler extends SimpleChannelUpstreamHandler {
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        HttpRequest request = (HttpRequest) e.getMessage();
        QueryStringDecoder target = new QueryStringDecoder(request.getUri());
        HttpResponse response = switch (target.getPath()) {
            case "/greeting" -> greeting(target.getParameters().getOrDefault("name", List.of("world")));
            case "/health" -> answer(HttpResponseStatus.OK, "up\n");
            default -> answer(HttpResponseStatus.NOT_FOUND, "Nothing is here.\n");
        };
        e.getChannel().write(response);
    }

    private static HttpResponse greeting(List<String> names) {
        return answer(HttpResponseStatus.OK, "Hello, " + String.join(" and ", names) + "!\n");
    }

    private static HttpResponse answer(HttpResponseStatus status, String text) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=UTF-8");
        response.setContent(ChannelBuffers.copiedBuffer(text, StandardCharsets.UTF_8));
        return response;
    }
}
