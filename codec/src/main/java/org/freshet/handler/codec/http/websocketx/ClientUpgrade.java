package org.freshet.handler.codec.http.websocketx;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequestEncoder;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseDecoder;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/**
 * The client's side of the upgrade: builds the request, checks the response, and switches the pipeline to WebSocket. Stateless.
 */
final class ClientUpgrade {
    private static final String DECODER = "ws-decoder";
    private static final String ENCODER = "ws-encoder";

    private ClientUpgrade() {}

    // ---- the request ----

    /**
     * A GET request for the URL with Host and an origin, both of which the custom headers may replace. The caller still sets
     * the handshake's own headers.
     *
     * @param originHeader the header in which this version sends the origin
     */
    static HttpRequest request(URI url, String originHeader, Map<String, String> customHeaders) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target(url));
        String authority = authority(url);
        request.headers().set(Names.HOST, authority);
        request.headers().set(originHeader, (isSecure(url) ? "https://" : "http://") + authority);
        if (customHeaders != null) {
            customHeaders.forEach((name, value) -> request.headers().set(name, value));
        }
        request.headers().set(Names.CONNECTION, Values.UPGRADE);
        return request;
    }

    /** As written in the URL: escapes stay escaped. */
    private static String target(URI url) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + '?' + url.getRawQuery();
    }

    private static String authority(URI url) {
        if (url.getHost() == null) {
            throw new WebSocketHandshakeException("the WebSocket URL has no host: " + url);
        }
        int defaultPort = isSecure(url) ? 443 : 80;
        boolean plain = url.getPort() == -1 || url.getPort() == defaultPort;
        return plain ? url.getHost() : url.getHost() + ':' + url.getPort();
    }

    private static boolean isSecure(URI url) {
        return "wss".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
    }

    // ---- the response ----

    /** @throws WebSocketHandshakeException if the response does not switch to WebSocket */
    static void check(HttpResponse response) {
        if (response.getStatus().getCode() != 101) {
            throw new WebSocketHandshakeException(
                    "the server did not switch to WebSocket: its status is " + response.getStatus());
        }
        checkToken(response, Names.UPGRADE, Values.WEBSOCKET);
        checkToken(response, Names.CONNECTION, Values.UPGRADE);
    }

    private static void checkToken(HttpResponse response, String header, String token) {
        List<String> values = response.headers().getAll(header);
        if (!HeaderSyntax.hasToken(values, token)) {
            throw new WebSocketHandshakeException("the server did not switch to WebSocket: " + header
                    + " does not name " + token + " but is " + values);
        }
    }

    /** The sub-protocol chosen by the server, one of those asked for; null if it chose none. */
    static String subprotocol(HttpResponse response, String headerName, String asked) {
        List<String> values = response.headers().getAll(headerName);
        if (values.isEmpty()) {
            return null;
        }
        boolean wasAsked = asked != null
                && values.size() == 1
                && List.of(asked.trim().split("\\s*,\\s*"))
                        .contains(values.get(0).trim());
        if (!wasAsked) {
            throw new WebSocketHandshakeException("the server chose a sub-protocol that was not asked for: " + values);
        }
        return values.get(0).trim();
    }

    // ---- the pipeline ----

    /** Replaces the HTTP handlers. Bytes received after the response reach the decoder. */
    static void complete(Channel channel, ChannelHandler encoder, ChannelHandler decoder) {
        ChannelPipeline pipeline = channel.getPipeline();
        if (pipeline.get(HttpChunkAggregator.class) != null) {
            pipeline.remove(HttpChunkAggregator.class);
        }
        HttpClientCodec codec = pipeline.get(HttpClientCodec.class);
        if (codec != null) {
            pipeline.addAfter(pipeline.getContext(codec).getName(), ENCODER, encoder);
            pipeline.replace(codec, DECODER, decoder);
            return;
        }
        if (channel instanceof Exchanges.Carrier) { // without a codec: the channel carries messages, and then bytes
            pipeline.addFirst(ENCODER, encoder);
            pipeline.addFirst(DECODER, decoder);
            return;
        }
        HttpRequestEncoder httpEncoder = pipeline.get(HttpRequestEncoder.class);
        HttpResponseDecoder httpDecoder = pipeline.get(HttpResponseDecoder.class);
        if (httpEncoder == null || httpDecoder == null) {
            throw new IllegalStateException(
                    "the pipeline has neither an HttpClientCodec nor both an HttpRequestEncoder and"
                            + " an HttpResponseDecoder: " + pipeline.getNames());
        }
        pipeline.replace(httpEncoder, ENCODER, encoder);
        pipeline.replace(httpDecoder, DECODER, decoder);
    }
}
