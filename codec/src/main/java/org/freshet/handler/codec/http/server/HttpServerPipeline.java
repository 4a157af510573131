package org.freshet.handler.codec.http.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.http2.HttpServerChooser;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/**
 * Makes the pipelines of an HTTP server: the codec with limits, time-outs, error answers, keep-alive and {@code 100 Continue},
 * all bounded by default, and what else is asked for. An application adds its handler, which receives requests and writes
 * responses:
 *
 * <pre>{@code
 * Timer timer = new HashedWheelTimer();
 * ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
 * bootstrap.setPipelineFactory(HttpServerPipeline.builder(timer)
 *         .aggregate(64 * 1024)
 *         .handler("application", Application::new)
 *         .build());
 * Channel server = bootstrap.bind(new InetSocketAddress(8080));
 * // at the end: server.close().awaitUninterruptibly(); bootstrap.releaseExternalResources(); timer.stop();
 * }</pre>
 *
 * <p>From the transport to the application, by name: {@code tls}, {@code stages} ({@link LingeringCloseHandler}), {@code times}
 * ({@link HttpTimeoutHandler}), {@code codec} ({@link HttpServerCodec}), {@code keepAlive} ({@link HttpKeepAliveHandler}), {@code
 * accessLog}, {@code cors}, {@code errors} ({@link HttpErrorResponder}), {@code decompressor}, {@code compressor}, {@code continue}
 * ({@link HttpContinueHandler}), {@code aggregator}, {@code chunks} ({@link ChunkedWriteHandler}), the application's first handlers,
 * {@code files}, the application's, and {@code failures}, which answers 500 to an exception that nothing else dealt with. Each is in a pipeline only if it was asked for, except
 * those named here with their class and the last.
 *
 * <p>With {@link Builder#http2}, {@code chooser} stands behind {@code stages} until a client has chosen its version.
 *
 * <p>For WebSocket, the application's first handler is a {@link
 * org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler} with a path. Requests of other paths pass on to those behind
 * it. Once a connection has switched, the handlers above let frames pass: none measures its times or compresses them, the request
 * is in the access log with 101, and a handler of the application that fails ends the connection with a close frame. Files need a
 * {@linkplain StaticFiles.Builder#prefix prefix} other than the path.
 *
 * <pre>{@code
 * WebSocketServerConfig chat = WebSocketServerConfig.builder("/chat").timer(timer).build();
 * ChannelPipelineFactory pipelines = HttpServerPipeline.builder(timer)
 *         .aggregate(64 * 1024)
 *         .compress(CompressionRules.defaults())
 *         .handler("webSocket", () -> new WebSocketServerProtocolHandler(chat))
 *         .handler("chat", ChatHandler::new)
 *         .handler("application", Application::new)
 *         .build();
 * }</pre>
 *
 * <p>A request of HTTP/1.1 without {@code Host} is refused, unless other limits say otherwise.
 *
 * <p>Immutable; any thread may call, any number of bootstraps may share one.
 */
public final class HttpServerPipeline implements ChannelPipelineFactory {
    /** Collects what the pipelines are made of. Not thread-safe. */
    public static final class Builder {
        private final Timer timer;
        private final List<Application> first = new ArrayList<>();
        private final List<Application> applications = new ArrayList<>();
        private HttpLimits limits = HttpLimits.defaults().toBuilder()
                .forbid(HttpViolation.MISSING_HOST)
                .build();
        private HttpTimeouts timeouts = HttpTimeouts.defaults();
        private long maxDiscardedBytes = LingeringCloseHandler.DEFAULT_MAX_DISCARDED_BYTES;
        private Duration linger = LingeringCloseHandler.DEFAULT_LINGER;
        private int maxAggregatedBytes;
        private SslContext tls;
        private AccessLogFormat accessLog;
        private CompressionRules compression;
        private CorsRules cors;
        private StaticFiles files;
        private boolean chunkedWrites;
        private Http2Settings http2;
        private Function<HttpRequest, HttpResponseStatus> continueDecision;
        private ErrorPage errorPages;
        private boolean connectAllowed;
        private boolean decompresses;
        private boolean addsDate = true;

        private Builder(Timer timer) {
            this.timer = Objects.requireNonNull(timer, "timer");
        }

