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
 * A client of a {@link SimulatedNetwork} that follows a script: its methods add steps, which run one after the other once it is connected.
 * A script that can't be finished, because the server sent something else, nothing more, or the end, fails the run. If a fault of the
 * network breaks the connection first, the rest of the script is left out.
 *
 * <p>Threading: steps are added by the test, before {@link SimulatedNetwork#run}; they run on the simulated loop of the peer's channel.
 *
 * @param <P> the kind of peer
 */
public abstract class Peer<P extends Peer<P>> {
    private static final long SLOW_MILLIS = 50;

    private enum State {
        /** Not connected, or at some step. */
        AT_WORK,
        /** All steps are done. */
        DONE,
        /** The connection broke, or the peer itself ended it. */
        OVER
    }

    /** One step: tried again whenever something has happened, until it is done. */
    private record Step(String title, BooleanSupplier tryIt) {}

    private final SimulatedNetwork network;
    private final Watch watch;
    private final Queue<Step> steps = new ArrayDeque<>();
    private State state = State.AT_WORK;
    private boolean isSlow;
    private boolean isClosed;

    /** Whether the current step, a pause, is waiting for its time. */
    private boolean isPausing;

    /** Null until connected. */
    private Channel channel;

    Peer(SimulatedNetwork network, Watch watch) {
        this.network = network;
        this.watch = watch;
    }

    abstract P self();

    /** The handlers of the peer's protocol, without the one that runs the script. */
    abstract void addHandlers(ChannelPipeline pipeline);

    /** Something has come that is a message of the protocol. */
    abstract void onMessage(Object message);

    /** What has come and no step has asked for, for messages; empty if there is nothing. */
    abstract String received();

    // ---- steps of every protocol ------------------------------------------------------------------------------------

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

    /** The steps after this one must be done within so much simulated time, or the run fails. */
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

    /** Reads nothing until {@link #resumeReading()}. */
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

    /** Resets the connection: what is under way is lost. */
    public final P reset() {
        return step("reset", () -> {
            state = State.OVER;
            watch.reset();
            return true;
        });
    }

    /** Is cut off: nothing arrives at either end any more, and the server isn't told. */
    public final P vanish() {
        return step("vanish", () -> {
            state = State.OVER;
            watch.vanish();
            return true;
        });
    }

    /** Closes the connection in order, after what was sent. */
    public final P close() {
        return step("close", () -> {
            state = State.OVER;
            channel.close();
            return true;
        });
    }

    /** Waits until the server has closed the connection. */
    public final P expectClose() {
        return step("the server's close", () -> isClosed);
    }

    /** Adds a step. Returns whether it is done; it is tried again after each event. */
    final P step(String title, BooleanSupplier tryIt) {
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

    /** For the network: the pipeline of the channel that is to be connected. */
    final ChannelPipeline newPipeline() {
        ChannelPipeline pipeline = Simulation.pipeline(watch);
        pipeline.addLast("pace", new Pace());
        addHandlers(pipeline);
        pipeline.addLast("script", new Script());
        return pipeline;
    }

    /** Has no connection, so that a shorter run remains. */
    final void stayOut() {
        state = State.OVER;
    }

    final void beSlow() {
        isSlow = true;
    }

    final void fail(String what) {
        network.fail(watch + ": " + what);
    }

    /** What the script still waits for, when nothing happens any more; null for nothing. */
    final String unfinished() {
        boolean isExcused = state != State.AT_WORK || watch.isBroken() || steps.isEmpty();
        return isExcused ? null : watch + " waits for " + steps.peek().title() + describeReceived();
    }

    private String describeReceived() {
        String received = received();
        return received.isEmpty() ? "; nothing has come since the last step" : "; has received " + received;
    }

    /** Runs steps as far as they can be done now. On the channel's loop. */
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

    /** Reads once in a while if the peer is slow. */
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
                fail("the server has closed the connection, and the script waits for "
                        + steps.peek().title() + describeReceived());
            }
            state = State.OVER;
        }

        /** The watch has judged it. */
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }
}
