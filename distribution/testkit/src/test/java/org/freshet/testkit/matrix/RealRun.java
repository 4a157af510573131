package org.freshet.testkit.matrix;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.Bootstrap;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.nio.NioUnixClientChannelFactory;
import org.freshet.channel.socket.nio.NioUnixServerChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.spdy.SpdyTimeouts;
import org.freshet.handler.traffic.GlobalChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.UnixPaths;
import org.freshet.util.HashedWheelTimer;

/**
 * One connection on real sockets: a writer that respects {@code isWritable()} or doesn't, and ends in one of three ways,
 * and a peer that reads or resets. The test's thread creates, runs and closes it.
 */
final class RealRun implements Site, AutoCloseable {
    enum Transport {
        NIO,
        OIO,
        UNIX,
        LOCAL
    }

    /** The writer's action after its last message. */
    enum Ending {
        CLOSE_WHEN_SENT,
        /** The same, but the writer doesn't ask whether its channel is writable. */
        RUSH,
        CLOSE,
        DRAIN
    }

    private static final int MESSAGES = 40;
    private static final int MESSAGE_BYTES = 1024;
    private static final int INPUT_MESSAGES = 5;
    private static final int SOCKET_BYTES = 8 * 1024;
    private static final int HIGH_BYTES = 4 * 1024;
    private static final long BYTES_PER_SECOND = 1_000_000;
    private static final Duration DRAIN_DEADLINE = Duration.ofSeconds(25);
    private static final AtomicInteger localNames = new AtomicInteger();

    private final RealCell cell;
    private final Rig rig;
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final GlobalTrafficShapingHandler globalShaper =
            new GlobalTrafficShapingHandler(timer, BYTES_PER_SECOND, 0, 0);
    private final GlobalChannelTrafficShapingHandler globalChannelShaper =
            new GlobalChannelTrafficShapingHandler(timer, 0, 0, BYTES_PER_SECOND, 0, 0);

    private final Ledger ledger = new Ledger(MESSAGE_BYTES);
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Queue<CountedInput> inputs = new ConcurrentLinkedQueue<>();
    private final Inbox inbox = new Inbox(MESSAGE_BYTES, complaints::add);
    private final CompletableFuture<Channel> writerConnection = new CompletableFuture<>();
    private final CompletableFuture<Channel> readerConnection = new CompletableFuture<>();
    private final CompletableFuture<DrainReport> report = new CompletableFuture<>();
    private SocketAddress serverAddress;
    private volatile boolean isReset;

    /** The channel that the application writes to, which may be a stream of an open connection. */
    private volatile boolean isWriterClosed;

