package org.freshet.handler.codec.http.websocketx;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.transport.SerialChannel;

/**
 * What both sides do on a connection after the handshake: answer pings, ask for signs of life, and close as RFC 6455, section 7,
 * has it.
 *
 * <pre>
 *   OPEN ---a close frame is written---&gt; CLOSE_SENT -------+
 *     |                                                     +--&gt; CLOSED
 *     +-----one is received, answered--&gt; CLOSE_ANSWERED ---+
 * </pre>
 *
 * <p>A server closes the connection as soon as both close frames are there, a client waits for that, but no longer than the close
 * time-out.
 *
 * <p>Threading: {@code onWrite} and {@code onCloseRequest} run on the thread that writes or closes; everything else on the channel's
 * I/O thread. {@link #state} changes in {@link #move} only.
 */
final class OpenConnection {
    private enum State {
        OPEN,
        CLOSE_SENT,
        CLOSE_ANSWERED,
        CLOSED
    }

    private static final int PING_BYTES = Long.BYTES;

    private final ChannelHandlerContext ctx;
    private final Channel channel;
    private final WebSocketConfig config;
    private final boolean server;

    /** Null for draft 00. */
    private final WebSocket08FrameDecoder decoder;

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    /** Written by this object: passes though the state would not allow it. */
    private volatile CloseWebSocketFrame ownClose;

    private volatile Deadline closeDeadline;

    // ---- I/O thread only ----

    /** A ping that came while nothing could be written; the latest of them is answered. */
    private PingWebSocketFrame unansweredPing;

    private long pings;
    private boolean pongAwaited;

    /** Of the decoder, when the ping was sent. */
    private int progressAtPing;

    /** Until the next ping or, once that is sent, until its pong. */
    private Deadline pingDeadline;

    OpenConnection(ChannelHandlerContext ctx, WebSocketConfig config, boolean server) {
        this.ctx = ctx;
        this.channel = ctx.getChannel();
        this.config = config;
        this.server = server;
        this.decoder = channel.getPipeline().get(WebSocket08FrameDecoder.class);
    }

    private boolean move(State from, State to) {
        return state.compareAndSet(from, to);
    }

    // ---- received ----

    void start() {
        if (!config.pingInterval().isZero() && decoder != null) {
            startPingDeadline(config.pingInterval(), this::ping);
        }
    }

    /** Returns whether the frame was meant for this object alone. */
    boolean onFrame(WebSocketFrame frame) {
        if (frame instanceof PingWebSocketFrame ping) {
            answer(ping);
            return true;
        }
        if (frame instanceof CloseWebSocketFrame close) {
            onClose(close);
            return true;
        }
        return frame instanceof PongWebSocketFrame pong && onPong(pong);
    }

    /** A peer that pings and does not read must not fill the memory (RFC 6455, section 5.5.3). */
    private void answer(PingWebSocketFrame ping) {
        if (!channel.isWritable()) {
            unansweredPing = ping;
            return;
        }
        unansweredPing = null;
        if (state.get() == State.OPEN) {
            PongWebSocketFrame pong = new PongWebSocketFrame();
            pong.setOwnContent(ping.content());
            channel.write(pong);
        }
    }

    void onWritable() {
        if (unansweredPing != null && channel.isWritable()) {
            answer(unansweredPing);
        }
    }

    private void onClose(CloseWebSocketFrame close) {
        if (move(State.OPEN, State.CLOSE_ANSWERED)) {
            ownClose = new CloseWebSocketFrame(true, 0, close.content());
            ChannelFuture answered = channel.write(ownClose);
            if (server) {
                answered.addListener(ChannelFutureListener.CLOSE);
            }
            startCloseDeadline();
        } else if (server) {
            channel.close();
        }
    }

    // ---- written ----

    /** Passes a frame on, or fails it: nothing may follow a close frame. */
    void onWrite(MessageEvent e, WebSocketFrame frame) {
        boolean first = frame instanceof CloseWebSocketFrame && move(State.OPEN, State.CLOSE_SENT);
        if (first) {
            e.getFuture().addListener(written -> startCloseDeadline());
        } else if (state.get() != State.OPEN && frame != ownClose) {
            e.getFuture().setFailure(ChannelClosedException.of(channel));
            return;
        }
        ctx.sendDownstream(e);
    }

