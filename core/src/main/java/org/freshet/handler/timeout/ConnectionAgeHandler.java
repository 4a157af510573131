package org.freshet.handler.timeout;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.Durations;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.internal.time.SpareThreads;
import org.freshet.util.Timer;

/**
 * Ends old connections without cutting off their work: each is drained with its own {@link DrainEvent}, as
 * {@link org.freshet.bootstrap.Drain} does with all connections of a server. So clients reconnect from time to time,
 * and a load balancer can direct them to newly added servers.
 *
 * <pre>{@code
 * ConnectionAgeHandler age = new ConnectionAgeHandler(
 *         timer, Duration.ofMinutes(30), Duration.ofMinutes(3), Duration.ofSeconds(30)); // one for all connections
 * bootstrap.setPipelineFactory(() -> Channels.pipeline(age, new MyHandler()));
 * }</pre>
 *
 * <p>It may be anywhere in the pipeline. The age counts from when the channel was connected, or from when the handler
 * was added to a connected channel. After its removal the handler has no effect. Each connection costs one timer task.
 */
@Sharable
public class ConnectionAgeHandler extends SimpleChannelUpstreamHandler implements LifeCycleAwareChannelHandler {
    /** How long a connection must be silent if its handlers don't know the event. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Timer timer;
    private final long maxAgeNanos;
    private final long jitterNanos;
    private final long graceNanos;

    /**
     * Creates a handler for any number of connections.
     *
     * @param timer measures the age; is not stopped. The grace period doesn't depend on it.
     * @param maxAge when a connection is drained; more than 0
     * @param jitter each connection's age limit is shorter by a random time up to this, so connections that began
     *     together don't end together; from 0 to {@code maxAge}
     * @param grace how long a connection has to finish its work before it is closed; 0 or more
     */
    public ConnectionAgeHandler(Timer timer, Duration maxAge, Duration jitter, Duration grace) {
        this.timer = Objects.requireNonNull(timer, "timer");
        Durations.positive("maxAge", maxAge);
        if (jitter.isNegative() || jitter.compareTo(maxAge) > 0) {
            throw new IllegalArgumentException("jitter not in 0.." + maxAge + ": " + jitter);
        }
        Durations.limit("grace", grace);
        maxAgeNanos = maxAge.toNanos();
        jitterNanos = jitter.toNanos();
        graceNanos = grace.toNanos();
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        try {
            startAging(ctx);
        } finally {
            ctx.sendUpstream(e); // even if the timer refuses, which is reported
        }
    }

    private void startAging(ChannelHandlerContext ctx) {
        long nanos = maxAgeNanos
                - (jitterNanos == 0 ? 0 : ThreadLocalRandom.current().nextLong(jitterNanos + 1));
        Alarm age = new Alarm(timer, Runnable::run, () -> onOld(ctx));
        age.start(nanos);
        ctx.getChannel().getCloseFuture().addListener(closed -> age.cancel());
    }

    /** Called on the timer's thread, which must not wait. */
    private void onOld(ChannelHandlerContext ctx) {
        Channel channel = ctx.getChannel();
        if (!channel.isOpen() || channel.getPipeline().getContext(this) == null) {
            return;
        }
        ChannelDrain drain = ChannelDrain.start(channel, QUIET_NANOS, SpareThreads::execute);
        SafetyTimer.Pending deadline = SafetyTimer.startBlocking(graceNanos, TimeUnit.NANOSECONDS, drain::cut);
        drain.ended().thenRun(deadline::cancel);
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {}

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        if (ctx.getPipeline().isAttached() && ctx.getChannel().isConnected()) {
            startAging(ctx);
        }
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {}

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {}
}
