package org.freshet.example.metrics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.QueryStringDecoder;
import org.freshet.telemetry.Telemetry;

/** Answers with the page, or with the numbers it plots. */
final class MetricsHandler extends SimpleChannelUpstreamHandler {
    private final ChannelFactory shown;
    private final byte[] page;

    /** @param shown the factory whose loops to report */
    MetricsHandler(ChannelFactory shown, byte[] page) {
        this.shown = shown;
        this.page = page;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws IOException {
        HttpRequest request = (HttpRequest) e.getMessage();
        HttpResponse response = switch (new QueryStringDecoder(request.getUri()).rawPath()) {
            case "/" -> newResponse(HttpResponseStatus.OK, "text/html; charset=UTF-8", page);
            case "/metrics" -> newResponse(HttpResponseStatus.OK, "text/plain; version=0.0.4", metrics());
            default -> newResponse(HttpResponseStatus.NOT_FOUND, "text/plain", new byte[0]);
        };
        ChannelFuture written = e.getChannel().write(response);
        if (!HttpHeaders.isKeepAlive(request)) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private byte[] metrics() throws IOException {
        StringBuilder text = new StringBuilder();
        Telemetry.writePrometheus(text, shown);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static HttpResponse newResponse(HttpResponseStatus status, String type, byte[] content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, type);
        HttpHeaders.setContentLength(response, content.length);
        response.setContent(ChannelBuffers.wrappedBuffer(content));
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        e.getChannel().close();
    }
}
