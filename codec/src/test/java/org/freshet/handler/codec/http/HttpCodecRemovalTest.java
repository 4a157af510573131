package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.junit.jupiter.api.Test;

/** The bytes that a codec hasn't decoded go to the handlers above it, when it is removed, and to no other. */
class HttpCodecRemovalTest {
    private final List<String> seen = new ArrayList<>();

    private final ChannelHandler below = new SimpleChannelUpstreamHandler() {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            seen.add(Decoded.describe(e.getMessage()));
            ctx.sendUpstream(e);
        }
    };

    private void assertHandedOverOnce(HttpTestServer side, String head, ChannelHandler codec) {
        side.receive(head + "raw");
        side.channel.getPipeline().remove(codec);
        assertEquals("raw raw", side.takeReceived().get(1));
        assertEquals(List.of("raw " + head + "raw"), seen);
    }

    @Test
    void shouldHandOverTheBytesAfterARequest() {
        HttpServerCodec codec = new HttpServerCodec();
        assertHandedOverOnce(new HttpTestServer(below, codec), "CONNECT h:1 HTTP/1.1\r\n\r\n", codec);
    }

    @Test
    void shouldHandOverTheBytesAfterAResponse() {
        HttpClientCodec codec = new HttpClientCodec();
        HttpTestServer client = new HttpTestServer(below, codec);
        HttpRequest get = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        client.channel.write(get);
        client.channel.write(get);
        assertHandedOverOnce(client, "HTTP/1.1 204 x\r\n\r\n", codec);
    }
}
