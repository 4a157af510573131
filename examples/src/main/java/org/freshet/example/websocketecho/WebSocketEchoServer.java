package org.freshet.example.websocketecho;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Sends each message back, until it is stopped. */
public final class WebSocketEchoServer implements AutoCloseable {
    private static final int DEFAULT_PORT = 8080;

    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final Timer timer = new HashedWheelTimer();

    @SuppressWarnings("resource") // lives until the program is stopped
    public static void main(String[] args) {
        Arguments arguments = new Arguments("websocket-echo-server [PORT]", 0, 1, args);
        try {
            SocketAddress address =
                    new WebSocketEchoServer().bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            int port = ((InetSocketAddress) address).getPort();
            System.out.println("ws://localhost:" + port + "/echo echoes; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    WebSocketEchoServer() {
        WebSocketServerConfig config = WebSocketServerConfig.builder("/echo")
                .ping(Duration.ofSeconds(30), Duration.ofSeconds(10))
                .timer(timer)
                .build();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new BackPressureHandler(),
                new HttpServerCodec(),
                new WebSocketServerProtocolHandler(config),
                new EchoHandler()));
        bootstrap.setOption("child.tcpNoDelay", true);
    }

    SocketAddress bind(InetSocketAddress address) {
        return bootstrap.bind(address).getLocalAddress();
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    /** Echoes each fragment as it arrives, so no message is ever held as a whole. */
    private static final class EchoHandler extends WebSocketHandler {
        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            ctx.getChannel().write(frame);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.getChannel().close(); // a request for another path
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }
}
