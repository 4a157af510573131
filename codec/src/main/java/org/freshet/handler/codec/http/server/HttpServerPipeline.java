package org.freshet.handler.codec.http.server;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
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
import org.freshet.handler.codec.http.server.PipelineSettings.Application;
import org.freshet.handler.codec.http.server.TlsNames.Choice;
import org.freshet.handler.codec.http.server.files.StaticFileHandler;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.http2.HttpServerChooser;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolDecoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/**
 * Creates the pipelines of an HTTP server: the codec with limits, timeouts, error responses, keep-alive and
 * {@code 100 Continue}, all bounded by default, plus anything else you configure. The application adds its handler,
 * which receives requests and writes responses:
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
 * <p>The handlers, from transport to application, by name: {@code proxyProtocol}, {@code tls}, {@code lingeringClose}
 * ({@link LingeringCloseHandler}), {@code timeouts} ({@link HttpTimeoutHandler}), {@code codec}
 * ({@link HttpServerCodec}), {@code keepAlive} ({@link HttpKeepAliveHandler}), {@code headers}, {@code forwarded},
 * {@code accessLog}, {@code misdirected} (answers 421, see {@link Builder#allowMisdirected}), {@code cors},
 * {@code errors} ({@link HttpErrorResponder}), {@code decompressor}, {@code compressor}, {@code continue}
 * ({@link HttpContinueHandler}), {@code aggregator}, {@code chunkedWriter}, the application's first handlers,
 * {@code files}, the application's handlers or, without any, {@code notFound} (answers 404), and {@code failures},
 * which answers 500 to an exception that no other handler dealt with. Handlers listed with their class, and {@code failures}, are always present; the others only if
 * configured.
 *
 * <p>With {@link Builder#http2}, {@code chooser} follows {@code lingeringClose} until a client has chosen its version.
 *
 * <p>For WebSocket, make a {@link org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler} with a path
 * the application's first handler. It passes requests for other paths to the handlers after it. Once a connection has
 * switched, the handlers before it let frames pass: they don't apply timeouts or compression, the access log records
 * the request with 101, and a failing handler of the application ends the connection with a close frame. Files need a
 * {@linkplain StaticFiles.Builder#prefix prefix} different from the path.
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
 * <p>An HTTP/1.1 request without {@code Host} is refused, unless you set limits that allow it.
 *
 * <p>Immutable; any thread may use it, and any number of bootstraps may share it.
 */
public final class HttpServerPipeline implements ChannelPipelineFactory {
    /** Configures the pipelines. Not thread-safe. */
    public static final class Builder {
        private final Timer timer;
        private final PipelineSettings settings = new PipelineSettings();

        private Builder(Timer timer) {
            this.timer = Objects.requireNonNull(timer, "timer");
        }