        /** What the codec accepts. Default: {@link HttpLimits#defaults()}, and a {@code Host} is required. */
        public Builder limits(HttpLimits limits) {
            this.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** How long clients may take. Default: {@link HttpTimeouts#defaults()}. */
        public Builder timeouts(HttpTimeouts timeouts) {
            this.timeouts = Objects.requireNonNull(timeouts, "timeouts");
            return this;
        }

        /**
         * What a client that still sends may send when its connection is closed, see {@link LingeringCloseHandler}. Default: 256 KiB,
         * 2 seconds.
         *
         * @param maxDiscardedBytes 0 or more
         * @param linger more than 0
         */
        public Builder lingeringClose(long maxDiscardedBytes, Duration linger) {
            this.maxDiscardedBytes = LingeringCloseHandler.requireBytes(maxDiscardedBytes);
            this.linger = Durations.positive("linger", linger);
            return this;
        }

        /** Serves TLS only. */
        public Builder tls(SslContext context) {
            if (context.isClient()) {
                throw new IllegalArgumentException("a client's context: " + context);
            }
            tls = context;
            return this;
        }

        /** Joins each request with its content; what is longer is answered with 413. Default: requests come in chunks. */
        public Builder aggregate(int maxContentLength) {
            if (maxContentLength <= 0) {
                throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
            }
            maxAggregatedBytes = maxContentLength;
            return this;
        }

        /** Decides which clients continue, see {@link HttpContinueHandler}. Default: all whose content is not too long. */
        public Builder continueIf(Function<HttpRequest, HttpResponseStatus> decision) {
            continueDecision = Objects.requireNonNull(decision, "decision");
            return this;
        }

        /** Logs each request, see {@link AccessLogHandler}. */
        public Builder accessLog(AccessLogFormat format) {
            accessLog = Objects.requireNonNull(format, "format");
            return this;
        }

        /** Compresses answers for clients that accept it, see {@link SelectiveContentCompressor}. */
        public Builder compress(CompressionRules rules) {
            compression = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /** Lets pages of other origins in, see {@link CorsHandler}. */
        public Builder cors(CorsRules rules) {
            cors = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /** Undoes the content coding of requests, see {@link HttpContentDecompressor}. Default: handlers get content as it was sent. */
        public Builder decompress() {
            decompresses = true;
            return this;
        }

        /**
         * Makes error answers, for failures of requests and of handlers. Default: a line of text.
         *
         * @param pages see {@link HttpErrorResponder#HttpErrorResponder(boolean, ErrorPage)}
         */
        public Builder errorPages(ErrorPage pages) {
            errorPages = Objects.requireNonNull(pages, "pages");
            return this;
        }

        /** Whether answers without {@code Date} get one (RFC 9110 6.6.1). Default: true. */
        public Builder date(boolean isAdded) {
            addsDate = isAdded;
            return this;
        }

        /** Passes CONNECT to the application, for a proxy. Default: it is answered 405. */
        public Builder allowConnect() {
            connectAllowed = true;
            return this;
        }

        /**
         * Serves files, see {@link StaticFileHandler}. Requests for what isn't there, and of other methods than GET and HEAD, reach the
         * application if it has handlers.
         */
        public Builder files(StaticFiles files) {
            this.files = Objects.requireNonNull(files, "files");
            return this;
        }

        /** Lets the application write {@link org.freshet.handler.stream.ChunkedInput}s, as buffers behind a head with their length. */
        public Builder chunkedWrites() {
            chunkedWrites = true;
            return this;
        }

        /**
         * Serves HTTP/2 on the same port, see {@link HttpServerChooser}: over TLS where the client chooses it, for which the {@linkplain
         * #tls context} has to offer {@code h2}, and in clear to clients that know. Each request then has a pipeline of its own, without
         * {@code tls}, {@code stages} and {@code codec}. Default: HTTP/1.1 alone.
         *
         * @param settings of which limits of messages are those of {@link #limits}, and the timer this builder's unless it has one
         */
        public Builder http2(Http2Settings settings) {
            http2 = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Adds a handler of the application, behind those added before.
         *
         * @param name not one of those that this class uses
         * @param handlers makes the handler of each connection, or returns one that is sharable
         */
        public Builder handler(String name, Supplier<? extends ChannelHandler> handlers) {
            applications.add(new Application(Objects.requireNonNull(name, "name"), Objects.requireNonNull(handlers)));
            return this;
        }

        /**
         * Adds a handler of the application that gets requests before files are served, such as one that asks who the client is.
         *
         * @param name as for {@link #handler}
         */
        public Builder firstHandler(String name, Supplier<? extends ChannelHandler> handlers) {
            first.add(new Application(Objects.requireNonNull(name, "name"), Objects.requireNonNull(handlers)));
            return this;
        }

        /** @throws IllegalStateException if nothing would answer a request, or a handler's name is taken */
        public HttpServerPipeline build() {
            if (applications.isEmpty() && first.isEmpty() && files == null) {
                throw new IllegalStateException("nothing answers requests: add a handler(...) or files(...)");
            }
            Set<String> names = new HashSet<>(NAMES);
            Stream.concat(first.stream(), applications.stream()).forEach(application -> {
                if (!names.add(application.name)) {
                    throw new IllegalStateException("a handler's name is taken: " + application.name);
                }
            });
            return new HttpServerPipeline(this);
        }
    }

    private static final Set<String> NAMES = Set.of(
            "tls",
            "stages",
            "chooser",
            "times",
            "codec",
            "keepAlive",
            "accessLog",
            "cors",
            "errors",
            "decompressor",
            "compressor",
            "continue",
            "aggregator",
            "chunks",
            "files",
            "failures");

    private record Application(String name, Supplier<? extends ChannelHandler> handlers) {}

    private final Timer timer;
    private final List<Application> first;
    private final List<Application> applications;
    private final HttpLimits limits;
    private final HttpTimeouts timeouts;
    private final long maxDiscardedBytes;
    private final Duration linger;
    private final int maxAggregatedBytes;
    private final SslContext tls;
    private final AccessLogFormat accessLog;
    private final CompressionRules compression;
    private final CorsRules cors;
    private final StaticFiles files;
    private final boolean chunkedWrites;

    /** Null for HTTP/1.1 alone. */
    private final Http2Settings http2;

    private final Function<HttpRequest, HttpResponseStatus> continueDecision;
    private final ErrorPage errorPages;
    private final boolean connectAllowed;
    private final boolean decompresses;
    private final boolean addsDate;

    private HttpServerPipeline(Builder builder) {
        timer = builder.timer;
        first = List.copyOf(builder.first);
        applications = List.copyOf(builder.applications);
        limits = builder.limits;
        timeouts = builder.timeouts;
        maxDiscardedBytes = builder.maxDiscardedBytes;
        linger = builder.linger;
        maxAggregatedBytes = builder.maxAggregatedBytes;
        tls = builder.tls;
        accessLog = builder.accessLog;
        compression = builder.compression;
        cors = builder.cors;
        files = builder.files;
        chunkedWrites = builder.chunkedWrites;
        http2 = builder.http2 == null ? null : http2(builder);
        continueDecision = builder.continueDecision;
        errorPages = builder.errorPages;
        connectAllowed = builder.connectAllowed;
        decompresses = builder.decompresses;
        addsDate = builder.addsDate;
    }

    private static Http2Settings http2(Builder builder) {
        Http2Settings.Builder settings = builder.http2.toBuilder().httpLimits(builder.limits);
        return (builder.http2.timer() == null ? settings.timer(builder.timer) : settings).build();
    }

    /**
     * A builder of pipelines with the defaults.
     *
     * @param timer measures what clients take; is not stopped
     */
    public static Builder builder(Timer timer) {
        return new Builder(timer);
    }

    @Override
    public ChannelPipeline getPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        if (tls != null) {
            pipeline.addLast("tls", tls.newHandler());
        }
        pipeline.addLast("stages", new LingeringCloseHandler(timer, maxDiscardedBytes, linger));
        if (http2 == null) {
            addConnection(pipeline);
        } else {
            pipeline.addLast("chooser", new HttpServerChooser(this::newConnection, this::newRequest, http2));
        }
        return pipeline;
    }

    private ChannelPipeline newConnection() {
        ChannelPipeline pipeline = Channels.pipeline();
        addConnection(pipeline);
        return pipeline;
    }

    private void addConnection(ChannelPipeline pipeline) {
        pipeline.addLast("times", new HttpTimeoutHandler(timer, timeouts));
        pipeline.addLast("codec", new HttpServerCodec(limits));
        addHandlers(pipeline);
    }

    /** Of HTTP/2. */
    private ChannelPipeline newRequest() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("times", new HttpTimeoutHandler(timer, timeouts));
        addHandlers(pipeline);
        return pipeline;
    }

    private void addHandlers(ChannelPipeline pipeline) {
        HttpErrorResponder errors = new HttpErrorResponder(connectAllowed, errorPages);
        pipeline.addLast("keepAlive", new HttpKeepAliveHandler(addsDate));
        if (accessLog != null) {
            pipeline.addLast("accessLog", new AccessLogHandler(accessLog));
        }
        if (cors != null) {
            pipeline.addLast(
                    "cors", new CorsHandler(cors)); // below the error answers, which a page could not read otherwise
        }
        pipeline.addLast("errors", errors);
        addContent(pipeline);
        add(pipeline, first);
        if (files != null) {
            pipeline.addLast("files", new StaticFileHandler(files, !applications.isEmpty()));
        }
        add(pipeline, applications);
        pipeline.addLast("failures", new UnhandledFailureHandler(errors));
    }

    private void addContent(ChannelPipeline pipeline) {
        if (decompresses) {
            pipeline.addLast("decompressor", new HttpContentDecompressor(limits));
        }
        if (compression != null) {
            pipeline.addLast("compressor", new SelectiveContentCompressor(compression));
        }
        pipeline.addLast("continue", newContinueHandler());
        if (maxAggregatedBytes > 0) {
            pipeline.addLast("aggregator", new HttpChunkAggregator(maxAggregatedBytes, limits));
        }
        if (chunkedWrites) {
            pipeline.addLast("chunks", new ChunkedWriteHandler());
        }
    }

    private static void add(ChannelPipeline pipeline, List<Application> handlers) {
        for (Application application : handlers) {
            pipeline.addLast(application.name, application.handlers.get());
        }
    }

    private HttpContinueHandler newContinueHandler() {
        long max = maxAggregatedBytes > 0 ? maxAggregatedBytes : limits.maxContentLength();
        return continueDecision == null ? new HttpContinueHandler(max) : new HttpContinueHandler(max, continueDecision);
    }
}
