package org.freshet.handler.codec.stomp;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.LifeCycleAwareChannelHandler;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.timeout.ReadTimeoutException;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/**
 * Negotiates heart-beats, sends them, and reports a peer that stops sending; for both sides of a connection. Place it
 * directly above {@link StompFrameDecoder} and {@link StompFrameEncoder}.
 *
 * <p>If a {@code CONNECT} or {@code CONNECTED} frame is written without a {@code heart-beat} header, this handler adds
 * one with its own settings; not to a {@code CONNECTED} of version 1.0, which has no heart-beats. Together with the
 * header in the peer's frame this determines the interval of each direction: the longer of the interval that the sender
 * offers and the one that the receiver wants. If the peer's header is malformed, a {@link CorruptedFrameException} is
 * fired and the frame is not passed on.
 *
 * <p>From then on, an LF is written if nothing was sent for three quarters of the interval; but not in the middle of a
 * chunked frame, where it would be content, so don't pause there for longer than the interval. If nothing was received
 * for two to three of the peer's intervals, a {@link ReadTimeoutException} is fired, once; close the channel then.
 * Every received byte counts. While this side has suspended reading, the peer is not considered silent.
 *
 * <p>Threading: any thread may write whole frames. While heart-beats are sent, chunked frames must be written on the
 * channel's I/O thread, otherwise a heart-beat could come between a frame and its chunks; a write from another thread
 * fails with an IllegalStateException. An instance belongs to one pipeline.
 */
public class StompHeartBeatHandler extends SimpleChannelHandler implements LifeCycleAwareChannelHandler {
    /** The number of intervals without a byte after which the peer is silent. */
    private static final int SILENT_INTERVALS = 2;

    private final Timer timer;
    private final LongSupplier nanoClock;
    private final HeartBeat offer;

    /** The header this side wrote; null before that. Written by the thread that writes the frame. */
    private volatile HeartBeat own;

    /** The header the peer sent; null before that. I/O thread only. */
    private HeartBeat peer;

    /** Null until both headers are known, and after the channel closes or the handler is removed. */
    private volatile Watch watch;

    /** A chunked frame was written, but not its last chunk. Until heart-beats are sent, any thread may write. */
    private volatile boolean inFrame;

    /**
     * @param timer measures the intervals; this handler never stops it
     * @param send the shortest interval at which this side can send, up to 24 days; {@link Duration#ZERO} for no
     *     heart-beats
     * @param expect the interval at which it wants to receive, up to 24 days; {@link Duration#ZERO} for no heart-beats
     */
    public StompHeartBeatHandler(Timer timer, Duration send, Duration expect) {
        this(timer, send, expect, Objects.requireNonNull(timer, "timer")::nanoTime);
    }

    StompHeartBeatHandler(Timer timer, Duration send, Duration expect, LongSupplier nanoClock) {
        this.timer = Objects.requireNonNull(timer, "timer");
        this.nanoClock = nanoClock;
        this.offer = new HeartBeat(millis("send", send), millis("expect", expect));
    }

    /** Returns milliseconds in the range that every peer understands. */
    private static long millis(String name, Duration interval) {
        long millis = Durations.millis(Durations.limit(name, interval));
        if (millis > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(name + " > " + Integer.MAX_VALUE + " ms: " + interval);
        }
        return millis;
    }

