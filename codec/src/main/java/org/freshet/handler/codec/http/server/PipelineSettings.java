package org.freshet.handler.codec.http.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpViolation;
import org.freshet.handler.codec.http.server.files.StaticFiles;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;

/**
 * The settings of an {@link HttpServerPipeline}. A builder fills one in; the pipeline factory keeps a copy that never
 * changes.
 */
final class PipelineSettings implements Cloneable {
    record Application(String name, Supplier<? extends ChannelHandler> handlers) {}

    private static final String HTTP_2 = "h2";

    private static final Set<String> NAMES = Set.of(
            "proxyProtocol",
            "tls",
            "lingeringClose",
            "chooser",
            "timeouts",
            "codec",
            "keepAlive",
            "headers",
            "forwarded",
            "accessLog",
            "misdirected",
            "cors",
            "errors",
            "decompressor",
            "compressor",
            "continue",
            "aggregator",
            "chunkedWriter",
            "files",
            "notFound",
            "failures");

    List<Application> first = new ArrayList<>();
    List<Application> applications = new ArrayList<>();
    HttpLimits limits =
            HttpLimits.defaults().toBuilder().forbid(HttpViolation.MISSING_HOST).build();
    HttpTimeouts timeouts = HttpTimeouts.defaults();
    long maxDiscardedBytes = LingeringCloseHandler.DEFAULT_MAX_DISCARDED_BYTES;
    Duration linger = LingeringCloseHandler.DEFAULT_LINGER;
    boolean connectAllowed;
    boolean misdirectedAllowed;
    boolean decompresses;
    boolean chunkedWrites;
    boolean addsDate = true;

    /** 0 to pass on chunks. */
    int maxAggregatedBytes;

    /** Empty by default. */
    Map<String, String> defaultHeaders = new LinkedHashMap<>();

    // Null if not used, or for the handler's default.
    Duration responseTimeout;
    TlsNames tls;
    AccessLogFormat accessLog;
    CompressionRules compression;
    CorsRules cors;
    StaticFiles files;
    Http2Settings http2;
    Function<HttpRequest, HttpResponseStatus> continueDecision;
    ErrorPage errorPages;
    TrustedProxies proxies;
    ProxyProtocolSettings proxyProtocol;

    /** A copy for a pipeline factory. */
    PipelineSettings copy() {
        try {
            PipelineSettings copy = (PipelineSettings) clone();
            copy.first = List.copyOf(first);
            copy.applications = List.copyOf(applications);
            copy.defaultHeaders = new LinkedHashMap<>(defaultHeaders);
            copy.timeouts = responseTimeout == null ? timeouts : timeouts.withResponse(responseTimeout);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    // ---- checks ----

    /** @throws IllegalStateException if the settings don't fit together */
    void check() {
        if (applications.isEmpty() && first.isEmpty() && files == null) {
            throw new IllegalStateException("nothing answers requests: add a handler(...) or files(...)");
        }
        Set<String> names = new HashSet<>(NAMES);
        Stream.concat(first.stream(), applications.stream()).forEach(application -> {
            if (!names.add(application.name)) {
                throw new IllegalStateException("the name of a handler is already taken: " + application.name);
            }
        });
        if (connectAllowed && applications.isEmpty() && first.isEmpty()) {
            throw new IllegalStateException("allowConnect() needs a handler(...) that opens tunnels");
        }
        if (tls != null) {
            checkProtocols();
        }
    }

    private void checkProtocols() {
        tls.contexts().forEach(context -> {
            boolean offered = context.nextProtocols().contains(HTTP_2);
            if (http2 != null && !offered) {
                throw new IllegalStateException(
                        "http2(...) needs a TLS context that offers it: use applicationProtocols(\"h2\", \"http/1.1\")"
                                + " instead of " + context.nextProtocols());
            }
            if (http2 == null && offered) {
                throw new IllegalStateException(
                        "the TLS context offers h2, so clients would use it: add http2(...), or don't offer h2");
            }
        });
    }
}
