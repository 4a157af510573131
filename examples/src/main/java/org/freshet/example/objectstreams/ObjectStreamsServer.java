package org.freshet.example.objectstreams;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.CompatibleObjectDecoder;
import org.freshet.handler.codec.serialization.CompatibleObjectEncoder;

/**
 * Answers each object from a plain {@code ObjectOutputStream} with one for a plain {@code ObjectInputStream}. The
 * header of the answer stream is sent when a client connects, because a client that opens its input first would wait
 * for it forever.
 */
public final class ObjectStreamsServer implements AutoCloseable {
    static final int DEFAULT_PORT = 4444;

    private static final int MAX_OBJECT_BYTES = 64 * 1024;
    private static final int BACKLOG = 1024;

    private final ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final Channel server;

    private ObjectStreamsServer(int port) {
        TestHandler handler = new TestHandler();
        CompatibleObjectEncoder encoder = new CompatibleObjectEncoder(1, true); // one for all connections
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new CompatibleObjectDecoder(MAX_OBJECT_BYTES, ClassResolvers.cacheDisabled(null)), encoder, handler));
        bootstrap.setOption("backlog", BACKLOG);
        bootstrap.setOption("child.tcpNoDelay", true);
        server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    static ObjectStreamsServer start(int port) {
        return new ObjectStreamsServer(port);
    }

    int port() {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
    }

    public static void main(String[] args) {
        Arguments arguments = new Arguments("object-streams-server [PORT]", 0, 1, args);
        try {
            ObjectStreamsServer running = start(arguments.port(0, DEFAULT_PORT));
            System.out.println("serving on port " + running.port() + "; stop with Ctrl+C");
        } catch (ChannelException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