    // ---- negotiation ----

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() instanceof StompFrame frame && frame.command().opensConnection()) {
            peer = HeartBeat.of(frame.headers().get(StompHeaders.HEART_BEAT));
            if (frame.command() == StompCommand.CONNECTED) {
                start(ctx);
            }
        }
        ctx.sendUpstream(e);
    }

    @Override
    public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object message = e.getMessage();
        if (message instanceof StompFrame frame) {
            if (frame.isChunked()) {
                checkMayBeInFrame(e.getChannel());
                ctx.sendDownstream(e);
                inFrame = !isRefused(e);
                return;
            }
            if (frame.command().opensConnection()) {
                writeOpening(ctx, e, frame);
                return;
            }
        }
        ctx.sendDownstream(e);
        if (message instanceof StompChunk chunk && chunk.isLast() && !isRefused(e)) {
            inFrame = false;
        }
    }

    /** Returns whether the encoder refused the message. */
    private static boolean isRefused(MessageEvent e) {
        return e.getFuture().isDone() && !e.getFuture().isSuccess();
    }

    private void writeOpening(ChannelHandlerContext ctx, MessageEvent e, StompFrame frame) throws Exception {
        StompHeaders headers = frame.headers();
        boolean connected = frame.command() == StompCommand.CONNECTED;
        boolean known = !connected
                || !StompVersion.V1_0.toString().equals(headers.get(StompHeaders.VERSION))
                        && headers.contains(StompHeaders.VERSION);
        if (known && !headers.contains(StompHeaders.HEART_BEAT)) {
            headers.add(StompHeaders.HEART_BEAT, offer.toString());
        }
        own = known ? HeartBeat.of(headers.get(StompHeaders.HEART_BEAT)) : HeartBeat.NONE;
        ctx.sendDownstream(e);
        if (connected) {
            ctx.getPipeline().execute(() -> start(ctx));
        }
    }

    private void checkMayBeInFrame(Channel channel) {
        boolean beats = watch != null && watch.sendNanos > 0;
        if (beats && channel instanceof IoThreadBound bound && !bound.inIoThread()) {
            throw new IllegalStateException(
                    "while heart-beats are sent, a chunked frame must be written on the channel's"
                            + " I/O thread: use ChannelPipeline.execute, or one frame with all of its content");
        }
    }

    private void start(ChannelHandlerContext ctx) {
        HeartBeat mine = own;
        if (mine == null || peer == null || watch != null || !ctx.getChannel().isOpen()) {
            return;
        }
        watch = new Watch(ctx, HeartBeat.agreed(mine, peer), HeartBeat.agreed(peer, mine));
        watch.start();
    }

    // ---- the connection's events ----

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) throws Exception {
        if (watch != null) {
            watch.lastSentNanos = nanoClock.getAsLong();
        }
        ctx.sendUpstream(e);
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
        stop();
        ctx.sendUpstream(e);
    }

    private void stop() {
        Watch ended = watch;
        watch = null;
        if (ended != null) {
            ended.cancel();
        }
    }

    @Override
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        own = null;
        peer = null;
        inFrame = false;
    }

    @Override
    public void afterAdd(ChannelHandlerContext ctx) throws Exception {
        // Nothing to do until both sides have sent their header.
    }

    @Override
    public void beforeRemove(ChannelHandlerContext ctx) throws Exception {
        // Stops after the removal.
    }

    @Override
    public void afterRemove(ChannelHandlerContext ctx) throws Exception {
        stop();
    }

    /**
     * The alarms of a connection: one for each direction with heart-beats. The timer's thread only hands over to the
     * I/O thread, which owns all fields.
     */
    private final class Watch {
        private final ChannelHandlerContext ctx;
        private final StompConnection connection;
        private final long sendNanos;
        private final long expectNanos;

        private long lastSentNanos = nanoClock.getAsLong();
        private int lastActivity;
        private int silentIntervals;

        /** The last heart-beat; null before the first. While it is not sent, no other one is written. */
        private ChannelFuture beat;

        /** When {@link #checkPeer} last checked. */
        private long lookedNanos = lastSentNanos;

        private final Alarm sendAlarm;
        private final Alarm expectAlarm;

        Watch(ChannelHandlerContext ctx, long sendMillis, long expectMillis) {
            this.ctx = ctx;
            this.connection = StompConnection.of(ctx.getChannel());
            this.sendNanos = TimeUnit.MILLISECONDS.toNanos(sendMillis) * 3 / 4;
            this.expectNanos = TimeUnit.MILLISECONDS.toNanos(expectMillis);
            this.lastActivity = connection.activity();
            this.sendAlarm = new Alarm(timer, ctx.getPipeline()::execute, this::sendIfDue);
            this.expectAlarm =
                    new Alarm(timer, task -> SerialChannel.executeUrgently(ctx.getChannel(), task), this::checkPeer);
        }

        void start() {
            if (sendNanos > 0) {
                set(sendAlarm, sendNanos);
            }
            if (expectNanos > 0) {
                set(expectAlarm, expectNanos);
            }
        }

        /** If the timer refuses, that direction is no longer watched, and the handlers get the exception. */
        private void set(Alarm alarm, long delayNanos) {
            try {
                alarm.set(delayNanos);
            } catch (RuntimeException timerRefused) {
                Channels.fireExceptionCaught(ctx, timerRefused);
            }
            if (isOver()) {
                cancel(); // stop() may have run already
            }
        }

        void cancel() {
            sendAlarm.cancel();
            expectAlarm.cancel();
        }

        private boolean isOver() {
            return watch != this || !ctx.getChannel().isOpen();
        }

        private void sendIfDue() {
            if (isOver()) {
                return;
            }
            long rest = sendNanos - (nanoClock.getAsLong() - lastSentNanos);
            if (rest <= 0) {
                if (!inFrame && (beat == null || beat.isDone())) {
                    beat = Channels.future(ctx.getChannel());
                    Channels.write(ctx, beat, ChannelBuffers.wrappedBuffer(new byte[] {'\n'}));
                }
                rest = sendNanos;
            }
            set(sendAlarm, rest);
        }

        private void checkPeer() {
            if (isOver()) {
                return;
            }
            long now = nanoClock.getAsLong();
            long rest = expectNanos - (now - lookedNanos);
            if (rest > 0) { // after an error, a check comes early
                set(expectAlarm, rest);
                return;
            }
            lookedNanos = now;
            int activity = connection.activity();
            boolean alive = activity != lastActivity || !ctx.getChannel().isReadable();
            lastActivity = activity;
            silentIntervals = alive ? 0 : silentIntervals + 1;
            if (silentIntervals < SILENT_INTERVALS) {
                set(expectAlarm, expectNanos);
            } else {
                Channels.fireExceptionCaught(
                        ctx,
                        new ReadTimeoutException("no heart-beat from the peer for " + SILENT_INTERVALS
                                + " intervals of " + TimeUnit.NANOSECONDS.toMillis(expectNanos) + " ms"));
            }
        }
    }
}
