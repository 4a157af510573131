package org.freshet.example.echo;

import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.traffic.BackPressureHandler;

/** Sends back everything it receives, until it is stopped. */
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

    /** Returns a server that is complete but for its address. */
    static ServerBootstrap newBootstrap() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new BackPressureHandler(), // stops reading from a client that does not read its answers
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        e.getChannel().write(e.getMessage()); // echo
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        e.getChannel().close();
                    }
                }));
        bootstrap.setOption("child.tcpNoDelay", true);
        return bootstrap;
    }
}
