package org.freshet.example.httphello;

import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.handler.traffic.BackPressureHandler;
import org.freshet.util.HashedWheelTimer;
import org.freshet.util.Timer;

/** Says hello over HTTP, until it is stopped. Try {@code curl -i localhost:8080}. */
public final class HttpHelloServer {
    private static final int DEFAULT_PORT = 8080;
    private static final int MAX_CONTENT_LENGTH = 65536;
    private static final int SILENCE_SECONDS = 60;

    private HttpHelloServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("http-hello-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap = newBootstrap(new HashedWheelTimer());
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("saying hello on " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** @param timer for the time-outs of idle connections; the caller stops it */
    public static ServerBootstrap newBootstrap(Timer timer) {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        ChannelHandler hello = new HttpHelloHandler();
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            pipeline.addLast("timeout", new ReadTimeoutHandler(timer, SILENCE_SECONDS));
            pipeline.addLast("backPressure", new BackPressureHandler());
            pipeline.addLast("codec", new HttpServerCodec());
            pipeline.addLast("aggregator", new HttpChunkAggregator(MAX_CONTENT_LENGTH));
            pipeline.addLast("hello", hello);
            return pipeline;
        });
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
