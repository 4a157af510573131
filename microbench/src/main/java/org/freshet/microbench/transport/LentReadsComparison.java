package org.freshet.microbench.transport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLEngine;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioWorkerPool;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.ssl.SslHandler;
import org.freshet.microbench.compare.load.Tls;

/**
 * Measures the cost of large reads for a server, with and without lending. Two servers in separate processes are loaded
 * in turn, one slice at a time over one connection, so that a disturbance of the machine affects both. The ratios are
 * medians of pairs of slices. The last ratio is that of the cheapest slices, which a busy machine disturbs least.
 *
 * <pre>
 *   java -cp microbench/target/benchmarks.jar org.freshet.microbench.transport.LentReadsComparison
 *   java -cp ... org.freshet.microbench.transport.LentReadsComparison CLASSPATH [KIND]     the second server is another build
 *   java -cp ... org.freshet.microbench.transport.LentReadsComparison netty4 PROXY         the second server is Netty's
 * </pre>
 *
 * Without an argument, the second server is the same one, started with {@code -Dorg.freshet.lending=off}.
 */
public final class LentReadsComparison {
    private static final int ROUNDS = 15;
    private static final int WARM_UP_ROUNDS = 4;
    private static final int READ_BYTES = 64 * 1024;
    private static final int MAX_FRAME_BYTES = 2 << 20;

    /** Takes the place of a class path. */
    private static final String NETTY4 = "netty4";

    private enum Kind {
        /** A handler that is not marked as a borrower counts bytes. */
        UNMARKED(96, READ_BYTES, "64 KiB to a handler that may keep them"),
        /** Each read is written to another connection of the same loop. */
        PROXY(96, READ_BYTES, "64 KiB through a proxy"),
        SHORT_FRAMES(64, 104, "frame of 100 B"),
        LONG_FRAMES(128, (1 << 20) + 4, "frame of 1 MiB"),
        TLS(48, 16 * 1024, "16 KiB over TLS");

        final long sliceBytes;
        final int unitBytes;
        final String unit;

        Kind(int sliceMiB, int unitBytes, String unit) {
            this.sliceBytes = (long) sliceMiB << 20;
            this.unitBytes = unitBytes;
            this.unit = unit;
        }

        /** The bytes that the client repeats. */
        byte[] stream() {
            return switch (this) {
                case UNMARKED, PROXY -> new byte[16 * READ_BYTES];
                case SHORT_FRAMES, LONG_FRAMES -> frames();
                case TLS -> new byte[256 * 1024];
            };
        }

        private byte[] frames() {
            int count = Math.max(1, (1 << 20) / unitBytes);
            ByteBuffer frames = ByteBuffer.allocate(count * unitBytes);
            for (int i = 0; i < count; i++) {
                frames.putInt(i * unitBytes, unitBytes - 4);
            }
            return frames.array();
        }
    }

