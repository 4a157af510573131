package org.freshet.example.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.execution.PipelinedExecutionHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** A server and a client with spans for their requests, and how these are connected. */
public final class Tracing {
    private static final int MAX_CONTENT_LENGTH = 65536;
    private static final List<String> GOODS = List.of("tea", "coffee", "chocolate");

    private Tracing() {}

    public static void main(String[] args) throws Exception {
        new Arguments("tracing", 0, 0, args);
        SpanTree spans = new SpanTree();
        try (SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build()) {
            serveAndAsk(provider.get("example"));
        }
        boolean ok = spans.print(GOODS.size());
        System.out.println(
                "each client's span contains the server's, and that contains the work's: " + (ok ? "right" : "wrong"));
        System.exit(ok ? 0 : 1);
    }

    private static void serveAndAsk(Tracer tracer) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(2);
        Timer timer = new HashedWheelTimer();
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        try {
            setUp(bootstrap, tracer, workers, timer);
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (String good : GOODS) {
                ask((InetSocketAddress) server.getLocalAddress(), good, tracer);
            }
        } finally {
            bootstrap.releaseExternalResources(); // then all spans of the server have ended
            workers.shutdown();
            timer.stop();
        }
    }

    /** The executor passes on the context of the submitting thread to the thread that runs the task. */
    private static void setUp(ServerBootstrap bootstrap, Tracer tracer, Executor workers, Timer timer) {
        PipelinedExecutionHandler execution = new PipelinedExecutionHandler(Context.taskWrapping(workers), timer);
        PriceHandler prices = new PriceHandler(tracer);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new HttpServerCodec(),
                new HttpKeepAliveHandler(),
                new HttpChunkAggregator(MAX_CONTENT_LENGTH),
                new TracingHandler(tracer),
                execution,
                prices));
    }

    private static void ask(InetSocketAddress server, String good, Tracer tracer) throws Exception {
        Span span =
                tracer.spanBuilder("buy " + good).setSpanKind(SpanKind.CLIENT).startSpan();
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + server.getHostString() + ":" + server.getPort() + "/price?of=" + good))
                .header(
                        "traceparent",
                        "00-" + span.getSpanContext().getTraceId() + "-"
                                + span.getSpanContext().getSpanId() + "-01")
                .build();
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        span.end();
    }
}
