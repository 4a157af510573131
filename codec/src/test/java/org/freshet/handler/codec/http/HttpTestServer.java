package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.testing.MemoryChannel;

/** One side of a connection whose bytes are texts. The test looks at what it receives and sends. */
final class HttpTestServer {
    final MemoryChannel channel;

    HttpTestServer(ChannelHandler... handlers) {
        channel = MemoryChannel.connected(handlers);
    }

    void receive(String latin1) {
        channel.receive(ChannelBuffers.copiedBuffer(latin1, ISO_8859_1));
    }

    /** Descriptions of the messages that reached the top, failures last. */
    List<String> takeReceived() {
        List<String> descriptions = new ArrayList<>();
        channel.takeReceived().forEach(message -> descriptions.add(Decoded.describe(message)));
        channel.takeCaught().forEach(failure -> descriptions.add(Decoded.describe(failure)));
        return descriptions;
    }

    void answer(HttpResponseStatus status, String content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, status);
        response.setContent(ChannelBuffers.copiedBuffer(content, ISO_8859_1));
        HttpHeaders.setContentLength(response, content.length());
        channel.write(response);
    }

    /** A head, then its content in chunks, and the end. */
    void answerInChunks(HttpResponse response, String... chunks) {
        response.setChunked(true);
        channel.write(response);
        for (String chunk : chunks) {
            channel.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(chunk, ISO_8859_1)));
        }
        channel.write(HttpChunk.LAST_CHUNK);
    }

    static void assertRefused(String part, ChannelFuture written) {
        assertInstanceOf(IllegalStateException.class, written.getCause());
        assertTrue(written.getCause().getMessage().contains(part), written.getCause()::getMessage);
    }

    String takeSent() {
        StringBuilder sent = new StringBuilder();
        for (Object message : channel.takeWritten()) {
            sent.append(((ChannelBuffer) message).toString(ISO_8859_1));
        }
        return sent.toString();
    }
}
