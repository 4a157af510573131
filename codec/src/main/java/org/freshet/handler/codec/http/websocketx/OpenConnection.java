package org.freshet.handler.codec.http.websocketx;

import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.timeout.TimeoutException;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.PendingClose;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.SerialChannel;
import org.freshet.internal.time.Durations;
import org.freshet.internal.time.SpareThreads;

/**
 * The behaviour shared by both sides after the handshake: answers pings, watches for signs of life, and closes as described in
 * RFC 6455, section 7.
 *
 * <pre>
 *   OPEN ---a close frame is written---&gt; CLOSE_SENT -------+
 *     |                                                     +--&gt; CLOSED
 *     +-----one is received, answered--&gt; CLOSE_ANSWERED ---+
 * </pre>
 *
 * <p>A server closes the connection as soon as both close frames have been exchanged. A client waits for the server to do that,
 * but no longer than the close time-out.
 *
 * <p>Threading: {@code onWrite} and {@code onCloseRequest} run on the thread that writes or closes; everything else runs on the
 * channel's I/O thread. {@link #state} changes in {@link #move} only.
 */
final class OpenConnection {
    private enum State {
        OPEN,
        CLOSE_SENT,
        CLOSE_ANSWERED,
        CLOSED
    }

    private final ChannelHandlerContext ctx;
    private final Channel channel;
    private final WebSocketConfig config;
    private final boolean server;

    /** Null for draft 00. */
    private final WebSocket08FrameDecoder decoder;

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

    /** Our own close frame: it passes even if the state would reject it. */
    private volatile CloseWebSocketFrame ownClose;

    private volatile Deadline closeDeadline;

    /** Checks a close frame that a handler has written and that waits to be sent. */
    private volatile Deadline unsentCheck;

    /** Whether the transport has sent something since the last such check. */
    private volatile boolean hasSent;

    // ---- I/O thread only ----

    /** A ping received while the channel was unwritable. Only the latest is answered. */
    private PingWebSocketFrame unansweredPing;

    /** Null if no pings are sent. */
    private final KeepAlive keepAlive;

    OpenConnection(ChannelHandlerContext ctx, WebSocketConfig config, boolean server) {
        this.ctx = ctx;
        this.channel = ctx.getChannel();
        this.config = config;
        this.server = server;
        this.decoder = channel.getPipeline().get(WebSocket08FrameDecoder.class);
        boolean pings = !config.pingInterval().isZero();
        this.keepAlive = pings ? new KeepAlive(this, ctx, config, decoder) : null;
    }

    private boolean move(State from, State to) {
        return state.compareAndSet(from, to);
    }

    // ---- received ----

    void start() {
        if (keepAlive != null) {
            keepAlive.start();
        }
    }

    /** Returns whether this object consumed the frame. */
    boolean onFrame(WebSocketFrame frame) {
        if (frame instanceof PingWebSocketFrame ping) {
            answer(ping);
            return true;
        }
        if (frame instanceof CloseWebSocketFrame close) {
            onClose(close);
            return true;
        }
        return keepAlive != null && frame instanceof PongWebSocketFrame pong && keepAlive.onPong(pong);
    }

    /** A peer that pings but doesn't read must not fill the memory (RFC 6455, section 5.5.3). */
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

    /** The channel's readability or writability has changed. */
    void onInterestChanged() {
        if (keepAlive != null) {
            keepAlive.onInterestChanged();
        }
        if (unansweredPing != null && channel.isWritable()) {
            answer(unansweredPing);
        }
    }

    /** The transport has sent something. */
    void onSent() {
        if (!hasSent) {
            hasSent = true;
        }
        if (keepAlive != null) {
            keepAlive.onSent();
        }
    }

    private void onClose(CloseWebSocketFrame close) {
        if (move(State.OPEN, State.CLOSE_ANSWERED)) {
            ownClose = new CloseWebSocketFrame(true, 0, close.content());
            startCloseDeadline(); // first, because on a blocking transport the write may wait for the peer
            ChannelFuture answered = channel.write(ownClose);
            if (server) {
                answered.addListener(written -> channel.close(CloseReason.PEER_CLOSED));
            }
        } else if (server) {
            channel.close();
        }
    }

    // ---- written ----

