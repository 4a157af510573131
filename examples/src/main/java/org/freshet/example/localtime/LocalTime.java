package org.freshet.example.localtime;

import com.google.protobuf.ListValue;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.OffsetDateTime;
import java.time.ZoneId;
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
import org.freshet.handler.codec.protobuf.ProtobufDecoder;
import org.freshet.handler.codec.protobuf.ProtobufEncoder;
import org.freshet.handler.codec.protobuf.ProtobufVarint32FrameDecoder;
import org.freshet.handler.codec.protobuf.ProtobufVarint32LengthFieldPrepender;
import org.freshet.handler.traffic.BackPressureHandler;

/**
 * A client asks a server for the time in several zones, over loopback. The messages are types included in protobuf-java
 * ({@code ListValue} to the server, {@code Struct} back), so no compiler for {@code .proto} files is needed. Generated
 * types are used the same way.
 */
public final class LocalTime {
    private static final String NO_ZONE = "Atlantis/Capital";
    private static final String[] ZONES = {
        "Asia/Kolkata", "America/New_York", "Pacific/Chatham", "Europe/Vienna", NO_ZONE
    };

    private LocalTime() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("localtime", 0, 0, args);
        System.out.println("localtime: protocol buffers, framed by their length: a list of time zones to the server,");
        System.out.println("a struct of times back");
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        LocalTimeServerHandler handler = new LocalTimeServerHandler();
        bootstrap.setPipelineFactory(() -> pipeline(ListValue.getDefaultInstance(), handler));
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            ok = show(ask(server.getLocalAddress()));
        } catch (ExecutionException e) {
            System.err.println("failed: " + e.getCause());
            ok = false;
        } finally {
            bootstrap.releaseExternalResources();
        }
        System.exit(ok ? 0 : 1);
    }

    /** @param received the type of incoming messages; outgoing messages know their own type */
    private static ChannelPipeline pipeline(MessageLite received, ChannelHandler handler) {
        return Channels.pipeline(
                new BackPressureHandler(),
                new ProtobufVarint32FrameDecoder(),
                new ProtobufDecoder(received),
                new ProtobufVarint32LengthFieldPrepender(),
                new ProtobufEncoder(),
                handler);
    }

    private static Struct ask(SocketAddress server) throws InterruptedException, ExecutionException {
        ListValue.Builder zones = ListValue.newBuilder();
        for (String zone : ZONES) {
            zones.addValues(Value.newBuilder().setStringValue(zone));
        }
        LocalTimeClientHandler handler = new LocalTimeClientHandler(zones.build());
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> pipeline(Struct.getDefaultInstance(), handler));
        try {
            bootstrap.connect(server); // if it fails, the handler is notified
            return handler.times().get();
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    /** Returns whether the answer is as expected: times with the zone's own offset, and nothing for the last zone. */
    private static boolean show(Struct times) {
        boolean ok = times.getFieldsCount() == ZONES.length;
        for (String zone : ZONES) {
            Value time = times.getFieldsOrThrow(zone);
            System.out.printf("%-20s %s%n", zone, time.hasStringValue() ? time.getStringValue() : "no such zone");
            ok &= time.hasStringValue() ? isTimeIn(zone, time.getStringValue()) : zone.equals(NO_ZONE);
        }
        System.out.println(
                times.getFieldsCount() + " answers to " + ZONES.length + " questions: " + (ok ? "right" : "wrong"));
        return ok;
    }

    private static boolean isTimeIn(String zone, String text) {
        OffsetDateTime time = OffsetDateTime.parse(text);
        return ZoneId.of(zone).getRules().getOffset(time.toInstant()).equals(time.getOffset());
    }
}
