package org.freshet.example.httpsnoop;

import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.traffic.BackPressureHandler;

/** Answers each request with a description of it, until it is stopped. Use a browser or curl. */
public final class HttpSnoopServer {
    private static final int DEFAULT_PORT = 8080;

    private HttpSnoopServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("http-snoop-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap = newBootstrap();
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("describing requests to " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static ServerBootstrap newBootstrap() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() ->
                Channels.pipeline(new BackPressureHandler(), new HttpServerCodec(), new HttpSnoopServerHandler()));
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
