package org.freshet.handler.codec.http.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.MemoryChannel;

/**
 * An in-memory connection: text from the client goes in, sent data comes out as text. The test plays the application.
 */
final class WireExchange {
    final TextClient client;

    /** An HTTP/1.1 exchange with just these handlers. */
    WireExchange(ChannelHandler... handlers) {
        client = new TextClient.OverHttp1(handlers);
    }

    /** With the handlers above a codec, if there is one. */
    WireExchange(TextClient.Wire wire, Supplier<ChannelHandler[]> handlers) {
        this(
                wire,
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(128).build(),
                () -> new ChannelHandler[0],
                handlers);
    }

    /** With the handlers below and above a codec. */
    WireExchange(
            TextClient.Wire wire,
            HttpLimits limits,
            Supplier<ChannelHandler[]> before,
            Supplier<ChannelHandler[]> handlers) {
        client = wire.connect(limits, before, handlers);
    }

    static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    WireExchange receive(String text) {
        client.receive(text);
        return this;
    }

    Channel channel() {
        return client.channel();
    }

    MemoryChannel transport() {
        return client.transport();
    }

    List<Object> takeReceived() {
        return client.takeReceived();
    }

    List<Throwable> takeCaught() {
        return client.takeCaught();
    }

    static HttpResponse response(int code, String content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        response.setContent(bytes(content));
        return response;
    }

    ChannelFuture answer(String content) {
        return channel().write(response(200, content));
    }

    ChannelFuture chunk(String content) {
        return channel().write(new DefaultHttpChunk(bytes(content)));
    }

    /** What was sent since the last call, with {@code <end>} at the end of the output. */
    String sent() {
        return client.sent();
    }

    /** The targets of the requests received since the last call. */
    List<String> targets() {
        List<String> targets = new ArrayList<>();
        for (Object message : client.takeReceived()) {
            if (message instanceof HttpRequest request) {
                targets.add(request.getUri());
            }
        }
        return targets;
    }
}
