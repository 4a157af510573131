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
 * <p>From the transport to the application, by name: {@code proxyProtocol}, {@code tls}, {@code stages} ({@link
 * LingeringCloseHandler}), {@code times} ({@link HttpTimeoutHandler}), {@code codec} ({@link HttpServerCodec}), {@code keepAlive}
 * ({@link HttpKeepAliveHandler}), {@code headers}, {@code forwarded}, {@code accessLog}, {@code names} (which answers 421, see {@link
 * Builder#allowMisdirected}), {@code cors}, {@code errors} ({@link HttpErrorResponder}), {@code decompressor}, {@code compressor}, {@code
 * continue} ({@link HttpContinueHandler}), {@code aggregator}, {@code chunks}, the application's first
 * handlers, {@code files}, the application's, and {@code failures}, which answers 500 to an exception that nothing else dealt with. The
 * handlers named here with their class, and {@code failures}, are always present; the others only if configured.
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
        private final PipelineSettings settings = new PipelineSettings();

        private Builder(Timer timer) {
            this.timer = Objects.requireNonNull(timer, "timer");
        }

        /** What the codec accepts. Default: {@link HttpLimits#defaults()}, and a {@code Host} is required. */
        public Builder limits(HttpLimits limits) {
            settings.limits = Objects.requireNonNull(limits, "limits");
            return this;
        }

        /** How long clients may take. Default: {@link HttpTimeouts#defaults()}. */
        public Builder timeouts(HttpTimeouts timeouts) {
            settings.timeouts = Objects.requireNonNull(timeouts, "timeouts");
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
            settings.maxDiscardedBytes = LingeringCloseHandler.requireBytes(maxDiscardedBytes);
            settings.linger = Durations.positive("linger", linger);
            return this;
        }

        /** Serves TLS only. */
        public Builder tls(SslContext context) {
            return tls(context, Map.of());
        }

        /**
         * Serves TLS only, with a certificate for each name that clients ask for (SNI). A request whose host leads to another context
         * than the one its connection was made with is answered 421, see {@link #allowMisdirected}.
         *
         * @param other for clients that name no host, or another
         * @param byName contexts by host name, in ASCII; {@code *.example.com} is for all names with one label in place of the star
         * @throws IllegalArgumentException if a context is a client's, or if a name cannot be one; an IP address never is
         */
        public Builder tls(SslContext other, Map<String, SslContext> byName) {
            settings.tls = new TlsNames(other, byName);
            return this;
        }

        /**
         * Passes requests to the application although the client has asked for another name in its handshake, for instance because a
         * proxy sends requests for several names on one connection. Default: such a request is answered 421 (Misdirected Request, RFC
         * 9110 15.5.20), and a client then uses another connection. HTTP/1.1 closes the connection, HTTP/2 ends the stream.
         *
         * <p>Names lead to the same context if {@link #tls(SslContext, Map)} was given the same object for both. A host that the map
         * doesn't have, an IP address and a request without a host go with a connection whose client named none, or one that the map
         * doesn't have. Case, port and a dot at the end make no difference. If the target is absolute, both its host and
         * {@code Host} count. The target of CONNECT doesn't.
         *
         * <p>Without the check, a name whose context asks for client certificates can be reached through another that doesn't.
         */
        public Builder allowMisdirected() {
            settings.misdirectedAllowed = true;
            return this;
        }

        /**
         * Adds a header to each final response that doesn't have it, error answers included, see {@link DefaultHeadersHandler}.
         *
         * @throws IllegalArgumentException if the name or value cannot be sent, or if the header says how a single message is sent
         */
        public Builder defaultHeader(String name, String value) {
            DefaultHeadersHandler.check(name, value);
            settings.defaultHeaders.put(name, value);
            return this;
        }

        /**
         * Believes proxies in front of the server when they say who the client is, see {@link RequestSource}. Default: the client is the
         * peer of the connection.
         */
        public Builder forwarded(TrustedProxies proxies) {
            settings.proxies = Objects.requireNonNull(proxies, "proxies");
            return this;
        }

        /**
         * Expects each connection to begin with a header of the PROXY protocol, before TLS, and closes those from elsewhere. The client that
         * the header names is that of {@link RequestSource}, the access log and limits per address.
         *
         * @param trustedNetworks of the load balancers, as in {@code "10.0.0.0/8"}
         * @throws IllegalArgumentException if there are none, or if one is not a network
         */
        public Builder proxyProtocol(String... trustedNetworks) {
            return proxyProtocol(ProxyProtocolSettings.trusting(trustedNetworks));
        }

        /**
         * Expects each connection to begin with a header of the PROXY protocol, see {@link ProxyProtocolDecoder}. Default: none does. If the
         * load balancers end TLS, keep the TLV {@link org.freshet.handler.codec.proxyprotocol.ProxyProtocolTlv#SSL}: the scheme of requests
         * is then the client's.
         */
        public Builder proxyProtocol(ProxyProtocolSettings settings) {
            this.settings.proxyProtocol = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * How long handlers may take to begin an answer; then the client gets a 503. Replaces that time of {@link #timeouts}, whose default
         * is no limit.
         *
         * @param timeout {@link Duration#ZERO} means no limit
         */
        public Builder answerTimeout(Duration timeout) {
            settings.answerTimeout = Durations.limit("timeout", timeout);
            return this;
        }

        /** Joins each request with its content; what is longer is answered with 413. Default: requests come in chunks. */
        public Builder aggregate(int maxContentLength) {
            if (maxContentLength <= 0) {
                throw new IllegalArgumentException("maxContentLength <= 0: " + maxContentLength);
            }
            settings.maxAggregatedBytes = maxContentLength;
            return this;
        }

        /** Decides which clients continue, see {@link HttpContinueHandler}. Default: all whose content is not too long. */
        public Builder continueIf(Function<HttpRequest, HttpResponseStatus> decision) {
            settings.continueDecision = Objects.requireNonNull(decision, "decision");
            return this;
        }

        /** Logs each request, see {@link AccessLogHandler}. */
        public Builder accessLog(AccessLogFormat format) {
            settings.accessLog = Objects.requireNonNull(format, "format");
            return this;
        }

        /** Compresses answers for clients that accept it, see {@link SelectiveContentCompressor}. */
        public Builder compress(CompressionRules rules) {
            settings.compression = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /** Lets pages of other origins in, see {@link CorsHandler}. */
        public Builder cors(CorsRules rules) {
            settings.cors = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /** Undoes the content coding of requests, see {@link HttpContentDecompressor}. Default: handlers get content as it was sent. */
        public Builder decompress() {
            settings.decompresses = true;
            return this;
        }

        /**
         * Makes error answers, for failures of requests and of handlers. Default: a line of text.
         *
         * @param pages see {@link HttpErrorResponder#HttpErrorResponder(boolean, ErrorPage)}
         */
        public Builder errorPages(ErrorPage pages) {
            settings.errorPages = Objects.requireNonNull(pages, "pages");
            return this;
        }

        /** Whether answers without {@code Date} get one (RFC 9110 6.6.1). Default: true. */
        public Builder date(boolean isAdded) {
            settings.addsDate = isAdded;
            return this;
        }

        /** Passes CONNECT to the application, for a proxy. Default: it is answered 405. */
        public Builder allowConnect() {
            settings.connectAllowed = true;
            return this;
        }

        /**
         * Serves files, see {@link StaticFileHandler}. If the application has handlers, they get the requests for paths at which there is
         * no file, also those that could not be a file's (a 400 otherwise), and all of other methods than GET and HEAD. Without handlers,
         * what isn't a file is a 404.
         */
        public Builder files(StaticFiles files) {
            settings.files = Objects.requireNonNull(files, "files");
            return this;
        }

        /** Lets the application write {@link org.freshet.handler.stream.ChunkedInput}s, as buffers behind a head with their length. */
        public Builder chunkedWrites() {
            settings.chunkedWrites = true;
            return this;
        }

        /**
         * Serves HTTP/2 on the same port, see {@link HttpServerChooser}: over TLS where the client chooses it, for which the {@linkplain
         * #tls context} has to offer {@code h2}, and in clear to clients that know. Each request then has a pipeline of its own, without
         * {@code proxyProtocol}, {@code tls}, {@code stages} and {@code codec}. Default: HTTP/1.1 alone.
         *
         * @param settings of which limits of messages are those of {@link #limits}, and the timer this builder's unless it has one
         */
        public Builder http2(Http2Settings settings) {
            this.settings.http2 = Objects.requireNonNull(settings, "settings");
            return this;
        }

        /**
         * Adds a handler of the application, behind those added before.
         *
         * @param name not one of those that this class uses
         * @param handlers makes the handler of each connection, or returns one that is sharable
         */
        public Builder handler(String name, Supplier<? extends ChannelHandler> handlers) {
            settings.applications.add(application(name, handlers));
            return this;
        }

        /**
         * Adds a handler of the application that gets requests before files are served, such as one that asks who the client is.
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
         * Checks that the parts fit together, as far as that is known before a client connects.
         *
         * @throws IllegalStateException if nothing would answer a request, if a handler's name is taken, if a TLS context doesn't offer
         *     {@code h2} for {@link #http2} or offers it without, or if {@link #allowConnect} has no handler
         */
        public HttpServerPipeline build() {
            settings.check();
            return new HttpServerPipeline(timer, settings.copy());
        }
    }

    private final Timer timer;
    private final PipelineSettings settings;

    /** Null for HTTP/1.1 alone. */
    private final Http2Settings http2;

    /** Null for none. */
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
        Choice choice = settings.tls == null ? null : settings.tls.newChoice();
        if (settings.proxyProtocol != null) {
            pipeline.addLast("proxyProtocol", new ProxyProtocolDecoder(settings.proxyProtocol, timer));
        }
        if (settings.tls != null) {
            pipeline.addLast("tls", settings.tls.newHandler(timer, choice));
        }
        pipeline.addLast("stages", new LingeringCloseHandler(timer, settings.maxDiscardedBytes, settings.linger));
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
        pipeline.addLast("times", new HttpTimeoutHandler(timer, settings.timeouts));
        pipeline.addLast("codec", new HttpServerCodec(settings.limits));
        addHandlers(pipeline, choice);
    }

    /** Of HTTP/2. */
    private ChannelPipeline newRequest(Choice choice) {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("times", new HttpTimeoutHandler(timer, settings.timeouts));
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
            pipeline.addLast("names", new MisdirectedRequestGuard(choice));
        }
        if (settings.cors != null) {
            pipeline.addLast(
                    "cors",
                    new CorsHandler(settings.cors)); // below the error answers, which a page could not read otherwise
        }
        pipeline.addLast("errors", errors);
        addContent(pipeline);
        add(pipeline, settings.first);
        if (settings.files != null) {
            pipeline.addLast("files", new StaticFileHandler(settings.files, !settings.applications.isEmpty()));
        }
        add(pipeline, settings.applications);
        pipeline.addLast("failures", new UnhandledFailureHandler(errors, settings.applications.isEmpty()));
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
            pipeline.addLast("chunks", new ChunkedWriteHandler());
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