        /** Sets the limits of the codec. Default: {@link HttpLimits#defaults()}, but {@code Host} is required. */
        public Builder limits(HttpLimits limits) {
            settings.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** Sets how long clients may take. Default: {@link HttpTimeouts#defaults()}. */
        public Builder timeouts(HttpTimeouts timeouts) {
            settings.timeouts = Objects.requireNonNull(timeouts, "timeouts");
            return this;
        }

        /**
         * Sets how much a client may still send when its connection is closed, and for how long, see
         * {@link LingeringCloseHandler}. Default: 256 KiB and 2 seconds.
         *
         * @param maxDiscardedBytes 0 or more
         * @param linger more than 0
         */
        public Builder lingeringClose(long maxDiscardedBytes, Duration linger) {
            settings.maxDiscardedBytes = LingeringCloseHandler.requireBytes(maxDiscardedBytes);
            settings.linger = Durations.positive("linger", linger);
            return this;
        }

        /** Serves TLS only. */
        public Builder tls(SslContext context) {
            return tls(context, Map.of());
        }

        /**
         * Serves TLS only, with a certificate for each name that clients request (SNI). A request is answered with 421
         * if its host leads to another context than the one its connection uses, see {@link #allowMisdirected}.
         *
         * @param other for clients that request no name, or one not in the map
         * @param byName contexts by host name, in ASCII; {@code *.example.com} matches all names with exactly one label
         *     instead of the star
         * @throws IllegalArgumentException if a context is for clients, or if a name is not valid; IP addresses never
         *     are
         */
        public Builder tls(SslContext other, Map<String, SslContext> byName) {
            settings.tls = new TlsNames(other, byName);
            return this;
        }

        /**
         * Passes requests to the application even if the client requested another name in its handshake, for example
         * because a proxy sends requests for several names over one connection. Default: such a request is answered
         * with 421 (Misdirected Request, RFC 9110 15.5.20), and the client then uses another connection. HTTP/1.1
         * closes the connection, HTTP/2 ends the stream.
         *
         * <p>Names lead to the same context if {@link #tls(SslContext, Map)} got the same object for both. A host that
         * isn't in the map, an IP address, and a request without a host may use a connection whose client requested no
         * name, or one not in the map. Case, port and a trailing dot are ignored. If the target is absolute, both its
         * host and {@code Host} are checked. The target of CONNECT isn't.
         *
         * <p>Without this check, a name whose context requires client certificates can be reached through another one
         * that doesn't.
         */
        public Builder allowMisdirected() {
            settings.misdirectedAllowed = true;
            return this;
        }

        /**
         * Adds a header to each final response that doesn't have it, including error responses, see
         * {@link DefaultHeadersHandler}.
         *
         * @throws IllegalArgumentException if the name or value cannot be sent, or if the header describes how a single
         *     message is sent
         */
        public Builder defaultHeader(String name, String value) {
            DefaultHeadersHandler.check(name, value);
            settings.defaultHeaders.put(name, value);
            return this;
        }

        /**
         * Trusts proxies in front of the server to say who the client is, see {@link RequestSource}. Default: the
         * client is the peer of the connection.
         */
        public Builder forwarded(TrustedProxies proxies) {
            settings.proxies = Objects.requireNonNull(proxies, "proxies");
            return this;
        }

        /**
         * Requires a PROXY protocol header at the start of each connection, before TLS, and closes connections from
         * other addresses. The client named in the header is used in {@link RequestSource}, the access log and limits
         * per address.
         *
         * @param trustedNetworks the networks of the load balancers, such as {@code "10.0.0.0/8"}
         * @throws IllegalArgumentException if {@code networks} is empty, or one of them is not a network
         */
        public Builder proxyProtocol(String... trustedNetworks) {
            return proxyProtocol(ProxyProtocolSettings.trusting(trustedNetworks));
        }

        /**
         * Requires a PROXY protocol header at the start of each connection, see {@link ProxyProtocolDecoder}. Default:
         * not used. If the load balancers end TLS, keep the TLV
         * {@link org.freshet.handler.codec.proxyprotocol.ProxyProtocolTlv#SSL}, so that requests have the scheme that
         * the client used.
         */
        public Builder proxyProtocol(ProxyProtocolSettings settings) {
            this.settings.proxyProtocol = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Sets how long handlers may take to begin a response; after that, the client gets a 503. Overrides the one in
         * {@link #timeouts}, whose default is no limit.
         *
         * @param timeout {@link Duration#ZERO} means no limit
         */
        public Builder responseTimeout(Duration timeout) {
            settings.responseTimeout = Durations.limit("timeout", timeout);
            return this;
        }

        /**
         * Joins each request with its content, and answers longer content with 413. Default: content arrives in chunks.
         */
        public Builder aggregate(int maxContentLength) {
            if (maxContentLength <= 0) {
                throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
            }
            settings.maxAggregatedBytes = maxContentLength;
            return this;
        }

        /**
         * Decides which clients may continue, see {@link HttpContinueHandler}. Default: all whose content is not too
         * long.
         */
        public Builder continueIf(Function<HttpRequest, HttpResponseStatus> decision) {
            settings.continueDecision = Objects.requireNonNull(decision, "decision");
            return this;
        }

        /** Logs each request, see {@link AccessLogHandler}. Default: no log. */
        public Builder accessLog(AccessLogFormat format) {
            settings.accessLog = Objects.requireNonNull(format, "format");
            return this;
        }

        /**
         * Compresses responses for clients that accept it, see {@link SelectiveContentCompressor}. Default: no
         * compression.
         */
        public Builder compress(CompressionRules rules) {
            settings.compression = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /** Allows pages of other origins to read responses, see {@link CorsHandler}. Default: not allowed. */
        public Builder cors(CorsRules rules) {
            settings.cors = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /**
         * Decodes the content coding of requests, see {@link HttpContentDecompressor}. Default: handlers get content as
         * sent.
         */
        public Builder decompress() {
            settings.decompresses = true;
            return this;
        }

        /**
         * Creates error responses, for failed requests and handlers. Default: a line of text.
         *
         * @param pages see {@link HttpErrorResponder#HttpErrorResponder(boolean, ErrorPage)}
         */
        public Builder errorPages(ErrorPage pages) {
            settings.errorPages = Objects.requireNonNull(pages, "pages");
            return this;
        }

        /** Sets whether responses without {@code Date} get one (RFC 9110 6.6.1). Default: true. */
        public Builder date(boolean isAdded) {
            settings.addsDate = isAdded;
            return this;
        }

        /** Passes CONNECT to the application, for a proxy. Default: it is answered with 405. */
        public Builder allowConnect() {
            settings.connectAllowed = true;
            return this;
        }

        /**
         * Serves files, see {@link StaticFileHandler}. If the application has handlers, they get requests for paths
         * without a file, including paths that no file can have (otherwise a 400), and all methods other than GET and
         * HEAD. Without handlers, a missing file is answered with 404.
         */
        public Builder files(StaticFiles files) {
            settings.files = Objects.requireNonNull(files, "files");
            return this;
        }

        /**
         * Lets the application write {@link org.freshet.handler.stream.ChunkedInput}s, as buffers after a head with
         * their length.
         */
        public Builder chunkedWrites() {
            settings.chunkedWrites = true;
            return this;
        }

        /**
         * Serves HTTP/2 on the same port, see {@link HttpServerChooser}: over TLS if the client chooses it, for which
         * the {@linkplain #tls context} must offer {@code h2}, and in plain text for clients that start with it. Each
         * request then has its own pipeline, without {@code proxyProtocol}, {@code tls}, {@code lingeringClose} and
         * {@code codec}. Default: HTTP/1.1 only.
         *
         * @param settings its message limits are replaced by {@link #limits}, and its timer by this builder's if it has
         *     none
         */
        public Builder http2(Http2Settings settings) {
            this.settings.http2 = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Adds a handler of the application, after those added before.
         *
         * @param name must not be one that this class uses
         * @param handlers creates the handler for each connection, or returns one that is sharable
         */
        public Builder handler(String name, Supplier<? extends ChannelHandler> handlers) {
            settings.applications.add(application(name, handlers));
            return this;
        }

        /**
         * Adds a handler of the application that gets requests before files are served, for example to authenticate the
         * client.
         *
         * @param name as for {@link #handler}
         */
        public Builder firstHandler(String name, Supplier<? extends ChannelHandler> handlers) {
            settings.first.add(application(name, handlers));
            return this;
        }

        private static Application application(String name, Supplier<? extends ChannelHandler> handlers) {
            return new Application(Objects.requireNonNull(name, "name"), Objects.requireNonNull(handlers, "handlers"));
        }

        /**
         * Checks that the parts fit together, as far as this is known before a client connects.
         *
         * @throws IllegalStateException if nothing would answer requests, if a handler's name is taken, if
         *     {@link #http2} is set but a TLS context doesn't offer {@code h2}, or the other way round, or if
         *     {@link #allowConnect} is set without a handler
         */
        public HttpServerPipeline build() {
            settings.check();
            return new HttpServerPipeline(timer, settings.copy());
        }
    }

    private final Timer timer;
    private final PipelineSettings settings;

    /** Null for HTTP/1.1 only. */
    private final Http2Settings http2;

    /** Null if no default headers are set. */
    private final DefaultHeadersHandler headers;

    private HttpServerPipeline(Timer timer, PipelineSettings settings) {
        this.timer = timer;
        this.settings = settings;
        http2 = settings.http2 == null ? null : http2(settings.http2);
        headers = settings.defaultHeaders.isEmpty() ? null : new DefaultHeadersHandler(settings.defaultHeaders);
    }

    private Http2Settings http2(Http2Settings given) {
        Http2Settings.Builder merged = given.toBuilder().httpLimits(settings.limits);
        return (given.timer() == null ? merged.timer(timer) : merged).build();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param timer measures how long clients take; never stopped by this class
     */
    public static Builder builder(Timer timer) {
        return new Builder(timer);
    }

    @Override
    public ChannelPipeline getPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        Choice choice = settings.tls == null ? null : settings.tls.newChoice();
        if (settings.proxyProtocol != null) {
            pipeline.addLast("proxyProtocol", new ProxyProtocolDecoder(settings.proxyProtocol, timer));
        }
        if (settings.tls != null) {
            pipeline.addLast("tls", settings.tls.newHandler(timer, choice));
        }
        pipeline.addLast(
                "lingeringClose", new LingeringCloseHandler(timer, settings.maxDiscardedBytes, settings.linger));
        if (http2 == null) {
            addConnection(pipeline, choice);
        } else {
            pipeline.addLast(
                    "chooser", new HttpServerChooser(() -> newConnection(choice), () -> newRequest(choice), http2));
        }
        return pipeline;
    }

    private ChannelPipeline newConnection(Choice choice) {
        ChannelPipeline pipeline = Channels.pipeline();
        addConnection(pipeline, choice);
        return pipeline;
    }

    private void addConnection(ChannelPipeline pipeline, Choice choice) {
        pipeline.addLast("timeouts", new HttpTimeoutHandler(timer, settings.timeouts));
        pipeline.addLast("codec", new HttpServerCodec(settings.limits));
        addHandlers(pipeline, choice);
    }

    /** The pipeline of one HTTP/2 stream. */
    private ChannelPipeline newRequest(Choice choice) {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("timeouts", new HttpTimeoutHandler(timer, settings.timeouts));
        addHandlers(pipeline, choice);
        return pipeline;
    }

    /** @param choice null if the connection has no names to choose from */
    private void addHandlers(ChannelPipeline pipeline, Choice choice) {
        HttpErrorResponder errors = new HttpErrorResponder(settings.connectAllowed, settings.errorPages);
        pipeline.addLast("keepAlive", new HttpKeepAliveHandler(settings.addsDate));
        if (headers != null) {
            pipeline.addLast("headers", headers);
        }
        if (settings.proxies != null) {
            pipeline.addLast("forwarded", new ForwardedHandler(settings.proxies));
        }
        if (settings.accessLog != null) {
            pipeline.addLast("accessLog", new AccessLogHandler(settings.accessLog));
        }
        if (choice != null && !settings.misdirectedAllowed) {
            pipeline.addLast("misdirected", new MisdirectedRequestGuard(choice));
        }
        if (settings.cors != null) {
            pipeline.addLast(
                    "cors",
                    new CorsHandler(settings.cors)); // before error responses, which a page could not read otherwise
        }
        pipeline.addLast("errors", errors);
        addContent(pipeline);
        add(pipeline, settings.first);
        if (settings.files != null) {
            pipeline.addLast("files", new StaticFileHandler(settings.files, !settings.applications.isEmpty()));
        }
        add(pipeline, settings.applications);
        if (settings.applications.isEmpty()) {
            pipeline.addLast("notFound", new NotFoundHandler());
        }
        pipeline.addLast("failures", new UnhandledFailureHandler(errors));
    }

    private void addContent(ChannelPipeline pipeline) {
        if (settings.decompresses) {
            pipeline.addLast("decompressor", new HttpContentDecompressor(settings.limits));
        }
        if (settings.compression != null) {
            pipeline.addLast("compressor", new SelectiveContentCompressor(settings.compression));
        }
        pipeline.addLast("continue", newContinueHandler());
        if (settings.maxAggregatedBytes > 0) {
            pipeline.addLast("aggregator", new HttpChunkAggregator(settings.maxAggregatedBytes, settings.limits));
        }
        if (settings.chunkedWrites) {
            pipeline.addLast("chunkedWriter", new ChunkedWriteHandler());
        }
    }

    private static void add(ChannelPipeline pipeline, List<Application> handlers) {
        for (Application application : handlers) {
            pipeline.addLast(application.name(), application.handlers().get());
        }
    }

    private HttpContinueHandler newContinueHandler() {
        long max = settings.maxAggregatedBytes > 0 ? settings.maxAggregatedBytes : settings.limits.maxContentLength();
        return settings.continueDecision == null
                ? new HttpContinueHandler(max)
                : new HttpContinueHandler(max, settings.continueDecision);
    }
}