    RealRun(RealCell cell) {
        this.cell = cell;
        rig = switch (cell.transport()) {
            case NIO -> new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory());
            case OIO -> new Rig(new OioServerSocketChannelFactory(), new OioClientSocketChannelFactory());
            case UNIX -> new Rig(new NioUnixServerChannelFactory(1), new NioUnixClientChannelFactory());
            case LOCAL -> new Rig(new DefaultLocalServerChannelFactory(), new DefaultLocalClientChannelFactory());
        };
    }

    private Kind kind() {
        return cell.combination().kind();
    }

    // ---- the run ----------------------------------------------------------------------------------------------------

    /** Throws what went wrong. */
    void run() {
        connect();
        Channel writer = Await.result(writerConnection, "the writer's connection");
        Channel reader = Await.result(readerConnection, "the reader's connection");
        Await.until(() -> isOver(writer), () -> "the end of the connection; " + this);
        writer.close();
        Await.done(writer.getCloseFuture(), "the writer's close; " + this);
        Await.until(ledger::isDone, () -> "all futures; " + this);
        if (cell.peer() == PeerKind.READS) {
            Await.done(reader.getCloseFuture(), "the reader's close; " + this);
        }
        judge(writer);
    }

    private boolean isOver(Channel writer) {
        boolean hasNoMore = isWriterClosed || cell.peer() == PeerKind.RESETS && isReset;
        return !writer.isOpen() || hasNoMore && ledger.isDone();
    }

    private void judge(Channel writer) {
        complaints.forEach(RealRun::fail);
        boolean mayBeLost = isReset || cell.peer() == PeerKind.RESETS;
        boolean isClean = switch (cell.ending()) {
            case CLOSE_WHEN_SENT, RUSH -> true;
            case CLOSE -> false;
            case DRAIN -> isDrainClean();
        };
        for (Ledger.Entry entry : ledger.entries()) {
            require(entry.completions == 1, entry + " was completed " + entry.completions + " times");
            boolean isSuccess = entry.future.isSuccess();
            require(mayBeLost || !isSuccess || inbox.has(entry), entry + " has succeeded, but it hasn't arrived");
            require(mayBeLost || !isClean || isSuccess, entry + " has failed: " + entry.future.getCause());
            require(isSuccess || inbox.has(entry) || !inbox.hasLaterThan(entry), entry + " is missing in the middle");
        }
        Await.until(() -> WriteAccount.waitingBytes(writer) == 0, () -> "an empty account; " + this);
        inputs.forEach(input -> require(input.releases() == 1, input + " was closed " + input.releases() + " times"));
    }

    /** If the peer resets first, there may be no drain. */
    private boolean isDrainClean() {
        boolean isComing = cell.peer() == PeerKind.READS || report.isDone();
        return isComing && Await.result(report, "the drain; " + this).isClean();
    }

    private void require(boolean condition, String message) {
        if (!condition) {
            fail(message + "; " + this);
        }
    }

    private static void fail(String message) {
        throw new AssertionError(message);
    }

    private void connect() {
        Bootstrap writers = writerConnects() ? rig.client() : rig.server();
        String prefix = writerConnects() ? "" : "child.";
        writers.setOption(prefix + "writeBufferHighWaterMark", HIGH_BYTES);
        writers.setOption(prefix + "writeBufferLowWaterMark", HIGH_BYTES / 2);
        if (cell.transport() != Transport.LOCAL) {
            writers.setOption(prefix + "sendBufferSize", SOCKET_BYTES);
            Bootstrap readers = writerConnects() ? rig.server() : rig.client();
            readers.setOption(writerConnects() ? "child.receiveBufferSize" : "receiveBufferSize", SOCKET_BYTES);
        }
        rig.server().setPipelineFactory(() -> pipeline(!writerConnects()));
        rig.client().setPipelineFactory(() -> pipeline(writerConnects()));
        if (cell.combination().has(Part.ACCEPT_GUARD)) {
            rig.server().setAcceptGuard(AcceptGuard.builder().maxConnections(2).build());
        }
        SocketAddress any = switch (cell.transport()) {
            case LOCAL -> new LocalAddress("matrix-" + localNames.incrementAndGet());
            case UNIX -> UnixPaths.free();
            default -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        };
        serverAddress = rig.server().bind(any).getLocalAddress();
        rig.client()
                .connect(
                        writerConnects() ? InetSocketAddress.createUnresolved(SocksScript.TARGET, 443) : serverAddress);
    }

    private ChannelPipeline pipeline(boolean isWriter) {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("opened", new SimpleChannelUpstreamHandler() {
            @Override
            public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
                (isWriter ? writerConnection : readerConnection).complete(e.getChannel());
                ctx.sendUpstream(e);
            }
        });
        if (isWriter) {
            cell.combination().addToWriter(this, pipeline, top -> top.addLast("writer", new Writer()));
        } else {
            cell.combination().addToReader(this, pipeline, top -> top.addLast("reader", new Reader()));
        }
        return pipeline;
    }

    // ---- the writer -------------------------------------------------------------------------------------------------

    /** Writes on one thread at a time. */
    private final class Writer extends SimpleChannelUpstreamHandler {
        /** Pending requests to check whether there is something to write. */
        private final AtomicInteger looks = new AtomicInteger();

        private volatile boolean isAsked;
        private int written;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (!isAsked) {
                looks.incrementAndGet(); // what others find meanwhile, even during these writes, is left to this thread
                isAsked = true;
                kind().head().forEach(e.getChannel()::write);
                if (cell.combination().takesInputs()) {
                    writeInput(e.getChannel());
                }
                writeWhileSeen(e.getChannel());
            }
        }

        private void writeInput(Channel channel) {
            Ledger.Entry entry = ledger.add(Ledger.INPUT, INPUT_MESSAGES, WriteAccount.FILE_BYTES);
            CountedInput input = new CountedInput(kind(), entry, MESSAGE_BYTES);
            inputs.add(input);
            ledger.onReturned(entry, channel.write(input));
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (isAsked) {
                write(e.getChannel());
            }
        }

        private void write(Channel channel) {
            if (looks.getAndIncrement() == 0) {
                writeWhileSeen(channel);
            }
        }

        private boolean mayWrite(Channel channel) {
            return written < MESSAGES && (cell.ending() == Ending.RUSH || channel.isWritable());
        }

        /** Called by the thread that has raised the number of checks from 0. */
        private void writeWhileSeen(Channel channel) {
            int seen = 1;
            while (seen > 0) {
                while (mayWrite(channel)) {
                    written++;
                    Ledger.Entry entry = ledger.add(Ledger.LOOP, 1, MESSAGE_BYTES);
                    ledger.onReturned(entry, channel.write(kind().message(ledger.contentOf(entry))));
                    if (written == MESSAGES) {
                        onWritten(channel);
                    }
                }
                seen = looks.addAndGet(-seen);
            }
        }

        private void onWritten(Channel channel) {
            kind().tail().forEach(channel::write);
            switch (cell.ending()) {
                case CLOSE -> channel.close().addListener(closed -> isWriterClosed = true);
                case CLOSE_WHEN_SENT, RUSH ->
                    ledger.entries()
                            .forEach(entry -> entry.future.addListener(done -> {
                                if (ledger.isDone()) {
                                    writerConnection.join().close();
                                }
                            }));
                case DRAIN ->
                    Drain.of(rig.server())
                            .quietPeriod(Duration.ofMillis(1))
                            .deadline(DRAIN_DEADLINE)
                            .start()
                            .thenAccept(report::complete);
            }
        }

        /** What hasn't arrived is checked. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    // ---- the reader -------------------------------------------------------------------------------------------------

    private final class Reader extends SimpleChannelUpstreamHandler {
        private boolean hasAsked;

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
            if (!hasAsked && kind().mayAsk(e)) {
                hasAsked = true;
                e.getChannel().write(kind().question());
            }
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            inbox.receive(kind().content(e.getMessage()));
            if (cell.peer() == PeerKind.RESETS && inbox.count() > MESSAGES / 4 && !isReset) {
                Channel connection = readerConnection.join();
                connection.getConfig().setOption("soLinger", 0);
                connection.close().addListener(closed -> isReset = true);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            isReset |= e.getCause() instanceof IOException;
        }
    }

    // ---- called by parts --------------------------------------------------------------------------------------------

    @Override
    public HashedWheelTimer timer() {
        return timer;
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    public boolean writerConnects() {
        return cell.combination().has(Part.PROXY);
    }

    @Override
    public SocketAddress proxyAddress() {
        return serverAddress;
    }

    @Override
    public boolean hasTls() {
        return cell.combination().has(Part.TLS);
    }

    @Override
    public long bytesPerSecond() {
        return BYTES_PER_SECOND;
    }

    @Override
    public long shaperBytes() {
        return HIGH_BYTES;
    }

    @Override
    public GlobalTrafficShapingHandler globalShaper() {
        return globalShaper;
    }

    @Override
    public GlobalChannelTrafficShapingHandler globalChannelShaper() {
        return globalChannelShaper;
    }

    @Override
    public Http2Settings http2() {
        return Http2Settings.defaults().toBuilder().timer(timer).build();
    }

    @Override
    public SpdyTimeouts spdy() {
        return SpdyTimeouts.defaults();
    }

    @Override
    public void close() {
        for (CompletableFuture<Channel> connection : List.of(writerConnection, readerConnection)) {
            connection.thenAccept(Channel::close);
        }
        rig.close();
        executor.shutdown();
        timer.stop();
    }

    @Override
    public String toString() {
        return ledger.entries().size() + " writes, " + inbox.count() + " messages arrived";
    }
}
