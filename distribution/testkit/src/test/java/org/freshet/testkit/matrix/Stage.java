package org.freshet.testkit.matrix;

import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.freshet.bootstrap.AcceptGuard;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.compression.CompressionException;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.http2.Http2Timeouts;
import org.freshet.handler.codec.spdy.SpdyTimeouts;
import org.freshet.handler.traffic.GlobalChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalTrafficShapingHandler;
import org.freshet.testkit.simulation.Draw;
import org.freshet.testkit.simulation.FaultRates;
import org.freshet.testkit.simulation.Scenario;
import org.freshet.testkit.simulation.Simulation;
import org.freshet.util.Timer;

/**
 * The run of one {@link Cell}: sets up a server and connects one client after another, each after the previous one has
 * sent its request; lets the cell's {@link Trial} write; checks when nothing happens anymore; then closes everything
 * and checks again. For the thread that holds the simulation's baton.
 */
final class Stage implements Scenario, Site {
    private static final int PORT = 80;
    private static final int SMALL_BYTES = 60;
    private static final int LARGE_BYTES = 8_000;

    /** The messages that a shaper allows per second. */
    private static final int MESSAGES_PER_SECOND = 40;

    /** The messages queued in a shaper above which the channel is unwritable. */
    private static final int MESSAGES_IN_SHAPER = 4;

    /** The time within which a closing session makes progress, if its peer reads. */
    private static final Duration SPDY_CLOSE = Duration.ofMinutes(10);

    /** Allowance for what handlers add to a message and must be able to send. */
    private static final int PROTOCOL_BYTES = 1024;

    /** The bytes that a stream's connection encodes ahead of the socket. */
    private static final int STREAM_BYTES = 63 * 1024;

    private final Cell cell;
    private final PlantedFault fault;
    private final List<Link> links = new ArrayList<>();
    private final Queue<Link> toAccept = new ArrayDeque<>();
    private final Queue<Link> toConnect = new ArrayDeque<>();
    private final List<Releasable> releasables = new ArrayList<>();

    private Simulation simulation;
    private Draw draw;
    private Trial trial;
    private int messageBytes;
    private State state = State.TRAFFIC;
    private WeakReference<Channel> closed;
    private ServerBootstrap server;
    private ClientBootstrap client;

    /** Null until a pipeline needs it. */
    private GlobalTrafficShapingHandler globalShaper;

    private GlobalChannelTrafficShapingHandler globalChannelShaper;

    /** Something that the writer hands over, to be closed once by the library. */
    interface Releasable {
        int releases();
    }

    Stage(Cell cell, PlantedFault fault) {
        this.cell = cell;
        this.fault = fault;
    }

    // ---- the run ----------------------------------------------------------------------------------------------------

    @Override
    public void start(Simulation simulation) {
        this.simulation = simulation;
        draw = simulation.draw();
        messageBytes = simulation.isLarge() ? LARGE_BYTES : SMALL_BYTES;
        simulation.setFaults(draw.oneIn(2) ? FaultRates.harmless(draw) : FaultRates.none(draw));
        trial = cell.promise().trial(this);
        links.add(new Link(this, cell.peer()));
        for (PeerKind other : trial.others()) {
            links.add(new Link(this, other));
        }
        toAccept.addAll(links);
        toConnect.addAll(links);
        simulation.step(0, this::bind);
    }

    private enum State {
        /** The trial continues. */
        TRAFFIC,
        /** Writers were asked to close. */
        CLOSING,
        /** What was still open was aborted. */
        BREAKING
    }

