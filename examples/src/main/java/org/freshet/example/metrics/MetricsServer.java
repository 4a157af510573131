package org.freshet.example.metrics;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpServerCodec;

/**
 * An echo server with some traffic, and an HTTP server that reports on its loops: {@code /metrics} for Prometheus, and
 * a page that plots the same numbers every second.
 */
public final class MetricsServer {
    private static final int DEFAULT_PORT = 8080;
    private static final int CLIENTS = 8;
    private static final int MAX_CONTENT_LENGTH = 65536;

    private MetricsServer() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments("metrics [PORT [SECONDS]]", 0, 2, args);
        int port = arguments.port(0, DEFAULT_PORT);
        int seconds = arguments.number(1, "SECONDS", 0, 3600, 0);
        NioServerSocketChannelFactory echoFactory = new NioServerSocketChannelFactory(2);
        ServerBootstrap echo = new ServerBootstrap(echoFactory);
        ServerBootstrap http = new ServerBootstrap(new NioServerSocketChannelFactory(1));
        ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory());
        try {
            Channel echoing = startEcho(echo);
            Channel page = startPage(http, echoFactory, port);
            startTraffic(clients, (InetSocketAddress) echoing.getLocalAddress());
            int bound = ((InetSocketAddress) page.getLocalAddress()).getPort();
            System.out.println("plots are at http://localhost:" + bound + "/, text at /metrics; stop with Ctrl+C");
            if (seconds == 0) {
                return; // the servers' threads continue
            }
            TimeUnit.SECONDS.sleep(seconds);
            System.out.println(
                    read(bound).contains("\nfreshet_loop_iterations_total{loop=") ? "metrics: right" : "metrics: none");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
        }
        clients.releaseExternalResources();
        http.releaseExternalResources();
        echo.releaseExternalResources();
    }

    private static Channel startEcho(ServerBootstrap echo) {
        echo.setPipelineFactory(() -> Channels.pipeline(new Answer()));
        return echo.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static Channel startPage(ServerBootstrap http, ChannelFactory shown, int port) throws IOException {
        byte[] html = resource("metrics.html");
        http.setPipelineFactory(() -> Channels.pipeline(
                new HttpServerCodec(), new HttpChunkAggregator(MAX_CONTENT_LENGTH), new MetricsHandler(shown, html)));
        return http.bind(new InetSocketAddress(port));
    }

    private static void startTraffic(ClientBootstrap clients, InetSocketAddress address) {
        clients.setPipelineFactory(() -> Channels.pipeline(new Talk()));
        for (int i = 0; i < CLIENTS; i++) {
            clients.connect(address);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = MetricsServer.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }

    private static String read(int port) throws IOException {
        try (InputStream in = new URL("http://localhost:" + port + "/metrics").openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** Echoes every message. */
    private static class Answer extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            e.getChannel().close();
        }
    }

    /** Sends the first message, then echoes like the server. */
    private static final class Talk extends Answer {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            e.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[256]));
        }
    }
}
