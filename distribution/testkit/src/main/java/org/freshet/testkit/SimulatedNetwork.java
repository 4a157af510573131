package org.freshet.testkit;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.testkit.simulation.Choices;
import org.freshet.testkit.simulation.Draw;
import org.freshet.testkit.simulation.Scenario;
import org.freshet.testkit.simulation.Simulation;
import org.freshet.testkit.simulation.Trace;
import org.freshet.testkit.simulation.Watch;
import org.freshet.util.Timer;

/**
 * A simulated network, with its hosts' kernels and clock, beneath the real NIO transport. The seed determines the order
 * of threads, the pieces in which bytes arrive, and all faults, so you can repeat a failing run exactly. Time passes
 * only when nothing else happens: a time-out of an hour takes no longer than one of a millisecond.
 *
 * <pre>{@code
 * @SimulationTest(seeds = 500)
 * void shouldAnswerEachLine(SimulatedNetwork network) {
 *     network.server(7, new EchoPipelineFactory());
 *     network.clients(5, 7, client -> client.send("one\ntwo\n").expect("one\ntwo\n").close());
 *     network.faults(Faults.standard().resets(0.01));
 *     network.run();
 *     network.assertNothingLeft();
 * }
 * }</pre>
 *
 * <p>Each run checks that state events come in order and on the channel's thread, that every future completes once,
 * that writes complete in order and not before their bytes have left, that no loop spins or stalls, that no handler or
 * listener throws, and no task, unless its future has a listener or is awaited before nothing happens any more. At the
 * end it checks that no socket, selector key or timeout is left.
 *
 * <p>A pipeline under test must not read the system's clock, draw random numbers, start threads, block, or depend on the
 * identity hashes of objects: use {@link #timer()} and {@link #random}, and leave out {@code ExecutionHandler}s. If the
 * kit detects a violation, the run fails and names the line. It detects a foreign thread that uses a channel or the
 * timer, and a handler that blocks for 0.3 seconds or doesn't return for 10. A first seed whose two runs differ fails,
 * too; their order, times and numbers of bytes are compared, not the bytes. With TLS, bytes differ from run to run,
 * but not their number.
 *
 * <p>Threading: used by the test's thread, up to {@link #run()} and after it; {@link #client} and {@link #random} also by
 * handlers and timer tasks during the run.
 */
public final class SimulatedNetwork {
    private enum State {
        SET_UP,
        RUNNING,
        OVER
    }

    private final Simulation simulation;
    private final long seed;
    private final Draw draw;
    private final Choices choices;
    private final List<Watch> accepted = new ArrayList<>();
    private final List<Peer<?>> peers = new ArrayList<>();

    /** Connects to make once all servers are bound. */
    private final List<Runnable> connects = new ArrayList<>();

    private final List<Class<? extends Throwable>> expectedExceptions = new ArrayList<>();

    /** Channels found open at the end although their peers are gone. */
    private final List<String> left = new ArrayList<>();

    private Faults faults = Faults.standard();
    private State state = State.SET_UP;
    private int bindsUnderWay;
    private long maxWaitingBytes;
    private boolean setsWritability;
    private BooleanSupplier idleHook = () -> false;

    SimulatedNetwork(long seed, Choices choices) {
        this.seed = seed;
        this.choices = choices;
        simulation = new Simulation(new Course(), seed, choices);
        draw = simulation.draw().fork();
        simulation.heal(); // otherwise a server may lack the descriptor to listen with
    }

    // ---- set-up -----------------------------------------------------------------------------------------------------

    public long seed() {
        return seed;
    }

    /** Returns the timer on the simulated clock, for the pipelines under test. The network stops it. */
    public Timer timer() {
        return simulation.timer();
    }

    /** Returns the simulated time in nanoseconds, for code that takes a clock; not related to the time of day. */
    public long nanoTime() {
        return simulation.nanos();
    }

    /** Returns the address of a port of the simulated host. */
    public static InetSocketAddress address(int port) {
        return Simulation.address(port);
    }

    /** Returns a number from 0 to {@code bound - 1}, determined by the seed; shrinking prefers 0. */
    public int random(int bound) {
        return draw.below(bound);
    }

    /** Starts a server. Clients connect once all servers are bound. */
    public void server(int port, ChannelPipelineFactory pipelines) {
        server(port, pipelines, Map.of());
    }

