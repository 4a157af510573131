package org.freshet.seams;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
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
import org.freshet.handler.codec.http.DefaultHttpChunk;
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
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.handler.timeout.IdleStateAwareChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleStateEvent;
import org.freshet.handler.timeout.IdleStateHandler;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.handler.timeout.ReadTimeoutHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.telemetry.StallWatch;
import org.freshet.testing.Echo;
import org.freshet.util.HashedWheelTimer;

/**
 * A server in a process of its own, which writes to each client of a crowd without looking whether it reads, and serves others on a second
 * port with the same loops. It is told what to do by lines of its input and ends with it.
 */
final class Crowd {
    /** What a connection of the crowd is made of. */
    enum Way {
        NOTHING,
        TLS,
        CHUNKS,
        SHAPER,
        HTTP_1,
        HTTP_2,
        WEB_SOCKET;

        boolean isHttp() {
            return this == HTTP_1 || this == HTTP_2;
        }
    }

    static final String START = "start";
    static final String STOP = "stop";
    static final String CHECK = "check";

    private static final int WRITERS = 4;
    private static final long SAMPLE_MILLIS = 5;

    /** A message of each size per turn, and so many of the smallest. */
    private static final int SMALLEST = 32;

    private static final PrintStream OUT = System.out;

    private final Way way;
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final NioServerSocketChannelFactory factory = new NioServerSocketChannelFactory(2);
    private final List<Channel> targets = new CopyOnWriteArrayList<>();
    private final AtomicLong messages = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong most = new AtomicLong();
    private volatile boolean isWriting;

    private Crowd(Way way) {
        this.way = way;
    }

    /** @param args the way, the budget in bytes or -1 for the default */
    public static void main(String[] args) throws Exception {
        long budget = Long.parseLong(args[1]);
        if (budget >= 0) {
            MemoryBudget.setLimit(budget);
        }
        new Crowd(Way.valueOf(args[0])).run();
        System.exit(0);
    }

    private void run() throws Exception {
        Channel crowd = bind(pipelines());
        Channel neighbours = bind(() -> Channels.pipeline(new Echo()));
        say("ports " + port(crowd) + " " + port(neighbours));
        StringBuilder line = new StringBuilder();
        for (int c = System.in.read(); c >= 0; c = System.in.read()) {
            if (c != '\n') {
                line.append((char) c);
                continue;
            }
            obey(line.toString());
            line.setLength(0);
        }
    }

    private void obey(String command) throws Exception {
        switch (command) {
            case START -> start();
            case STOP -> {
                isWriting = false;
                say("most=" + most + " limit=" + MemoryBudget.getLimit() + " closed=" + MemoryBudget.getClosed()
                        + " targets=" + targets.size() + " messages=" + messages + " errors=" + errors);
            }
            case CHECK ->
                say("checked budget=" + doesBudgetWork() + " timer=" + doesTimerWork() + " timeouts=" + doTimeoutsWork()
                        + " stalls=" + doesStallWatchWork());
            default -> throw new IllegalArgumentException(command);
        }
    }

    private static void say(String line) {
        OUT.println(line);
    }

