package org.freshet.example.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
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

/** Answers on a thread of an executor, after some work with its own span. Needs no knowledge of the requests' spans. */
@Sharable
final class PriceHandler extends SimpleChannelUpstreamHandler {
    private final Tracer tracer;

    PriceHandler(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        HttpRequest request = (HttpRequest) e.getMessage();
        HttpResponse response = new DefaultHttpResponse(request.getProtocolVersion(), HttpResponseStatus.OK);
        ChannelBuffer content = ChannelBuffers.copiedBuffer(priceOf(request.getUri()), StandardCharsets.UTF_8);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, "text/plain; charset=UTF-8");
        HttpHeaders.setContentLength(response, content.readableBytes());
        response.setContent(content);
        e.getChannel().write(response);
    }

    private String priceOf(String target) {
        Span span = tracer.spanBuilder("look up").startSpan(); // a child of the current span
        try {
            span.setAttribute("thread.name", Thread.currentThread().getName());
            return target.length() + " cents\n";
        } finally {
            span.end();
        }
    }
}
