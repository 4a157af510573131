package org.freshet.handler.codec.http.websocketx;

import java.util.Base64;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.Exchanges;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders.Names;
import org.freshet.handler.codec.http.HttpHeaders.Values;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.internal.HeaderSyntax;

/** The server's side of the upgrade: checks the request and switches the pipeline to WebSocket. Stateless. */
final class ServerUpgrade {
    static final String DECODER = "wsdecoder";
    static final String ENCODER = "wsencoder";

    private static final int KEY_BYTES = 16;

    private ServerUpgrade() {}

    /** @throws WebSocketHandshakeException if the request does not ask for an upgrade to WebSocket, of any version */
    static void check(HttpRequest request) {
        if (!HttpMethod.GET.equals(request.getMethod())) {
            throw refused("its method is " + request.getMethod());
        }
        if (HttpVersion.HTTP_1_1.compareTo(request.getProtocolVersion()) > 0) {
            throw refused("its version is " + request.getProtocolVersion());
        }
        if (!HeaderSyntax.hasToken(request.headers().getAll(Names.UPGRADE), Values.WEBSOCKET)) {
            throw refused("Upgrade does not name websocket");
        }
        if (!HeaderSyntax.hasToken(request.headers().getAll(Names.CONNECTION), Values.UPGRADE)) {
            throw refused("Connection does not name Upgrade");
        }
    }

    /** An intermediary could take content for frames, or frames for content. */
    static void checkNoContent(HttpRequest request) {
        if (request.isChunked() || request.getContent().readable()) {
            throw refused("it has content");
        }
    }

    /** The client's key: a single header with 16 bytes in Base64. */
    static String key(HttpRequest request) {
        List<String> keys = request.headers().getAll(Names.SEC_WEBSOCKET_KEY);
        if (keys.isEmpty()) {
            throw refused("it has no key");
        }
        if (keys.size() > 1 || !isKey(keys.get(0))) {
            throw refused("its key is not 16 bytes in Base64");
        }
        return keys.get(0);
    }

    private static boolean isKey(String text) {
        try {
            return text.length() == 24 && Base64.getDecoder().decode(text).length == KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    private static WebSocketHandshakeException refused(String why) {
        return new WebSocketHandshakeException("cannot switch the request to WebSocket: " + why);
    }

    /**
     * Writes the response and replaces the HTTP handlers. Bytes received after the request reach the decoder, and writes from
     * now on follow the response.
     */
    static ChannelFuture complete(
            Channel channel, HttpResponse response, ChannelHandler encoder, ChannelHandler decoder) {
        ChannelPipeline pipeline = channel.getPipeline();
        if (pipeline.get(HttpChunkAggregator.class) != null) {
            pipeline.remove(HttpChunkAggregator.class);
        }
        HttpServerCodec codec = pipeline.get(HttpServerCodec.class);
        if (codec != null) {
            return completeAfterCodec(codec, channel, response, encoder, decoder);
        }
        return channel instanceof Exchanges.Carrier
                ? completeOnStream(channel, response, encoder, decoder)
                : completeInPlace(channel, response, encoder, decoder);
    }

    /** The channel has no codec: it carries the response, then bytes. */
    private static ChannelFuture completeOnStream(
            Channel channel, HttpResponse response, ChannelHandler encoder, ChannelHandler decoder) {
        channel.getPipeline().addFirst(ENCODER, encoder);
        channel.getPipeline().addFirst(DECODER, decoder);
        return channel.write(response);
    }

    /** The codec notices the switch itself, and passes bytes on until it is removed. */
    private static ChannelFuture completeAfterCodec(
            HttpServerCodec codec,
            Channel channel,
            HttpResponse response,
            ChannelHandler encoder,
            ChannelHandler decoder) {
        ChannelPipeline pipeline = channel.getPipeline();
        String codecName = pipeline.getContext(codec).getName();
        pipeline.addAfter(codecName, ENCODER, encoder);
        pipeline.addAfter(codecName, DECODER, decoder);
        ChannelFuture written = channel.write(response);
        written.addListener(future -> removeIfWritten(future, pipeline, codec));
        return written;
    }

    private static ChannelFuture completeInPlace(
            Channel channel, HttpResponse response, ChannelHandler encoder, ChannelHandler decoder) {
        ChannelPipeline pipeline = channel.getPipeline();
        HttpRequestDecoder httpDecoder = pipeline.get(HttpRequestDecoder.class);
        HttpResponseEncoder httpEncoder = pipeline.get(HttpResponseEncoder.class);
        if (httpDecoder == null || httpEncoder == null) {
            throw new IllegalStateException("the pipeline has neither an HttpServerCodec nor both an HttpRequestDecoder"
                    + " and an HttpResponseEncoder: " + pipeline.getNames());
        }
        pipeline.addAfter(pipeline.getContext(httpEncoder).getName(), ENCODER, encoder);
        ChannelFuture written = channel.write(response);
        pipeline.replace(httpDecoder, DECODER, decoder); // before it decodes what follows the request
        written.addListener(future -> removeIfWritten(future, pipeline, httpEncoder));
        return written;
    }

    private static void removeIfWritten(ChannelFuture written, ChannelPipeline pipeline, ChannelHandler handler) {
        if (written.isSuccess() && pipeline.getContext(handler) != null) {
            pipeline.remove(handler);
        }
    }
}