    private LentReadsComparison() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("serve")) {
            new Server(Kind.valueOf(args[1]), Integer.parseInt(args[2])).run(args.length > 3);
            return;
        }
        System.out.println(
                "ratios of CPU time (threads, process, threads minimum); threads minimum, ns per unit: first, second");
        for (Kind kind : args.length > 1 ? new Kind[] {Kind.valueOf(args[1])} : Kind.values()) {
            compare(kind, args.length > 0 ? args[0] : null);
        }
    }

    private static void compare(Kind kind, String otherClasspath) throws Exception {
        String own = System.getProperty("java.class.path");
        boolean besideNetty = NETTY4.equals(otherClasspath);
        if (besideNetty && kind != Kind.PROXY) {
            throw new IllegalArgumentException(NETTY4 + " only has a server for PROXY: " + kind);
        }
        String second = otherClasspath == null || besideNetty ? own : otherClasspath;
        try (Load first = new Load(kind, own, "on", false);
                Load other = new Load(kind, second, "off", besideNetty)) {
            List<double[]> values = new ArrayList<>();
            for (int i = 0; i < WARM_UP_ROUNDS + ROUNDS; i++) {
                double[] a = first.slice();
                double[] b = other.slice();
                if (i >= WARM_UP_ROUNDS) {
                    values.add(new double[] {a[0] / b[0], a[1] / b[1], a[0], b[0]});
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-42s %.3f %.3f %.3f   %.1f %.1f%n",
                    kind.unit,
                    median(values, 0),
                    median(values, 1),
                    least(values, 2) / least(values, 3),
                    least(values, 2),
                    least(values, 3));
        }
    }

    private static double least(List<double[]> values, int index) {
        return values.stream().mapToDouble(value -> value[index]).min().orElseThrow();
    }

    private static double median(List<double[]> values, int index) {
        double[] sorted =
                values.stream().mapToDouble(value -> value[index]).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    // ---- the client ----

    /** One server process, a connection to it, and the sink of a proxy. */
    private static final class Load implements AutoCloseable {
        private final Kind kind;
        private final byte[] stream;
        private final AtomicLong sunk = new AtomicLong();
        private final ServerSocket sink = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final Process process;
        private final BufferedReader answers;
        private final Socket socket;
        private long sent;

        Load(Kind kind, String classpath, String lending, boolean ofNetty) throws IOException {
            this.kind = kind;
            stream = kind.stream();
            Thread drain = new Thread(this::drain, "sink");
            drain.setDaemon(true);
            drain.start();
            List<String> command = new ArrayList<>(List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-cp",
                    classpath,
                    Tls.jvmFlag(),
                    "-Dorg.freshet.lending=" + lending,
                    "-Xmx512m",
                    LentReadsComparison.class.getName(),
                    "serve",
                    kind.name(),
                    String.valueOf(sink.getLocalPort())));
            if (ofNetty) {
                command.add(NETTY4);
            }
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
            int port = Integer.parseInt(answers.readLine());
            socket = kind == Kind.TLS
                    ? Tls.context().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)
                    : new Socket(InetAddress.getLoopbackAddress(), port);
        }

        private void drain() {
            byte[] bytes = new byte[READ_BYTES];
            try (Socket accepted = sink.accept()) {
                for (int n = 0; n >= 0; n = accepted.getInputStream().read(bytes)) {
                    sunk.addAndGet(n);
                }
            } catch (IOException e) {
                if (!sink.isClosed()) {
                    e.printStackTrace();
                }
            }
        }

        /** Sends a slice; returns the CPU nanoseconds of the server's threads and of its process per unit. */
        double[] slice() throws Exception {
            long[] before = ask();
            OutputStream out = socket.getOutputStream();
            long bytes = 0;
            while (bytes < kind.sliceBytes) {
                out.write(stream);
                bytes += stream.length;
            }
            sent += bytes;
            long[] after = ask();
            while (after[0] < sent) {
                Thread.sleep(1);
                after = ask();
            }
            double units = (double) bytes / kind.unitBytes;
            return new double[] {(after[1] - before[1]) / units, (after[2] - before[2]) / units};
        }

        /** Returns the received bytes and the CPU times. */
        private long[] ask() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            long[] answer = Arrays.stream(answers.readLine().split(" "))
                    .mapToLong(Long::parseLong)
                    .toArray();
            answer[0] = kind == Kind.PROXY ? sunk.get() : answer[0];
            return answer;
        }

        @Override
        public void close() throws IOException {
            socket.close();
            sink.close();
            process.destroy();
        }
    }

    // ---- the server ----

    private static final class Server {
        private final Kind kind;
        private final int sinkPort;
        private final Executor executor = Executors.newCachedThreadPool();

        /** One worker for all connections, like a proxy whose two sides share their workers. */
        private final NioWorkerPool workers = new NioWorkerPool(executor, 1);

        private volatile long received;

        Server(Kind kind, int sinkPort) {
            this.kind = kind;
            this.sinkPort = sinkPort;
        }

        /** Answers each line with the received bytes and the CPU times, until its input ends. */
        void run(boolean onNetty) throws IOException {
            System.out.println(onNetty ? Netty4Proxy.start(sinkPort) : start());
            while (System.in.read() >= 0) {
                System.out.println(received + " " + threadNanos() + " " + processNanos());
            }
            System.exit(0);
        }

        /** Returns the port. */
        private int start() {
            ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory(executor, workers));
            bootstrap.setPipelineFactory(this::pipeline);
            Channel channel = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }

        private ChannelPipeline pipeline() {
            return switch (kind) {
                case UNMARKED -> Channels.pipeline(new Counting(this, 0));
                case PROXY -> Channels.pipeline(new Proxying(this));
                case SHORT_FRAMES, LONG_FRAMES ->
                    Channels.pipeline(
                            new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, 4, 0, 4), new Counting(this, 4));
                case TLS -> {
                    SSLEngine engine = Tls.serverEngine();
                    yield Channels.pipeline(new SslHandler(engine), new Counting(this, 0));
                }
            };
        }

        private ChannelFuture connectToSink(Channel source) {
            ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory(executor, 1, workers));
            bootstrap.setPipelineFactory(() -> Channels.pipeline(new Pausing(source)));
            return bootstrap.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), sinkPort));
        }

        /** Without the answering thread. */
        private static long threadNanos() {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long nanos = -threads.getCurrentThreadCpuTime();
            for (long id : threads.getAllThreadIds()) {
                nanos += Math.max(0, threads.getThreadCpuTime(id));
            }
            return nanos;
        }

        private static long processNanos() {
            return ProcessHandle.current()
                    .info()
                    .totalCpuDuration()
                    .orElseThrow()
                    .toNanos();
        }
    }

    private static final class Counting extends SimpleChannelUpstreamHandler {
        private final Server server;
        private final int strippedBytes;

        Counting(Server server, int strippedBytes) {
            this.server = server;
            this.strippedBytes = strippedBytes;
        }

        @Override
        @SuppressWarnings("NonAtomicOperationOnVolatileField") // one writer
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            server.received += ((ChannelBuffer) e.getMessage()).readableBytes() + strippedBytes;
        }
    }

    @ChannelHandler.Borrower
    private static final class Proxying extends SimpleChannelUpstreamHandler {
        private final Server server;
        private Channel sink;

        Proxying(Server server) {
            this.server = server;
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            Channel source = ctx.getChannel();
            source.setReadable(false);
            ChannelFuture connecting = server.connectToSink(source);
            sink = connecting.getChannel();
            connecting.addListener(connected -> source.setReadable(true));
            sink.getCloseFuture().addListener(closed -> ctx.getChannel().close());
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            sink.write(Channels.borrow(e));
        }
    }

    /** Suspends reading from the source of a proxy while its sink is not writable. */
    private static final class Pausing extends SimpleChannelUpstreamHandler {
        private final Channel source;

        Pausing(Channel source) {
            this.source = source;
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            source.setReadable(e.getChannel().isWritable());
        }
    }
}
