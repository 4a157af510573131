package org.freshet.example.echo;

import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;

/** Sends back whatever it receives, until it is stopped. */
public final class EchoServer {
    private static final int DEFAULT_PORT = 8080;

    private EchoServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("echo-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap = newBootstrap();
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("echoing on " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static ServerBootstrap newBootstrap() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        EchoServerHandler handler = new EchoServerHandler(); // sharable: one for all connections
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler));
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
