package org.freshet.handler.codec.http2;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.handler.codec.http.server.CompressionRules;
import org.freshet.handler.codec.http.server.CorsRules;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.server.TrustedProxies;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;

/** The options of a ready-made pipeline, to check that each works and none interferes with another. */
enum PipelineOption {
    LIMITS(setup -> setup.limits.maxHeaders(PipelineOption.MAX_HEADERS)),
    PIPELINING(setup -> setup.limits.maxPipelinedRequests(8)),
    TIMEOUTS(setup ->
            setup.timeouts = setup.timeouts.withIdle(Duration.ofSeconds(40)).withHead(Duration.ofSeconds(35))),
    ANSWER_TIMEOUT(setup -> setup.builder.responseTimeout(Duration.ofMillis(PipelineOption.ANSWER_MILLIS))),
    /** Connections begin with {@link PipelineOption#PROXY_LINE}. */
    PROXY_PROTOCOL(setup -> setup.builder.proxyProtocol("127.0.0.0/8", "::1/128")),
    /** Set together with the wire, which has the certificate. */
    SERVER_NAMES(setup -> {}),
    FORWARDED(setup -> setup.builder.forwarded(
            TrustedProxies.xForwarded("127.0.0.0/8").withProto().withHost())),
    DEFAULT_HEADER(setup -> setup.builder.defaultHeader("X-Default", "set")),
    LINGERING_CLOSE(setup -> setup.builder.lingeringClose(1000, Duration.ofSeconds(20))),
    AGGREGATE(setup -> setup.builder.aggregate(PipelineOption.MAX_CONTENT)),
    CONTINUE_IF(setup -> setup.builder.continueIf(request -> HttpResponseStatus.FORBIDDEN)),
    ACCESS_LOG(setup -> setup.builder.accessLog(entry -> {
        setup.log.accept(entry.status());
        return null;
    })),
    COMPRESS(setup -> setup.builder.compress(CompressionRules.defaults())),
    DECOMPRESS(setup -> setup.builder.decompress()),
    CORS(setup -> setup.builder.cors(
            CorsRules.builder().allow(PipelineOption.ORIGIN, rule -> {}).build())),
    ERROR_PAGES(setup -> setup.builder.errorPages(PipelineOption::page)),
    NO_DATE(setup -> setup.builder.date(false)),
    ALLOW_CONNECT(setup -> setup.builder.allowConnect()),
    FILES(setup -> setup.builder.files(
            StaticFiles.under(setup.directory).prefix("/files").build())),
    CHUNKED_WRITES(setup -> setup.builder.chunkedWrites()),
    FIRST_HANDLER(setup -> setup.builder.firstHandler("first", Marker::new)),
    WEB_SOCKET(setup -> setup.builder.handler(
            "webSocket",
            () -> new WebSocketServerProtocolHandler(
                    WebSocketServerConfig.builder("/chat").build())));

    /** A line from an address that {@link #FORWARDED} trusts. */
    static final String PROXY_LINE = "PROXY TCP4 127.0.0.9 198.51.100.1 4711 443\r\n";

    static final String ORIGIN = "https://a.example";

    static final int MAX_HEADERS = 20;
    static final int MAX_CONTENT = 1000;
    static final long ANSWER_MILLIS = 150;

    final Consumer<Setup> settings;

    PipelineOption(Consumer<Setup> settings) {
        this.settings = settings;
    }

    private static HttpResponse page(HttpRequest request, HttpResponseStatus status, Throwable cause) {
        return HttpResponses.json(status, page(status.getCode()));
    }

    /** The content of an error answer. */
    static String page(int status) {
        return "{\"status\":" + status + "}";
    }

    /** The settings that options change. Limits and times are several options of one setting. */
    static final class Setup {
        final HttpServerPipeline.Builder builder;
        final Path directory;
        final Consumer<Integer> log;
        final HttpLimits.Builder limits = HttpLimits.defaults().toBuilder().forbid(HttpViolation.MISSING_HOST);
        HttpTimeouts timeouts = HttpTimeouts.defaults();

        Setup(HttpServerPipeline.Builder builder, Path directory, Consumer<Integer> log) {
            this.builder = builder;
            this.directory = directory;
            this.log = log;
        }
    }

    /** Marks the answers of the handlers after it. */
    private static final class Marker extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpResponse response) {
                response.headers().set("X-First", "seen");
            }
            ctx.sendDownstream(e);
        }
    }
}
