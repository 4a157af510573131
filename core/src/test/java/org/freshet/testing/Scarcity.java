package org.freshet.testing;

import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.util.Timeout;
import org.freshet.util.Timer;
import org.freshet.util.TimerTask;

/**
 * Memory that runs out at one chosen step: a wrapped object throws one OutOfMemoryError at the n-th call of any of its
 * methods, and works before and after. A test runs the same work with n from 0 until {@link #wasReached} is false, so
 * it meets the error at every point where the code under test calls a wrapped object.
 *
 * <p>Any thread may call this.
 */
public final class Scarcity {
    private final AtomicInteger left;
    private volatile boolean isOn = true;

    /** @param steps how many calls succeed before one fails */
    public Scarcity(int steps) {
        left = new AtomicInteger(steps);
    }

    /** An instance that fails at no step until {@link #begin}. */
    public static Scarcity later(int steps) {
        Scarcity scarcity = new Scarcity(steps);
        scarcity.isOn = false;
        return scarcity;
    }

    public void begin() {
        isOn = true;
    }

    /** From now on no step fails. */
    public void end() {
        isOn = false;
    }

    /** Whether a step has failed. */
    public boolean wasReached() {
        return left.get() < 0;
    }

    public void step() {
        if (isOn && left.getAndDecrement() == 0) {
            throw new OutOfMemoryError("injected by a test");
        }
    }

    /** Runs an action that may meet the error. */
    public static void survive(Runnable work) {
        try {
            work.run();
        } catch (OutOfMemoryError expected) {
            if (!"injected by a test".equals(expected.getMessage())) {
                throw expected;
            }
        }
    }

    // ---- what fails ----

    /** The timer's clock fails; the timer itself does not. */
    public Timer clock(Timer timer) {
        return timer(timer, () -> {}, this::step);
    }

    public Executor executor(Executor executor) {
        return task -> {
            step();
            executor.execute(task);
        };
    }

    /** The timer fails; its clock does not. */
    public Timer timer(Timer timer) {
        return timer(timer, this::step, () -> {});
    }

    private static Timer timer(Timer timer, Runnable beforeTimeout, Runnable beforeTime) {
        return new Timer() {
            @Override
            public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
                beforeTimeout.run();
                return timer.newTimeout(task, delay, unit);
            }

            @Override
            public long nanoTime() {
                beforeTime.run();
                return timer.nanoTime();
            }

            @Override
            public Set<Timeout> stop() {
                return timer.stop();
            }
        };
    }

    /** Keeps the error away from the transport below, which belongs to the test. */
    public ChannelDownstreamHandler sparedTransport() {
        return (ctx, e) -> {
            boolean wasOn = isOn;
            isOn = false;
            if (e instanceof MessageEvent write) {
                ctx.sendDownstream(new DownstreamMessageEvent(
                        write.getChannel(), write.getFuture(), write.getMessage(), write.getRemoteAddress()));
            } else {
                ctx.sendDownstream(e);
            }
            isOn = wasOn;
        };
    }

    /** A write; its future and channel work like any other. */
    public MessageEvent write(Channel channel, Object message) {
        ChannelFuture future = Channels.future(channel);
        return new MessageEvent() {
            @Override
            public Object getMessage() {
                step();
                return message;
            }

            @Override
            public SocketAddress getRemoteAddress() {
                step();
                return channel.getRemoteAddress();
            }

            @Override
            public Channel getChannel() {
                step();
                return channel;
            }

            @Override
            public ChannelFuture getFuture() {
                return future;
            }
        };
    }
}
