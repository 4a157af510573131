package org.freshet.handler.codec.http.websocketx;

import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Alarm;
import org.freshet.internal.time.Durations;
import org.freshet.internal.time.SpareThreads;

/**
 * Pings the peer of an open connection, and ends the connection if the peer is gone.
 *
 * <pre>
 *   RESTING --interval--&gt; DUE --written--&gt; LEAVING --sent--&gt; AWAITED --pong--&gt; RESTING
 * </pre>
 *
 * <p>A ping is written when the channel is writable, so it neither adds to a backlog nor overflows it. Until it has been sent,
 * the peer only has to accept some of the bytes waiting in the transport; after that, a pong or other bytes have to arrive.
 *
 * <p>The pong time-out is measured in quarters, and each quarter ends with a check of the connection. A quarter counts if the
 * channel was readable throughout and nothing showed that the peer is alive; the fourth in a row ends the connection. So a
 * healthy connection survives a suspended channel, a blocked I/O thread and a machine that slept: at least three quarters are
 * left to read the pong.
 *
 * <p>I/O thread only.
 */
final class KeepAlive {
    private enum Phase {
        RESTING,
        DUE,
        LEAVING,
        AWAITED
    }

    private static final int QUARTERS = 4;

    private final OpenConnection connection;
    private final ChannelHandlerContext ctx;
    private final Channel channel;
    private final WebSocketConfig config;
    private final WebSocket08FrameDecoder decoder;

    private Phase phase = Phase.RESTING;

    /** Pings written so far; also the content of the last one. */
    private long pings;

    /** Consecutive quarters without a sign of life. */
    private int quarters;

    /** Reading was suspended during this quarter. */
    private boolean wasSuspended;

    /** The transport has sent something during this quarter. */
    private boolean hasSent;

    /** The decoder's progress at the last check. */
    private int progressBefore;

    /** Fires at the next ping or the next check. */
    private final Alarm alarm;

    /** What to do when the alarm fires. */
    private Runnable next;

    KeepAlive(
            OpenConnection connection,
            ChannelHandlerContext ctx,
            WebSocketConfig config,
            WebSocket08FrameDecoder decoder) {
        this.connection = connection;
        this.ctx = ctx;
        this.channel = ctx.getChannel();
        this.config = config;
        this.decoder = decoder;
        alarm = new Alarm(config.timer(), task -> SerialChannel.executeUrgently(channel, task), this::onExpired);
    }

    void start() {
        rest();
    }

    /** Permanently. */
    void stop() {
        phase = Phase.RESTING;
        alarm.cancel();
    }

    private void rest() {
        phase = Phase.RESTING;
        restart(Durations.millis(config.pingInterval()), this::onDue);
    }

    // ---- the ping ----

    private void onDue() {
        phase = Phase.DUE;
        pings++;
        pingIfPossible();
        if (phase == Phase.DUE || phase == Phase.LEAVING) {
            watch();
        }
    }

    private void send(PingWebSocketFrame ping, long number) {
        ChannelFuture written = channel.write(ping);
        written.addListener(sent -> SerialChannel.executeUrgently(channel, () -> onPingSent(number, sent.isSuccess())));
    }

    /** If nothing waits, a user has made the channel unwritable, and a ping does no harm. */
    private void pingIfPossible() {
        if (phase != Phase.DUE || !channel.isWritable() && WriteAccount.waitingBytes(channel) > 0) {
            return;
        }
        phase = Phase.LEAVING;
        long number = pings;
        PingWebSocketFrame ping = new PingWebSocketFrame();
        ping.setOwnContent(content(number));
        if (SerialChannel.isWriteBlocking(channel)) {
            SpareThreads.execute(() -> send(ping, number)); // a peer that doesn't read must not stop the timer
        } else {
            send(ping, number);
        }
    }

    private static ChannelBuffer content(long number) {
        ChannelBuffer content = ChannelBuffers.buffer(Long.BYTES);
        content.writeLong(number);
        return content;
    }

    private void onPingSent(long number, boolean success) {
        if (phase != Phase.LEAVING || number != pings) {
            return;
        }
        if (success) {
            phase = Phase.AWAITED;
            watch();
        } else {
            rest(); // a handler below refused it; the next one may pass
        }
    }

    /** Returns whether the pong answers our last ping. */
    boolean onPong(PongWebSocketFrame pong) {
        ChannelBuffer content = pong.content();
        boolean ours = (phase == Phase.LEAVING || phase == Phase.AWAITED)
                && content.readableBytes() == Long.BYTES
                && content.getLong(content.readerIndex()) == pings;
        if (ours) {
            rest();
        }
        return ours;
    }

    /** The channel's readability or writability has changed. */
    void onInterestChanged() {
        wasSuspended |= !channel.isReadable();
        pingIfPossible();
    }

    /** The transport has sent something. */
    void onSent() {
        hasSent = true;
        pingIfPossible();
    }

    // ---- signs of life ----

    private void watch() {
        quarters = 0;
        progressBefore = decoder.progress();
        startQuarter();
    }

    private void startQuarter() {
        hasSent = false;
        wasSuspended = !channel.isReadable();
        long millis = Durations.millis(config.pongTimeout());
        long from = millis * quarters / QUARTERS;
        restart(millis * (quarters + 1) / QUARTERS - from, this::onQuarterOver);
    }

    private void onQuarterOver() {
        pingIfPossible();
        if (phase == Phase.RESTING) {
            return; // the ping was answered, or refused, right away
        }
        if (isAlive()) {
            watch();
        } else if (!counts()) {
            startQuarter();
        } else if (++quarters < QUARTERS) {
            startQuarter();
        } else {
            end();
        }
    }

    /** A pong cannot overtake the message that the peer is sending, nor a ping the messages that this side is sending. */
    private boolean isAlive() {
        return decoder.progress() != progressBefore || phase != Phase.AWAITED && hasSent;
    }

    /** A quarter doesn't count if this side isn't reading, or if one of its handlers keeps the ping from the transport. */
    private boolean counts() {
        return !wasSuspended
                && channel.isReadable()
                && (phase == Phase.AWAITED || WriteAccount.queuedBytes(channel) > 0);
    }

    private void end() {
        long millis = Durations.millis(config.pongTimeout());
        String what =
                phase == Phase.AWAITED ? "no pong within " : "the peer has accepted no bytes, not even a ping, for ";
        connection.onPeerGone(new TimeoutException(what + millis + " ms"));
    }

    // ---- time ----

    private void restart(long millis, Runnable expired) {
        next = expired;
        try {
            alarm.set(TimeUnit.MILLISECONDS.toNanos(Math.max(1, millis)));
        } catch (RuntimeException timerRefused) {
            Channels.fireExceptionCaught(ctx, timerRefused);
        }
    }

    private void onExpired() {
        if (connection.isOpen()) {
            next.run();
        }
    }
}
