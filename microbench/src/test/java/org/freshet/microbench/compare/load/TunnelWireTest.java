package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2ServerHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.freshet.microbench.compare.load.WebSocketDialect.Content;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The WebSocket load on HTTP/2 streams. */
class TunnelWireTest {
    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());

    private int serve(boolean webSocket) {
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().webSocket(webSocket).build();
        server.setPipelineFactory(() -> Channels.pipeline(new Http2ServerHandler(
                () -> Channels.pipeline(new WebSocketServerProtocolHandler("/"), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        e.getChannel().write(e.getMessage());
                    }
                }),
                settings)));
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return ((InetSocketAddress) bound.getLocalAddress()).getPort();
    }

    @AfterEach
    void release() {
        server.releaseExternalResources();
    }

    /** Small messages, and messages larger than frames and windows. */
    @Test
    void shouldCountEveryEchoedMessage() throws Exception {
        int port = serve(true);
        for (int size : new int[] {64, 100_000}) {
            Load load = new Load(2, size, 4, 0);
            try (LoadGenerator generator = LoadGenerator.ofWebSocketOverHttp2(port, load, Content.TEXT)) {
                assertEquals(2, generator.connect().messages());
                assertEquals(
                        200,
                        generator.run(200, Duration.ofSeconds(30), done -> {}).messages());
            }
        }
    }

    @Test
    void shouldRefuseAServerWithoutWebSocket() throws Exception {
        int port = serve(false);
        try (LoadGenerator generator = LoadGenerator.ofWebSocketOverHttp2(port, new Load(1, 64, 1, 0), Content.TEXT)) {
            IOException failure = assertThrows(IOException.class, generator::connect);
            assertTrue(failure.getMessage().contains("frame of type 3"), failure::toString);
        }
    }
}