    private void bind() {
        Queue<Link> unanswered = new ArrayDeque<>(links);
        server = simulation.server(() -> pipelineOf(toAccept.remove(), !writerConnects()));
        client = simulation.client(() -> pipelineOf(unanswered.remove(), writerConnects()));
        if (combination().has(Part.ACCEPT_GUARD)) {
            server.setAcceptGuard(
                    AcceptGuard.builder().maxConnections(links.size() + 1).build());
        }
        Map<String, Object> options = new HashMap<>();
        trial.options(options);
        options.forEach((name, value) -> {
            if (writerConnects()) {
                client.setOption(name, value);
            } else {
                server.setOption("child." + name, value);
            }
        });
        server.bindAsync(Simulation.address(PORT)).addListener(bound -> connectNext());
    }

    private static ChannelPipeline pipelineOf(Link link, boolean isWriter) {
        return isWriter ? link.writerPipeline() : link.readerPipeline();
    }

    private void connectNext() {
        if (toConnect.poll() != null) {
            SocketAddress target = writerConnects()
                    ? InetSocketAddress.createUnresolved(SocksScript.TARGET, 443)
                    : Simulation.address(PORT);
            simulation.step(1, () -> client.connect(target));
        }
    }

    /** The reader has sent its request. */
    void onAsked(Link link) {
        if (link.writer() != link.connection()) {
            configure(link.writer());
        }
        trial.head().forEach(link::write);
        simulation.step(1, link::misbehave);
        connectNext();
        trial.onAsked(link);
    }

    @Override
    public boolean onIdle(Simulation simulation) {
        simulation.addTime();
        switch (state) {
            case TRAFFIC -> {
                links.forEach(Link::judgeArrivals);
                trial.judge();
                links.forEach(link -> simulation.step(0, () -> close(link.connection())));
                state = State.CLOSING;
                return true;
            }
            case CLOSING -> {
                links.forEach(Link::judgeArrivals);
                simulation.step(0, () -> links.forEach(Link::breakOff));
                state = State.BREAKING;
                return true;
            }
            default -> {
                links.forEach(Link::judgeEnd);
                trial.judgeEnd();
                releasables.forEach(each ->
                        require(each.releases() == 1, link(), each + " was released " + each.releases() + " times"));
                return false;
            }
        }
    }

    private static void close(Channel connection) {
        if (connection != null) {
            connection.close();
        }
    }

    /** A channel that must be unreachable when the run is over. */
    void onClosed(WeakReference<Channel> channel) {
        closed = channel;
    }

    /** Null unless the trial needs it. */
    WeakReference<Channel> closed() {
        return closed;
    }

    /** Restores what the run has changed for the whole process. */
    void end() {
        if (trial != null) {
            trial.end();
        }
    }

    /** Also applies options of the writer's connection to a stream, which has some of its own options. */
    private void configure(Channel stream) {
        Map<String, Object> options = new HashMap<>();
        trial.options(options);
        stream.getConfig().setOptions(options);
    }

    // ---- checks -----------------------------------------------------------------------------------------------------

    void require(boolean condition, Link link, String message) {
        if (!condition) {
            fail(link, message);
        }
    }

    void fail(Link link, String message) {
        simulation.fail(message + "; " + link);
    }

    void requireEmptyAccount(Link link) {
        Channel connection = link.connection();
        if (connection != null) {
            long waiting = WriteAccount.waitingBytes(connection);
            require(waiting == 0, link, waiting + " bytes are charged at the end");
        }
    }

    /** Exceptions that a well-behaved writer doesn't cause in its reader. */
    void onReaderFailure(Link link, Throwable cause) {
        boolean isUnexpected =
                cause instanceof RuntimeException && !(cause instanceof ChannelException) || cause instanceof Error;
        boolean isOpen = link.connection() != null && link.connection().isOpen();
        if (isUnexpected && isOpen && link.peer.isWellBehaved() && !link.isBroken()) {
            fail(link, "the reader can't decode what it receives: " + cause);
        }
    }

    @Override
    public boolean expects(Throwable cause) {
        return cause instanceof ChannelException
                || cause instanceof CompressionException // see onReaderFailure
                || cause instanceof IllegalStateException && trial.mayRefuse();
    }

    @Override
    public boolean setsWritability() {
        return true;
    }

