package org.freshet.handler.codec.http.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.MemoryChannel;

/** A connection in memory: text goes in from the client, and what was sent comes out as text. */
final class Exchange {
    final MemoryChannel channel;

    Exchange(ChannelHandler... handlers) {
        channel = MemoryChannel.connected(handlers);
    }

    static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    Exchange receive(String text) {
        channel.receive(bytes(text));
        return this;
    }

    static HttpResponse response(int code, String content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        response.setContent(bytes(content));
        return response;
    }

    ChannelFuture answer(String content) {
        return channel.write(response(200, content));
    }

    ChannelFuture chunk(String content) {
        return channel.write(new DefaultHttpChunk(bytes(content)));
    }

    /** What was sent since the last call; {@code <end>} where the output ended. */
    String sent() {
        StringBuilder text = new StringBuilder();
        for (Object message : channel.takeWritten()) {
            text.append(
                    message == OutputShutdown.INSTANCE
                            ? "<end>"
                            : ((ChannelBuffer) message).toString(StandardCharsets.ISO_8859_1));
        }
        return text.toString();
    }

    /** The targets of the requests that came out since the last call. */
    List<String> targets() {
        List<String> targets = new ArrayList<>();
        for (Object message : channel.takeReceived()) {
            if (message instanceof HttpRequest request) {
                targets.add(request.getUri());
            }
        }
        return targets;
    }
}
