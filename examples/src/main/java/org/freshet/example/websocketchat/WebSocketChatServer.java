package org.freshet.example.websocketchat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.websocketx.WebSocketFrameAggregator;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** A chat for browsers, until it is stopped. */
public final class WebSocketChatServer implements AutoCloseable {
    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_MESSAGE_BYTES = 4096;

    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final Timer timer = new HashedWheelTimer();
    private final ChannelGroup members = new DefaultChannelGroup("chat");

    @SuppressWarnings("resource") // lives until the program is stopped
    public static void main(String[] args) {
        Arguments arguments = new Arguments("websocket-chat-server [PORT]", 0, 1, args);
        try {
            SocketAddress address =
                    new WebSocketChatServer().bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            int port = ((InetSocketAddress) address).getPort();
            System.out.println("open http://localhost:" + port + " in two windows; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    WebSocketChatServer() {
        byte[] page = readPage();
        WebSocketServerConfig config = WebSocketServerConfig.builder("/chat")
                .ping(Duration.ofSeconds(20), Duration.ofSeconds(10))
                .timer(timer)
                .build();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new HttpServerCodec(),
                new WebSocketServerProtocolHandler(config),
                new WebSocketFrameAggregator(MAX_MESSAGE_BYTES),
                new ChatMember(members, page)));
        bootstrap.setOption("child.tcpNoDelay", true);
    }

    private static byte[] readPage() {
        try (InputStream page = WebSocketChatServer.class.getResourceAsStream("chat.html")) {
            return page.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SocketAddress bind(InetSocketAddress address) {
        return bootstrap.bind(address).getLocalAddress();
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }
}