    /** Passes a frame on, or fails it if a close frame was sent: nothing may follow that. */
    void onWrite(MessageEvent e, WebSocketFrame frame) {
        boolean first = frame instanceof CloseWebSocketFrame && move(State.OPEN, State.CLOSE_SENT);
        if (first) {
            e.getFuture().addListener(written -> startCloseDeadline());
            watchUnsent(e.getFuture()); // pings end here
        } else if (state.get() != State.OPEN && frame != ownClose) {
            e.getFuture()
                    .setFailure(
                            channel.isOpen()
                                    ? new FrameAfterCloseException(frame)
                                    : UnsentMessage.causeOfClosed(channel));
            return;
        }
        ctx.sendDownstream(e);
    }

    /**
     * This side is about to close the channel. Sends a close frame unless one was already sent.
     *
     * @param isGoingAway whether to announce that, and give the peer time to answer before the channel is closed
     * @return whether the close request may pass now. If not, the channel is closed once the peer answers or the time runs out
     */
    boolean onCloseRequest(ChannelFuture future, boolean isGoingAway) {
        boolean refused = decoder != null && decoder.hasFailed();
        if (refused && server) {
            LingeringClose.prepare(channel.getPipeline(), config.timer());
        }
        if (refused || !channel.isConnected() || !move(State.OPEN, State.CLOSE_SENT)) {
            return true;
        }
        ownClose = new CloseWebSocketFrame(isGoingAway ? CloseBody.GOING_AWAY : CloseBody.NORMAL, "");
        boolean waitsForAnswer = isGoingAway && !config.closeTimeout().isZero();
        boolean isBlocking = SerialChannel.isWriteBlocking(channel);
        if (isGoingAway || isBlocking) {
            startCloseDeadline(); // first, because the write may wait for the peer
        }
        if (!waitsForAnswer && !isBlocking) {
            channel.write(ownClose);
            return true;
        }
        if (future != channel.getCloseFuture()) {
            channel.getCloseFuture().addListener(closed -> future.setSuccess());
        }
        PendingClose.request(channel);
        ChannelFutureListener then =
                waitsForAnswer ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE;
        if (isBlocking) { // the caller may be the timer whose deadline ends the wait
            SpareThreads.execute(() -> channel.write(ownClose).addListener(then));
        } else {
            channel.write(ownClose).addListener(then);
        }
        return false;
    }

    private void startCloseDeadline() {
        if (config.closeTimeout().isZero()) {
            return;
        }
        Deadline deadline = closeDeadline(this::onCloseTimeout);
        closeDeadline = deadline;
        deadline.startAnyway();
        if (state.get() == State.CLOSED) {
            deadline.cancel(); // onClosed() may have run before the field was set
        }
    }

    /** A peer that accepts nothing must not keep the connection: while the close frame waits, something has to leave. */
    private void watchUnsent(ChannelFuture closeFrame) {
        if (config.closeTimeout().isZero()) {
            return;
        }
        hasSent = false;
        Deadline check = closeDeadline(() -> onUnsentCheck(closeFrame));
        unsentCheck = check;
        check.startAnyway();
        if (state.get() == State.CLOSED) {
            check.cancel();
        }
    }

    private void onUnsentCheck(ChannelFuture closeFrame) {
        if (closeFrame.isDone()) {
            return;
        }
        if (hasSent) {
            watchUnsent(closeFrame);
        } else {
            onCloseTimeout();
        }
    }

    private void onCloseTimeout() {
        long millis = Durations.millis(config.closeTimeout());
        String detail = "the connection was not closed within " + millis + " ms of a close frame";
        channel.close(CloseReason.of(CloseReason.Kind.TIMED_OUT, detail));
    }

    // ---- signs of life ----

    /** Whether no close frame has been sent or received. Any thread may call this. */
    boolean isOpen() {
        return state.get() == State.OPEN;
    }

    /** The peer is unreachable, so a close frame would not reach it. */
    void onPeerGone(TimeoutException failure) {
        state.set(State.CLOSED);
        Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.TIMED_OUT, null, failure));
        Channels.fireExceptionCaught(ctx, failure);
        channel.close();
    }

    private Deadline closeDeadline(Runnable expired) {
        Runnable unlessClosed = () -> {
            if (state.get() != State.CLOSED) { // the handler may have been removed since the time was over
                expired.run();
            }
        };
        long millis = config.closeTimeout().toMillis();
        return new Deadline(config.timer(), millis, () -> SerialChannel.executeUrgently(channel, unlessClosed));
    }

    /** The channel was closed, or the handler was removed. */
    void onClosed() {
        state.set(State.CLOSED);
        if (keepAlive != null) {
            keepAlive.stop();
        }
        Deadline close = closeDeadline;
        if (close != null) {
            close.cancel();
        }
        Deadline unsent = unsentCheck;
        if (unsent != null) {
            unsent.cancel();
        }
    }
}
