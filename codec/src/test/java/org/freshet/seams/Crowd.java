package org.freshet.seams;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MemoryBudget;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.websocketx.WebSocketHandshakeEvent;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.util.HashedWheelTimer;

/**
 * A server in a separate process that writes to each client of a crowd without checking whether it reads, and serves
 * others on a second port with the same loops. It is controlled by lines of its input and exits at the end of it.
 */
final class Crowd {
    /** The kind of connection of the crowd. */
    enum Way {
        NOTHING,
        TLS,
        CHUNKS,
        SHAPER,
        HTTP_1,
        /** Its peers leave the connection writable, but grant streams no window. */
        HTTP_2,
        WEB_SOCKET,
        /** Each message is written to all. */
        WEB_SOCKET_BROADCAST,
        /** Writers wait in a channel that is always writable. */
        OIO,
        /** One of a channel's writers waits in the transport, the others in the queue that keeps their order. */
        OIO_WEB_SOCKET;

        boolean isHttp() {
            return this == HTTP_1 || this == HTTP_2;
        }

        boolean isWebSocket() {
            return this == WEB_SOCKET || this == WEB_SOCKET_BROADCAST || this == OIO_WEB_SOCKET;
        }

        boolean isBlocking() {
            return this == OIO || this == OIO_WEB_SOCKET;
        }
    }

    static final String START = "start";
    static final String STOP = "stop";
    static final String CHECK = "check";

    /** Printed for each connection of the crowd that is written to, and when it is closed. */
    static final String TARGET = "target";

    static final String CLOSED = "closed";

    /** Printed, with the reason, when a neighbour was closed for what it held. */
    static final String LOST = "lost ";

    /** Printed when the heap has been full for a while, or the whole crowd has been closed because of that. */
    static final String FULL = "full";

    private static final byte[] FULL_LINE = (FULL + "\n").getBytes(StandardCharsets.US_ASCII);

    private static final int MAX_LINE = 80;
    private static final long OBEY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final PrintStream OUT = System.out;
    private static final FileOutputStream UNBUFFERED = new FileOutputStream(FileDescriptor.out);

    private final Way way;
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final NioServerSocketChannelFactory factory = new NioServerSocketChannelFactory(2);
    private final Attack attack;
    private final LongAccumulator mostOfANeighbour = new LongAccumulator(Math::max, 0);

    private Crowd(Way way) {
        this.way = way;
        attack = new Attack(way);
    }

    /** @param args the kind of connection, the budget in bytes or -1 for the default */
    public static void main(String[] args) throws Exception {
        long budget = Long.parseLong(args[1]);
        if (budget >= 0) {
            MemoryBudget.setLimit(budget);
        }
        new Crowd(Way.valueOf(args[0])).run();
        System.exit(0);
    }

    private void run() throws Exception {
        Channel crowd = bind(way.isBlocking() ? new OioServerSocketChannelFactory() : factory, pipelines());
        Channel neighbours = bind(factory, () -> Channels.pipeline(new Answers(mostOfANeighbour)));
        say("ports " + port(crowd) + " " + port(neighbours));
        byte[] line = new byte[MAX_LINE];
        int length = 0;
        for (int c = System.in.read(); c >= 0; c = System.in.read()) {
            if (c != '\n') {
                line[length++] = (byte) c;
                continue;
            }
            if (length == STOP.length() && line[2] == STOP.charAt(2)) {
                attack.stop(); // allocates no memory: the attack is over before there is some for an answer
            }
            obeyAtLast(line, length);
            length = 0;
        }
    }

    /**
     * While the heap is full, a command is repeated until it finds memory. It pauses in between: each attempt makes the
     * collector stop all other threads, which no server thread without work would do.
     */
    private void obeyAtLast(byte[] line, int length) throws Exception {
        while (true) {
            try {
                obey(new String(line, 0, length, StandardCharsets.US_ASCII));
                return;
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(OBEY_AGAIN_NANOS);
            }
        }
    }

    private void obey(String command) throws Exception {
        switch (command) {
            case START -> attack.start();
            case STOP ->
                say("most=" + attack.mostBytes() + " limit=" + MemoryBudget.getLimit() + " neighbour="
                        + mostOfANeighbour + " closed=" + MemoryBudget.getClosed() + " " + attack);
            case CHECK -> say("checked " + new Protection(factory, timer).check());
            default -> throw new IllegalArgumentException(command);
        }
    }

    static void say(String line) {
        OUT.println(line);
    }

    /** Allocates no memory. */
    static void sayFull() {
        try {
            UNBUFFERED.write(FULL_LINE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int port(Channel server) {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private static Channel bind(ChannelFactory factory, ChannelPipelineFactory pipelines) {
        ServerBootstrap bootstrap = new ServerBootstrap(factory);
        bootstrap.setPipelineFactory(pipelines);
        bootstrap.setOption("backlog", 1000);
        bootstrap.setOption("child.sendBufferSize", 8 * 1024);
        return bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    // ---- the crowd's pipelines --------------------------------------------------------------------------------------

    private ChannelPipelineFactory pipelines() throws Exception {
        if (way.isHttp()) {
            return HttpServerPipeline.builder(timer)
                    .aggregate(1024)
                    .chunkedWrites()
                    .http2(Http2Settings.defaults())
                    .handler("application", Target::new)
                    .build();
        }
        SelfSignedCertificate certificate = Certificates.named("localhost");
        var tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        GlobalTrafficShapingHandler shaper = new GlobalTrafficShapingHandler(timer, 64 * 1024, 0);
        return () -> {
            ChannelPipeline pipeline = Channels.pipeline();
            switch (way) {
                case TLS -> pipeline.addLast("tls", tls.newHandler());
                case CHUNKS -> {
                    pipeline.addLast("encoder", new StringEncoder(StandardCharsets.ISO_8859_1));
                    pipeline.addLast("chunks", new ChunkedWriteHandler());
                }
                case SHAPER -> pipeline.addLast("shaper", shaper);
                case WEB_SOCKET, WEB_SOCKET_BROADCAST, OIO_WEB_SOCKET -> {
                    pipeline.addLast("codec", new HttpServerCodec());
                    pipeline.addLast(
                            "webSocket",
                            new WebSocketServerProtocolHandler(WebSocketServerConfig.builder("/")
                                    .allowAnyOrigin()
                                    .timer(timer)
                                    .build()));
                }
                default -> {}
            }
            pipeline.addLast("target", new Target());
            return pipeline;
        };
    }

    /** Starts writing to its channel when the peer has sent what it has to send. */
    private final class Target extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!way.isHttp() && !way.isWebSocket()) {
                add(ctx.getChannel());
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (way.isHttp()) {
                HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                response.setChunked(true);
                ctx.getChannel().write(response);
                add(ctx.getChannel());
            }
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            if (e instanceof WebSocketHandshakeEvent) {
                add(ctx.getChannel());
            }
            super.handleUpstream(ctx, e);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}

        private void add(Channel channel) {
            attack.add(channel);
            say(TARGET);
            channel.getCloseFuture().addListener(done -> say(CLOSED));
        }
    }
}
