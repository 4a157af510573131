package org.freshet.example.httppush;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.HttpKeepAliveHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Shows browsers the current time, until it is stopped. */
public final class HttpPushServer implements AutoCloseable {
    private static final int DEFAULT_PORT = 8080;
    private static final int TICK_MILLIS = 1000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final Events events = new Events();
    private final int tickMillis;

    @SuppressWarnings("resource") // lives until the program is stopped
    public static void main(String[] args) {
        Arguments arguments = new Arguments("http-push-server [PORT]", 0, 1, args);
        try {
            SocketAddress address =
                    new HttpPushServer(TICK_MILLIS).bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            int port = ((InetSocketAddress) address).getPort();
            System.out.println("open http://localhost:" + port + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    HttpPushServer(int tickMillis) {
        this.tickMillis = tickMillis;
        byte[] page = readPage();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new BackPressureHandler(),
                new HttpServerCodec(),
                new HttpKeepAliveHandler(),
                new HttpPushHandler(events, page)));
        bootstrap.setOption("child.tcpNoDelay", true);
        scheduleTick();
    }

    private static byte[] readPage() {
        try (InputStream page = HttpPushServer.class.getResourceAsStream("push.html")) {
            return page.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void scheduleTick() {
        timer.newTimeout(
                expired -> {
                    events.publish("it is " + LocalTime.now().format(TIME));
                    scheduleTick();
                },
                tickMillis,
                TimeUnit.MILLISECONDS);
    }

    SocketAddress bind(InetSocketAddress address) {
        return bootstrap.bind(address).getLocalAddress();
    }

    @Override
    public void close() {
        timer.stop();
        bootstrap.releaseExternalResources();
    }
}