    /** @param options for the server's bootstrap, such as {@code child.writeBufferHighWaterMark} */
    public void server(int port, ChannelPipelineFactory pipelines, Map<String, ?> options) {
        requireSetUp();
        Objects.requireNonNull(pipelines, "pipelines");
        ServerBootstrap bootstrap = simulation.server(() -> watched(pipelines.getPipeline()));
        options.forEach(bootstrap::setOption);
        bindsUnderWay++;
        simulation.step(0, () -> bootstrap.bindAsync(address(port)).addListener(this::onBound));
    }

    private ChannelPipeline watched(ChannelPipeline pipeline) {
        Watch watch = simulation.watch("accepted");
        watch.limitPendingBytes(maxWaitingBytes);
        accepted.add(watch);
        pipeline.addFirst("freshet-testkit", watch);
        return pipeline;
    }

    private void onBound(ChannelFuture bound) {
        if (!bound.isSuccess()) {
            fail("cannot bind a server: " + bound.getCause());
        }
        if (--bindsUnderWay == 0) {
            simulation.setFaults(faults.rates(draw));
            connects.forEach(connect -> simulation.step(draw.below(Simulation.USERS), connect));
        }
    }

    /**
     * Connects scripted clients.
     *
     * @param script adds steps to one client; called {@code count} times
     */
    public void clients(int count, int port, Consumer<TcpPeer> script) {
        for (int i = 0; i < count; i++) {
            add(new TcpPeer(this, simulation.watch("client")), port, script);
        }
    }

    /** Connects scripted HTTP/1.1 clients; otherwise the same as {@link #clients(int, int, Consumer)}. */
    public void httpClients(int count, int port, Consumer<HttpPeer> script) {
        for (int i = 0; i < count; i++) {
            add(new HttpPeer(this, simulation.watch("client"), HttpPeer.Version.HTTP_1_1), port, script);
        }
    }

    /**
     * Connects scripted clients that speak HTTP/2 without TLS, with prior knowledge; otherwise the same as
     * {@link #clients(int, int, Consumer)}. The server's pipeline needs an {@code HttpServerChooser}, or an
     * {@code HttpServerPipeline} with HTTP/2.
     */
    public void http2Clients(int count, int port, Consumer<HttpPeer> script) {
        for (int i = 0; i < count; i++) {
            add(new HttpPeer(this, simulation.watch("client"), HttpPeer.Version.HTTP_2), port, script);
        }
    }

    private <P extends Peer<P>> void add(P peer, int port, Consumer<P> script) {
        requireSetUp();
        script.accept(peer);
        peers.add(peer);
        connects.add(() -> {
            if (!draw.isKept()) {
                peer.neverConnect();
                return;
            }
            if (draw.chance(faults.slowPeers())) {
                peer.beSlow();
            }
            simulation.client(peer::newPipeline).connect(address(port));
        });
    }

    /**
     * Connects your own client; after all servers are bound, or now if called by a handler or timer task during the
     * run, to reconnect. If the host has no file descriptor for it, it tries again.
     *
     * @param whenDone called with the outcome of the connect, on the client's loop
     */
    public void client(int port, ChannelPipelineFactory pipelines, Consumer<ChannelFuture> whenDone) {
        if (state == State.OVER) {
            requireSetUp();
        }
        ClientBootstrap bootstrap = simulation.client(() -> {
            ChannelPipeline pipeline = pipelines.getPipeline();
            pipeline.addFirst("freshet-testkit", simulation.watch("client"));
            return pipeline;
        });
        Runnable connect = connecting(bootstrap, address(port), whenDone);
        if (state == State.SET_UP) {
            connects.add(connect);
        } else {
            step(connect);
        }
    }

    private Runnable connecting(ClientBootstrap bootstrap, InetSocketAddress to, Consumer<ChannelFuture> whenDone) {
        return () -> {
            ChannelFuture connected;
            try {
                connected = bootstrap.connect(to);
            } catch (ChannelException e) {
                if (!Simulation.isSocketMissing(e)) {
                    throw e;
                }
                step(connecting(bootstrap, to, whenDone));
                return;
            }
            connected.addListener(whenDone::accept);
        };
    }

    /** Sets the faults, which start once all servers are bound. {@link Faults#standard()} by default. */
    public void faults(Faults what) {
        requireSetUp();
        faults = Objects.requireNonNull(what, "what");
    }