    /**
     * The channel is about to be closed from this side: tells the peer, unless it was told.
     *
     * @param isGoingAway whether the peer is told so, and may answer before the channel is closed
     * @return whether the request may pass now; otherwise the channel is closed when the peer has answered or has not in time
     */
    boolean onCloseRequest(ChannelFuture future, boolean isGoingAway) {
        boolean refused = decoder != null && decoder.hasFailed();
        if (refused && server) {
            StagedClose.prepare(channel.getPipeline(), config.timer());
        }
        if (refused || !channel.isConnected() || !move(State.OPEN, State.CLOSE_SENT)) {
            return true;
        }
        ownClose = new CloseWebSocketFrame(isGoingAway ? CloseBody.GOING_AWAY : CloseBody.NORMAL, "");
        ChannelFuture told = channel.write(ownClose);
        if (!isGoingAway || config.closeTimeout().isZero()) {
            return true;
        }
        if (future != channel.getCloseFuture()) {
            channel.getCloseFuture().addListener(closed -> future.setSuccess());
        }
        PendingClose.request(channel);
        startCloseDeadline();
        told.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return false;
    }

    private void startCloseDeadline() {
        if (config.closeTimeout().isZero() || closeDeadline != null || state.get() == State.CLOSED) {
            return;
        }
        Deadline deadline = deadline(config.closeTimeout(), this::onCloseTimeout);
        closeDeadline = deadline;
        deadline.start();
        if (state.get() == State.CLOSED) {
            deadline.cancel(); // onClosed() may have run before this was there
        }
    }

    private void onCloseTimeout() {
        long millis = config.closeTimeout().toMillis();
        String detail = "the connection was not ended within " + millis + " ms of a close frame";
        channel.close(CloseReason.of(CloseReason.Kind.TIMED_OUT, detail));
    }

    // ---- signs of life ----

    private void ping() {
        if (state.get() != State.OPEN) {
            return;
        }
        byte[] content = new byte[PING_BYTES];
        pings++;
        for (int i = 0; i < PING_BYTES; i++) {
            content[i] = (byte) (pings >>> 8 * (PING_BYTES - 1 - i));
        }
        PingWebSocketFrame ping = new PingWebSocketFrame();
        ping.setOwnContent(ChannelBuffers.wrappedBuffer(content));
        pongAwaited = true;
        progressAtPing = decoder.progress();
        startPingDeadline(config.pongTimeout(), this::onPongMissing);
        channel.write(ping);
    }

    private boolean onPong(PongWebSocketFrame pong) {
        ChannelBuffer content = pong.content();
        boolean ours =
                pongAwaited && content.readableBytes() == PING_BYTES && content.getLong(content.readerIndex()) == pings;
        if (ours) {
            pongAwaited = false;
            pingDeadline.cancel();
            startPingDeadline(config.pingInterval(), this::ping);
        }
        return ours;
    }

    private void onPongMissing() {
        if (!pongAwaited || state.get() != State.OPEN) {
            return;
        }
        if (decoder.progress() != progressAtPing) {
            progressAtPing = decoder.progress(); // in the middle of a long message, which no pong can overtake
            startPingDeadline(config.pongTimeout(), this::onPongMissing);
            return;
        }
        move(State.OPEN, State.CLOSED);
        TimeoutException failure =
                new TimeoutException("no pong within " + config.pongTimeout().toMillis() + " ms");
        Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.TIMED_OUT, null, failure));
        Channels.fireExceptionCaught(ctx, failure);
        channel.close();
    }

    private void startPingDeadline(Duration time, Runnable expired) {
        try {
            pingDeadline = deadline(time, expired);
            pingDeadline.start();
        } catch (RuntimeException timerRefused) {
            Channels.fireExceptionCaught(ctx, timerRefused);
        }
    }

    private Deadline deadline(Duration time, Runnable expired) {
        return new Deadline(config.timer(), time.toMillis(), () -> SerialChannel.executeUrgently(channel, expired));
    }

    /** The channel is closed, or the handler was removed. */
    void onClosed() {
        state.set(State.CLOSED);
        if (pingDeadline != null) {
            pingDeadline.cancel();
        }
        Deadline close = closeDeadline;
        if (close != null) {
            close.cancel();
        }
    }
}
