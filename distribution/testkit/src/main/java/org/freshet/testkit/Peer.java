package org.freshet.testkit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.testkit.simulation.Simulation;
import org.freshet.testkit.simulation.Watch;

/**
 * A client of a {@link SimulatedNetwork} that follows a script: its methods add steps that run one after the other once
 * it is connected. The run fails if the script can't be finished because the server sent something else, sent nothing
 * more, or closed. If a fault of the network breaks the connection first, the rest of the script is skipped.
 *
 * <p>Threading: the test adds steps before {@link SimulatedNetwork#run}; they run on the simulated loop of the peer's
 * channel.
 *
 * @param <P> the kind of peer
 */
public abstract class Peer<P extends Peer<P>> {
    private static final long SLOW_MILLIS = 50;

    private enum State {
        /** Not connected yet, or at some step. */
        AT_WORK,
        /** All steps are done. */
        DONE,
        /** The connection broke, or the peer itself closed it. */
        OVER
    }

    /** One step. It is tried again after every event until it is done. */
    private record Step(String title, BooleanSupplier tryIt) {}

    private final SimulatedNetwork network;
    private final Watch watch;
    private final Queue<Step> steps = new ArrayDeque<>();
    private State state = State.AT_WORK;
    private boolean isSlow;

    /** The step after which the peer is gone; null if the script has none so far. */
    private String lastStep;

    private boolean isClosed;

    /** Whether the current step is a pause that has begun. */
    private boolean isPausing;

    /** Null until connected. */
    private Channel channel;

    Peer(SimulatedNetwork network, Watch watch) {
        this.network = network;
        this.watch = watch;
    }

    abstract P self();

    /** Adds the handlers of the peer's protocol, but not the one that runs the script. */
    abstract void addHandlers(ChannelPipeline pipeline);

    /** Called when a protocol message arrives. */
    abstract void onMessage(Object message);

    /** Describes input that no step has consumed, for failure messages; empty if there is nothing. */
    abstract String received();

    // ---- steps for all protocols ------------------------------------------------------------------------------------

    /** Lets simulated time pass. */
    public final P pause(Duration time) {
        long nanos = Objects.requireNonNull(time, "time").toNanos();
        return step("a pause of " + time, () -> {
            if (!isPausing) {
                isPausing = true;
                network.timer().newTimeout(t -> onLoop(this::endPause), nanos, TimeUnit.NANOSECONDS);
            }
            return false;
        });
    }

    private void endPause() {
        isPausing = false;
        if (state == State.AT_WORK) {
            steps.poll();
            advance();
        }
    }

    /** The steps after this one must be done within this simulated time, otherwise the run fails. */
    public final P within(Duration time) {
        long nanos = Objects.requireNonNull(time, "time").toNanos();
        return step("within " + time, () -> {
            network.timer().newTimeout(t -> onLoop(() -> checkDone(time)), nanos, TimeUnit.NANOSECONDS);
            return true;
        });
    }

    private void checkDone(Duration time) {
        String missing = unfinished();
        if (missing != null) {
            fail("not done within " + time + ": " + missing);
        }
    }

    /** Stops reading until {@link #resumeReading()}. */
    public final P stopReading() {
        return step("stopReading", () -> {
            channel.setReadable(false);
            return true;
        });
    }

    public final P resumeReading() {
        return step("resumeReading", () -> {
            channel.setReadable(true);
            return true;
        });
    }

    /** From the next byte on, reads once every 50 simulated milliseconds. */
    public final P readSlowly() {
        return step("readSlowly", () -> isSlow = true);
    }

    /** Resets the connection; data in transit is lost. The last step. */
    public final P reset() {
        return lastStep("reset", watch::reset);
    }

    /** Cuts the connection: nothing arrives at either end any more, and the server doesn't notice. The last step. */
    public final P vanish() {
        return lastStep("vanish", watch::vanish);
    }

    /** Closes the connection gracefully, after the data already sent. The last step. */
    public final P close() {
        return lastStep("close", () -> channel.close());
    }

    /** Waits until the server has closed the connection. */
    public final P expectClose() {
        return step("the server to close", () -> isClosed);
    }

    /** Adds the step after which the peer is gone. */
    private P lastStep(String title, Runnable task) {
        P self = step(title, () -> {
            state = State.OVER;
            task.run();
            return true;
        });
        lastStep = title;
        return self;
    }

    /** Adds a step. {@code tryIt} returns whether the step is done; it is called again after each event. */
    final P step(String title, BooleanSupplier tryIt) {
        if (lastStep != null) {
            throw new IllegalStateException("no step can follow " + lastStep + "(), it would never run: " + title);
        }
        steps.add(new Step(title, tryIt));
        return self();
    }

    // ---- the run ----------------------------------------------------------------------------------------------------

    final Channel channel() {
        return channel;
    }

    final SimulatedNetwork network() {
        return network;
    }

    /** Returns the pipeline for a channel that the network is about to connect. */
    final ChannelPipeline newPipeline() {
        ChannelPipeline pipeline = Simulation.pipeline(watch);
        pipeline.addLast("pace", new Pace());
        addHandlers(pipeline);
        pipeline.addLast("script", new Script());
        return pipeline;
    }

    /** Never connects, to make the run shorter. */
    final void neverConnect() {
        state = State.OVER;
    }

    final void beSlow() {
        isSlow = true;
    }

    final void fail(String what) {
        network.fail(watch + ": " + what);
    }

    /** Returns what the script still waits for when nothing more happens; null if nothing. */
    final String unfinished() {
        boolean isExcused = state != State.AT_WORK || watch.isBroken() || steps.isEmpty();
        return isExcused ? null : watch + " waits for " + steps.peek().title() + describeReceived();
    }

    private String describeReceived() {
        String received = received();
        return received.isEmpty() ? "; nothing was received since the last step" : "; received " + received;
    }

    /** Runs steps as far as possible now. On the channel's loop. */
    final void advance() {
        while (state == State.AT_WORK && channel != null && !isPausing) {
            Step next = steps.peek();
            if (next == null) {
                state = State.DONE;
            } else if (!next.tryIt().getAsBoolean()) {
                return;
            } else {
                steps.poll();
            }
        }
    }

    private void onLoop(Runnable task) {
        channel.getPipeline().execute(task);
    }

    /** Reads at intervals if the peer is slow. */
    private final class Pace extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (isSlow) {
                Channel slow = e.getChannel();
                slow.setReadable(false);
                network.timer().newTimeout(t -> slow.setReadable(true), SLOW_MILLIS, TimeUnit.MILLISECONDS);
            }
            ctx.sendUpstream(e);
        }
    }

    /** The last handler of the peer's pipeline. */
    private final class Script extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            channel = e.getChannel();
            advance();
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            onMessage(e.getMessage());
            advance();
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            isClosed = true;
            advance();
            if (state == State.AT_WORK && !watch.isBroken()) {
                fail("the server has closed the connection, but the script waits for "
                        + steps.peek().title() + describeReceived());
            }
            state = State.OVER;
        }

        /** Ignored: the watch has already checked it. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }
}
