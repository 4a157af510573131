package org.freshet.example.discard;

import java.net.InetSocketAddress;
import java.util.function.LongConsumer;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;

/** Discards everything it receives, until it is stopped. */
public final class DiscardServer {
    private static final int DEFAULT_PORT = 8009;

    private DiscardServer() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments("discard-server [PORT]", 0, 1, args);
        ServerBootstrap bootstrap =
                newBootstrap(bytes -> System.out.println("connection closed after " + bytes + " bytes"));
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(arguments.port(0, DEFAULT_PORT)));
            System.out.println("discarding on " + server.getLocalAddress() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /** @param atEnd receives the number of bytes of each connection, when it is closed */
    static ServerBootstrap newBootstrap(LongConsumer atEnd) {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new DiscardServerHandler(atEnd)));
        return bootstrap;
    }
}