    private static int port(Channel server) {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private Channel bind(ChannelPipelineFactory pipelines) {
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
        SelfSignedCertificate certificate = new SelfSignedCertificate("localhost");
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
                case WEB_SOCKET -> {
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

    /** Has its channel be written to when the peer has said what it has to say. */
    private final class Target extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (!way.isHttp() && way != Way.WEB_SOCKET) {
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
            targets.add(channel);
            say("target");
        }
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    private void start() {
        isWriting = true;
        for (int i = 0; i < WRITERS; i++) {
            daemon(this::writeOn, "writer " + i);
        }
        daemon(this::sampleOn, "sampler");
    }

    private static void daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void writeOn() {
        Form[] forms = forms();
        while (isWriting) {
            for (Channel target : targets) {
                for (Form form : forms) {
                    write(target, form);
                }
            }
        }
    }

    private Form[] forms() {
        return switch (way) {
            case NOTHING, SHAPER, HTTP_1 ->
                new Form[] {Form.BUFFER_1_B, Form.BUFFER_1_KIB, Form.BUFFER_64_KIB, Form.REGION};
            case CHUNKS -> new Form[] {Form.STRING_1_B, Form.STRING_1_KIB, Form.STRING_64_KIB, Form.REGION};
            case WEB_SOCKET -> new Form[] {Form.FRAME_1_B, Form.FRAME_1_KIB, Form.FRAME_64_KIB};
            default -> new Form[] {Form.BUFFER_1_B, Form.BUFFER_1_KIB, Form.BUFFER_64_KIB};
        };
    }

    private void write(Channel target, Form form) {
        int count = form.bytes == 1 ? SMALLEST : 1;
        for (int i = 0; i < count && isWriting && target.isOpen(); i++) {
            try {
                Object message = form.message(0, i);
                target.write(way.isHttp() && !form.isRegion() ? chunk(message) : message);
                messages.incrementAndGet();
            } catch (RuntimeException | Error e) { // no memory, no descriptor: the crowd goes on
                errors.incrementAndGet();
            }
        }
    }

    private static Object chunk(Object buffer) {
        return new DefaultHttpChunk((org.freshet.buffer.ChannelBuffer) buffer);
    }

    private void sampleOn() {
        while (true) {
            try {
                most.accumulateAndGet(MemoryBudget.getQueuedBytes(), Math::max);
                TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
            } catch (InterruptedException | RuntimeException | Error e) {
                errors.incrementAndGet();
            }
        }
    }

    // ---- what protects ----------------------------------------------------------------------------------------------

    /** A connection that has more to send than a small budget is closed. */
    private boolean doesBudgetWork() throws Exception {
        long before = MemoryBudget.getClosed();
        CountDownLatch closed = new CountDownLatch(1);
        MemoryBudget.setLimit(1024 * 1024);
        Channel server = bind(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                ctx.getChannel().getCloseFuture().addListener(done -> closed.countDown());
                for (int i = 0; i < 8; i++) {
                    ctx.getChannel().write(ChannelBuffers.wrappedBuffer(new byte[1024 * 1024]));
                }
            }
        }));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            return peer.isConnected() && closed.await(10, TimeUnit.SECONDS) && MemoryBudget.getClosed() > before;
        } finally {
            server.close();
        }
    }

    private boolean doesTimerWork() throws Exception {
        CountDownLatch fired = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
            timer.newTimeout(timeout -> fired.countDown(), 100, TimeUnit.MILLISECONDS);
        }
        return fired.await(10, TimeUnit.SECONDS);
    }

    private boolean doTimeoutsWork() throws IOException, InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        Channel server = bind(() -> Channels.pipeline(
                new ReadTimeoutHandler(timer, 200, TimeUnit.MILLISECONDS),
                new IdleStateHandler(timer, 0, 0, 100, TimeUnit.MILLISECONDS),
                new IdleStateAwareChannelUpstreamHandler() {
                    private boolean wasIdle;

                    @Override
                    public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
                        if (!wasIdle) {
                            wasIdle = true;
                            both.countDown();
                        }
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        if (e.getCause() instanceof ReadTimeoutException) {
                            both.countDown();
                            e.getChannel().close();
                        }
                    }
                }));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            return peer.isConnected() && both.await(10, TimeUnit.SECONDS);
        } finally {
            server.close();
        }
    }

    /** A handler that holds its loop is reported. */
    private boolean doesStallWatchWork() throws IOException, InterruptedException {
        CountDownLatch reported = new CountDownLatch(1);
        StallWatch.setLimit(Duration.ofMillis(100));
        StallWatch.setListener(stall -> reported.countDown());
        Channel server = bind(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
            @Override
            public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws InterruptedException {
                reported.await(10, TimeUnit.SECONDS);
            }
        }));
        try (Socket peer = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            return peer.isConnected() && reported.await(10, TimeUnit.SECONDS);
        } finally {
            StallWatch.setLimit(Duration.ZERO);
            server.close();
        }
    }
}
