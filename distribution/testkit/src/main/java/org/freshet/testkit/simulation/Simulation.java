package org.freshet.testkit.simulation;

import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.AbstractChannel;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineException;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.pool.SimulatedLoops;
import org.freshet.util.Timer;

/**
 * One run of the NIO transport over a simulated kernel, network and clock, determined by a seed to the last byte.
 *
 * <p>The transport's threads and those of two users run one at a time. A run ends by closing all channels and the
 * transport. On the way it checks everything that must always be true; see {@link Watch}.
 *
 * <p>Threading: created and run by a test's thread; a scenario, its handlers and its steps run on the threads of the
 * simulation.
 */
public final class Simulation {
    public static final int USERS = 2;

    private static final int TIMEOUT_SECONDS = 40;
    private static final int TRACE_LINES = 120;
    private static final Field LAST_CHANNEL_ID = lastChannelId();

    static {
        try {
            Class.forName(
                    "org.freshet.channel.socket.nio.SimulatedNioLoops"); // creates the loops, and is not visible from
            // here
        } catch (ClassNotFoundException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private enum Phase {
        TRAFFIC,
        CLOSING,
        STOPPING_BOSSES,
        STOPPING_WORKERS,
        ENDED
    }

    private final Scenario scenario;
    private final Draw draw;
    private final Trace trace = new Trace();
    private final Kernel kernel;
    private final Baton baton;
    private final SimulatedLoops loops;
    private final SimulatedTimer timer;
    private final List<Queue<Runnable>> steps = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();

    /** Tasks that have thrown, in order, with the exceptions. Nothing has observed their futures yet. */
    private final Map<Runnable, Throwable> failedTasks = new LinkedHashMap<>();

    private Phase phase = Phase.TRAFFIC;

    /** Whether the transport was asked to stop, by the scenario or at the end. */
    private boolean isStopping;

    /** For a caller that sets up the run step by step; otherwise use {@link #run(String, Scenario, long)}. */
    public Simulation(Scenario scenario, long seed, Choices choices) {
        this.scenario = scenario;
        draw = new Draw(seed, choices);
        kernel = new Kernel(draw.fork());
        Draw faults = draw.fork();
        baton = new Baton(
                draw.fork(),
                trace,
                faults.oneIn(2) ? FaultRates.any(faults) : FaultRates.harmless(faults),
                kernel,
                new Baton.Course() {
                    @Override
                    public boolean onIdle() {
                        return Simulation.this.onIdle();
                    }

                    @Override
                    public void onLoggedFailure(Throwable cause) {
                        onException(cause);
                    }

                    @Override
                    public void onTaskFailed(Runnable task, Throwable cause) {
                        failedTasks.put(task, cause);
                    }

                    @Override
                    public void onTaskObserved(Runnable task) {
                        failedTasks.remove(task);
                    }

                    @Override
                    public void onFailed() {
                        phase = Phase.ENDED;
                        isStopping = true;
                        loops.stopForcibly();
                    }
                });
        kernel.setBaton(baton);
        timer = new SimulatedTimer(baton);
        resetChannelIds();
        loops = SimulatedLoops.over(new SimulatedProvider(kernel), this::readClock, 2, baton::executor);
        for (int i = 0; i < USERS; i++) {
            steps.add(new ArrayDeque<>());
            Queue<Runnable> mine = steps.get(i);
            baton.executor("user-" + i).execute(() -> runSteps(mine));
        }
        baton.executor("timer").execute(timer);
    }

    /**
     * Runs a scenario to its end.
     *
     * @param name its name in the properties of {@link Seeded}
     * @throws AssertionError if a check failed; the message says how to repeat the run
     */
    public static Trace run(String name, Scenario scenario, long seed) {
        Simulation simulation = new Simulation(scenario, seed, Choices.drawn());
        try {
            scenario.start(simulation);
            simulation.run();
        } catch (Throwable t) {
            throw new AssertionError(
                    name + " with seed " + seed + ": " + t.getMessage() + "\nTo repeat it: -D" + Seeded.SCENARIO + "='"
                            + name + "' -D" + Seeded.FIRST + "=" + seed + " -D" + Seeded.SEEDS + "=1\n"
                            + simulation.trace.tail(Integer.getInteger(Seeded.LINES, TRACE_LINES)),
                    t);
        }
        return simulation.trace;
    }

    /** Runs to the end; may be called once. Throws the first failure. */
    public void run() throws Throwable {
        try {
            baton.run(TIMEOUT_SECONDS);
        } catch (NoEnd e) {
            throw e; // its threads may still run
        } catch (Throwable e) {
            failedTasks.values().stream().filter(cause -> cause != e).forEach(e::addSuppressed); // may be the reason
            throw e;
        }
    }

    /** Raises the step limit. */
    public void addSteps(int steps) {
        baton.addSteps(steps);
    }

    public Trace trace() {
        return trace;
    }

    /** Ids are keys of maps, and the order of the maps must be the same in each run of a JVM. */
    private static void resetChannelIds() {
        try {
            ((AtomicInteger) LAST_CHANNEL_ID.get(null)).set(0);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Field lastChannelId() {
        try {
            Field field = AbstractChannel.class.getDeclaredField("lastId");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long readClock() {
        baton.pass();
        return baton.nanos();
    }

    // ---- for scenarios ----------------------------------------------------------------------------------------------

    /** Returns a source of random numbers for the scenario. */
    public Draw draw() {
        return draw;
    }

    /** Returns a timer on the simulated clock. */
    public Timer timer() {
        return timer;
    }

    /** Returns the time on the transport's clock. */
    public long nanos() {
        return baton.nanos();
    }

    /**
     * Returns whether messages should have tens of kilobytes rather than hundreds of bytes, to match the kernel's
     * buffers.
     */
    public boolean isLarge() {
        return kernel.isLarge();
    }

    public static InetSocketAddress address(int port) {
        return Kernel.address(port);
    }

    /** Adds a step for a user. A user runs its steps one after the other, on one thread. */
    public void step(int user, Runnable step) {
        steps.get(user).add(step);
    }

    /** Returns a server whose channels are watched; the caller binds it, in a step. */
    public ServerBootstrap server(ChannelPipelineFactory pipelines) {
        ServerBootstrap bootstrap = new ServerBootstrap(loops.servers());
        bootstrap.setParentHandler(watch("server"));
        bootstrap.setPipelineFactory(pipelines);
        return bootstrap;
    }

    /** Returns a client; the caller connects it, in a step. */
    public ClientBootstrap client(ChannelPipelineFactory pipelines) {
        ClientBootstrap bootstrap = new ClientBootstrap(loops.clients());
        bootstrap.setPipelineFactory(pipelines);
        return bootstrap;
    }

    /** Returns a watched pipeline. */
    public ChannelPipeline pipeline(String title, ChannelHandler... handlers) {
        return pipeline(watch(title), handlers);
    }

    public static ChannelPipeline pipeline(Watch watch, ChannelHandler... handlers) {
        ChannelPipeline pipeline = Channels.pipeline(handlers);
        pipeline.addFirst("watch", watch);
        return pipeline;
    }

    public Watch watch(String title) {
        Watch watch = new Watch(title + "-" + watches.size(), this);
        watches.add(watch);
        return watch;
    }

    /** Fails the run if the condition is false. */
    public void require(boolean condition, String message) {
        if (!condition) {
            fail(message);
        }
    }

    public void fail(String message) {
        baton.fail(new AssertionError(message));
    }

    /** Replaces the faults chosen by the seed. */
    public void setFaults(FaultRates rates) {
        baton.setFaults(rates);
    }

    /** Ends the faults that break connections. */
    public void heal() {
        baton.heal();
    }

    /** Moves the time limit: the rest of the run gets as much time as a whole run. */
    public void addTime() {
        baton.extendHorizon();
    }

    public boolean isListening(int port) {
        return kernel.listener(address(port)) != null;
    }

    /** Stops the transport in the middle of the traffic, like a shutdown of its factories. */
    public void stopTransport() {
        isStopping = true;
        loops.stopBosses();
        loops.stopWorkers();
    }

    public void rebuildSelectors() {
        loops.rebuildSelectors();
    }

    /** Returns the failure caused by a thread from outside the simulation; null for none. */
    public AssertionError outsider() {
        return baton.outsider();
    }

    // ---- for watches ------------------------------------------------------------------------------------------------

    Kernel kernel() {
        return kernel;
    }

    boolean isStopping() {
        return isStopping;
    }

    boolean setsWritability() {
        return scenario.setsWritability();
    }

    void rejectOutsider() {
        baton.rejectOutsider();
    }

    void note(String title, String what, long first, long second) {
        baton.note(title + " " + what, first, second);
    }

    /** Allows failures caused by the network or the end of the transport, and those that the scenario expects. */
    void onException(Throwable cause) {
        if (scenario.expects(cause)) {
            return;
        }
        if (!isSocketMissing(cause) && (cause instanceof RuntimeException || cause instanceof Error)) {
            baton.fail(new AssertionError("a handler, a listener, a task or the transport threw " + cause, cause));
        }
    }

    /** Returns whether the simulated host had no file descriptor; a pipeline factory may throw a SocketException, too. */
    public static boolean isSocketMissing(Throwable cause) {
        return cause instanceof ChannelException
                && !(cause instanceof ChannelPipelineException)
                && cause.getCause() instanceof SocketException;
    }

    // ---- the phases of a run ----------------------------------------------------------------------------------------

    private void runSteps(Queue<Runnable> mine) {
        baton.pass();
        while (phase != Phase.ENDED) {
            Runnable step = mine.poll();
            if (step == null) {
                baton.await(() -> !mine.isEmpty() || phase == Phase.ENDED, 0);
            } else {
                baton.pass();
                run(step);
            }
        }
    }

    private void run(Runnable step) {
        try {
            step.run();
        } catch (ChannelException e) {
            if (!isSocketMissing(e)) {
                baton.fail(new AssertionError("a step failed: " + e, e));
            }
            baton.note("a step finds no socket", 0, 0);
        } catch (IllegalStateException e) {
            require(isStopping, "a step failed: " + e);
            baton.note("a step finds the transport shut down", 0, 0);
        }
    }

    private boolean onIdle() {
        baton.note("nothing happens in phase", phase.ordinal(), 0);
        judgeFailedTasks();
        switch (phase) {
            case TRAFFIC -> {
                watches.forEach(Watch::checkIdle);
                if (!scenario.onIdle(this)) {
                    baton.heal();
                    baton.extendHorizon();
                    phase = Phase.CLOSING;
                    step(0, this::closeAll);
                }
            }
            case CLOSING -> {
                watches.forEach(Watch::checkClosed);
                require(kernel.openSockets() == 0, "all is closed, but sockets are open: " + kernel.openSockets());
                require(kernel.keys() == 0, "all is closed, but keys are registered: " + kernel.keys());
                require(
                        timer.pending() == 0,
                        "all is closed, but timeouts of the network's timer are pending: " + timer.pending());
                baton.extendHorizon();
                phase = Phase.STOPPING_BOSSES;
                isStopping = true;
                step(0, loops::stopBosses);
            }
            case STOPPING_BOSSES -> {
                phase = Phase.STOPPING_WORKERS;
                step(0, loops::stopWorkers);
            }
            case STOPPING_WORKERS -> {
                phase = Phase.ENDED;
                timer.stop();
            }
            default -> {
                require(baton.left().isEmpty(), "threads did not end: " + baton.left());
                return false;
            }
        }
        return true;
    }

    private void judgeFailedTasks() {
        if (!baton.hasFailed()) { // otherwise they are suppressed exceptions of the first failure
            failedTasks.values().forEach(this::onException);
            failedTasks.clear();
        }
    }

    private void closeAll() {
        for (Watch watch : List.copyOf(watches)) {
            Channel channel = watch.channel();
            if (channel != null) {
                channel.close();
            }
        }
    }
}
