package org.freshet.example.objectecho;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.serialization.ClassResolver;
import org.freshet.handler.codec.serialization.ClassResolvers;
import org.freshet.handler.codec.serialization.ObjectDecoder;
import org.freshet.handler.codec.serialization.ObjectEncoder;
import org.freshet.handler.traffic.BackPressureHandler;

/** Sends objects to a server and back, over loopback. One of them has a class that the server refuses. */
public final class ObjectEcho {
    private static final int MAX_OBJECT_BYTES = 64 * 1024;

    /**
     * Allowed classes besides the JDK's value types and collections. Without a filter, the peer would choose which code
     * runs.
     */
    private static final ClassResolver CLASSES = ClassResolvers.allowList(Parcel.class);

    private ObjectEcho() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("objectecho", 0, 0, args);
        System.out.println("objectecho: serialized Java objects; of the program's own classes, the decoder only reads");
        System.out.println("those in its allow list");
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        ChannelHandler handler = new ObjectEchoServerHandler();
        bootstrap.setPipelineFactory(() -> pipeline(handler));
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ok = echo(server.getLocalAddress());
        } catch (ExecutionException e) {
            System.err.println("failed: " + e.getCause());
            ok = false;
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }

    private static ChannelPipeline pipeline(ChannelHandler handler) {
        return Channels.pipeline(
                new BackPressureHandler(), new ObjectDecoder(MAX_OBJECT_BYTES, CLASSES), new ObjectEncoder(), handler);
    }

    /** Returns whether every object came back equal, except the one that must not. */
    private static boolean echo(SocketAddress server) throws InterruptedException, ExecutionException {
        List<Object> objects = List.of(
                "a text",
                Map.of("a", List.of(1, 2L, 3.0), "b", LocalDate.EPOCH),
                new Parcel("Ada", List.of("cards", "a wheel"), LocalDate.of(1843, 7, 10)),
                new Intruder(),
                "the last");
        ObjectEchoClientHandler handler = new ObjectEchoClientHandler(objects);
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> pipeline(handler));
        try {
            bootstrap.connect(server); // if it fails, the handler is notified
            return show(objects, handler.answers().get());
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static boolean show(List<Object> objects, List<Object> answers) {
        boolean ok = true;
        for (int i = 0; i < objects.size(); i++) {
            Object sent = objects.get(i);
            Object answer = answers.get(i);
            System.out.println(sent.getClass().getSimpleName() + " -> " + answer);
            ok &= sent instanceof Intruder
                    ? answer.toString().startsWith(ObjectEchoServerHandler.REFUSED)
                    : answer.equals(sent);
        }
        System.out.println(answers.size() + " answers to " + objects.size() + " objects: " + (ok ? "right" : "wrong"));
        return ok;
    }
}