    // ---- called by links and trials ---------------------------------------------------------------------------------

    Simulation simulation() {
        return simulation;
    }

    Draw draw() {
        return draw;
    }

    Trial trial() {
        return trial;
    }

    Combination combination() {
        return cell.combination();
    }

    Kind kind() {
        return cell.combination().kind();
    }

    PeerKind peer() {
        return cell.peer();
    }

    /** The links of the cell, without additional ones. */
    Link link() {
        return links.get(0);
    }

    List<Link> links() {
        return links;
    }

    /** The bytes of each message. */
    int messageBytes() {
        return messageBytes;
    }

    /** The charge of a queued message. */
    int messageCost() {
        return (int) WriteAccount.costOf(messageBytes);
    }

    /** How far a bound may be exceeded: by one message per thread, plus what handlers must be able to send. */
    int allowanceBytes() {
        boolean hasCodec = cell.combination().parts().stream().anyMatch(part -> part.layer == Part.Layer.CODEC);
        int threads = Simulation.USERS + 1;
        int ofCodec = hasCodec ? 4 * messageCost() + PROTOCOL_BYTES : 0;
        int ofStream = combination().has(Part.HTTP_2) ? STREAM_BYTES : 0;
        return (threads + 1) * messageCost() + ofCodec + (simulation.isLarge() ? ofStream : 0);
    }

    /** The backlog in parts that have their own water marks. */
    int ownMarksBytes() {
        long shapers = combination().parts().stream()
                .filter(part -> part.name().endsWith("SHAPER"))
                .count();
        return (int) shapers * (MESSAGES_IN_SHAPER + 1) * messageCost();
    }

    void addFault(ChannelPipeline pipeline) {
        fault.addTo(pipeline, this);
    }

    void onHandedOver(Releasable releasable) {
        releasables.add(releasable);
    }

    int bytesOf(MessageEvent e) {
        return ((ChannelBuffer) e.getMessage()).readableBytes();
    }

    // ---- called by parts --------------------------------------------------------------------------------------------

    @Override
    public Timer timer() {
        return simulation.timer();
    }

    @Override
    public Executor executor() {
        return task -> simulation.step(1, task);
    }

    @Override
    public boolean writerConnects() {
        return combination().has(Part.PROXY);
    }

    @Override
    public SocketAddress proxyAddress() {
        return Simulation.address(PORT);
    }

    @Override
    public boolean hasTls() {
        return combination().has(Part.TLS);
    }

    @Override
    public long bytesPerSecond() {
        return (long) MESSAGES_PER_SECOND * messageBytes;
    }

    @Override
    public long shaperBytes() {
        return (long) MESSAGES_IN_SHAPER * messageBytes;
    }

    @Override
    public GlobalTrafficShapingHandler globalShaper() {
        if (globalShaper == null) {
            globalShaper = new GlobalTrafficShapingHandler(timer(), bytesPerSecond(), 0, 0);
            globalShaper.setMaxWriteSize(shaperBytes());
        }
        return globalShaper;
    }

    @Override
    public GlobalChannelTrafficShapingHandler globalChannelShaper() {
        if (globalChannelShaper == null) {
            globalChannelShaper = new GlobalChannelTrafficShapingHandler(timer(), 0, 0, bytesPerSecond(), 0, 0);
            globalChannelShaper.setMaxWriteSize(shaperBytes());
        }
        return globalChannelShaper;
    }

    @Override
    public Http2Settings http2() {
        Duration none = Duration.ZERO;
        return Http2Settings.defaults().toBuilder()
                .timeouts(new Http2Timeouts(none, none, none, none, none, none, none)
                        .withWriteStall(trial.stallTimeout()))
                .timer(timer())
                .build();
    }

    @Override
    public SpdyTimeouts spdy() {
        return new SpdyTimeouts(trial.stallTimeout(), SPDY_CLOSE);
    }
}
