package org.freshet.example.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.QueryStringDecoder;

/**
 * Makes a span for each request; it ends when the response is written. While the handlers above run, it is the current
 * span. If the request names a client's span, it becomes a child of that. One instance per connection, between the
 * aggregator and the handlers that answer.
 *
 * <p>A connection may have several requests in progress, so the spans wait in a queue: responses are written in the
 * order of the requests.
 */
public final class TracingHandler extends SimpleChannelHandler {
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final TextMapGetter<HttpRequest> HEADERS = new TextMapGetter<>() {
        @Override
        public String get(HttpRequest request, String name) {
            return request.headers().get(name);
        }
    };

    private final Tracer tracer;

    /** Requests arrive on the I/O thread, responses on any thread. */
    private final Queue<Span> unanswered = new ConcurrentLinkedQueue<>();

    public TracingHandler(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        HttpRequest request = (HttpRequest) e.getMessage();
        Context client = W3CTraceContextPropagator.getInstance().extract(Context.root(), request, HEADERS);
        String method = request.getMethod().getName();
        Span span = tracer.spanBuilder(method)
                .setSpanKind(SpanKind.SERVER)
                .setParent(client)
                .setAttribute(METHOD, method)
                .setAttribute(PATH, new QueryStringDecoder(request.getUri()).rawPath())
                .startSpan();
        unanswered.add(span);
        client.with(span).wrap(() -> ctx.sendUpstream(e)).run();
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
        Span span = e.getMessage() instanceof HttpResponse ? unanswered.poll() : null;
        if (span != null) {
            span.setAttribute(
                    STATUS, ((HttpResponse) e.getMessage()).getStatus().getCode());
            e.getFuture().addListener(written -> {
                if (!written.isSuccess()) {
                    span.setStatus(StatusCode.ERROR).recordException(written.getCause());
                }
                span.end();
            });
        }
        ctx.sendDownstream(e);
    }

    /** Ends the spans of unanswered requests. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        for (Span span = unanswered.poll(); span != null; span = unanswered.poll()) {
            span.setStatus(StatusCode.ERROR, String.valueOf(e.getChannel().getCloseReason()));
            span.end();
        }
        ctx.sendUpstream(e);
    }
}