    /**
     * Fails a run if more than this waits to be sent on an accepted channel, wherever it waits.
     *
     * @param bytes as counted by {@link org.freshet.channel.WriteAccount#waitingBytes}; 0, the default, for no limit
     */
    public void limitPendingBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes < 0: " + bytes);
        }
        maxWaitingBytes = bytes;
    }

    /** Allows a type of exception from handlers; any other fails the run, except those of a broken connection. */
    public void expectExceptions(Class<? extends Throwable> type) {
        expectedExceptions.add(Objects.requireNonNull(type, "type"));
    }

    /**
     * Must be called for pipelines whose handlers set the channel's user-defined writability, such as traffic shapers.
     */
    public void allowUserDefinedWritability() {
        setsWritability = true;
    }

    private void requireSetUp() {
        if (state != State.SET_UP) {
            throw new IllegalStateException("too late: set the network up before run()");
        }
    }

    // ---- the run ----------------------------------------------------------------------------------------------------

    /**
     * Runs until nothing happens any more, or an hour of simulated time has passed. Then closes every channel and the
     * transport.
     *
     * @throws AssertionError if a check failed, or a script couldn't be finished
     */
    public void run() {
        requireSetUp();
        state = State.RUNNING;
        if (bindsUnderWay == 0) {
            throw new IllegalStateException("no server: call server(port, pipelines) before run()");
        }
        try {
            simulation.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        } finally {
            state = State.OVER;
        }
    }

    /**
     * Asserts that the server had closed every connection whose client was gone when nothing happened any more.
     *
     * @throws AssertionError that lists the channels left open
     */
    public void assertNothingLeft() {
        if (state != State.OVER) {
            throw new IllegalStateException("the network has not run: call run() first");
        }
        if (!left.isEmpty()) {
            throw new AssertionError("open although the peer is gone: " + String.join(", ", left));
        }
    }

    // ---- for replays ------------------------------------------------------------------------------------------------

    /** Runs a task once all servers are bound. */
    void onceBound(Runnable task) {
        connects.add(task);
    }

    /** @param hook called when nothing happens any more; returns true if it has started something */
    void whenIdle(BooleanSupplier hook) {
        idleHook = hook;
    }

    /** Raises the step limit: a replay takes more steps than a test with a few clients. */
    void addSteps(int steps) {
        simulation.addSteps(steps);
    }

    void step(Runnable task) {
        simulation.step(0, task);
    }

    /** Connects a client now. */
    void connect(int port, ChannelPipelineFactory pipelines) {
        step(() -> simulation
                .client(() -> {
                    ChannelPipeline pipeline = pipelines.getPipeline();
                    pipeline.addFirst("freshet-testkit", simulation.watch("client"));
                    return pipeline;
                })
                .connect(address(port)));
    }

    void fail(String what) {
        simulation.fail(what);
    }

    /** Returns whether the test has called {@link #run}. */
    boolean hasRun() {
        return state == State.OVER;
    }

    /** Returns the failure caused by a thread from outside the simulation, perhaps after the run; null for none. */
    AssertionError outsider() {
        return simulation.outsider();
    }

    Choices choices() {
        return choices;
    }

    Draw draw() {
        return draw;
    }

    Trace trace() {
        return simulation.trace();
    }

    /** Ends the threads of a network that a test has set up but not run. */
    void end() {
        if (state == State.SET_UP) {
            state = State.OVER;
            try {
                simulation.run();
            } catch (Throwable e) {
                return; // the test has failed for another reason
            }
        }
    }

    /** Callbacks of the simulation. */
    private final class Course implements Scenario {
        @Override
        public void start(Simulation simulation) {}

        @Override
        public boolean onIdle(Simulation simulation) {
            if (idleHook.getAsBoolean()) {
                return true;
            }
            peers.stream().map(Peer::unfinished).filter(Objects::nonNull).forEach(SimulatedNetwork.this::fail);
            for (Watch watch : accepted) {
                Channel channel = watch.channel();
                if (channel != null && channel.isOpen() && watch.isPeerGone()) {
                    left.add(watch.toString());
                }
            }
            return false;
        }

        @Override
        public boolean expects(Throwable cause) {
            return expectedExceptions.stream().anyMatch(type -> type.isInstance(cause));
        }

        @Override
        public boolean setsWritability() {
            return setsWritability;
        }
    }
}
