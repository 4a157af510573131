package org.freshet.handler.ssl;

import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.ssl.TlsState.Stage;
import org.freshet.internal.flight.Flight;
import org.freshet.internal.handler.Deadline;
import org.freshet.util.Timer;

/**
 * The handshakes of a connection: which side starts them, the future of the latest request, and the time limit. In a step,
 * except where noted.
 */
final class TlsHandshake {
    /** Any thread may set it. */
    volatile boolean renegotiationEnabled;

    private final TlsState state;
    private final Timer timer;
    private final long timeoutMillis;
    private final AtomicReference<ChannelFuture> last;

    /** For the current handshake, or the one a client has to start; null if there is neither. */
    private Deadline deadline;

    private boolean waitsForConnection;

    /** The recording of the current handshake; null unless Flight Recorder wants it. */
    private Object recorded;

    /**
     * @param timer null uses Freshet's own
     * @param timeoutMillis 0 means no limit
     */
    TlsHandshake(TlsState state, Timer timer, long timeoutMillis) {
        this.state = state;
        this.timer = timer;
        this.timeoutMillis = timeoutMillis;
        this.last = new AtomicReference<>(new EarlyFuture(state::channel));
    }

    /** Any thread. */
    ChannelFuture future() {
        return last.get();
    }

    // ---- start ----

    /** Any thread, before {@link #onRequested()}: creates a new future if there will be another handshake. */
    ChannelFuture request() {
        ChannelFuture former = future();
        if (state.is(Stage.ESTABLISHED) && former.isSuccess() && renegotiationEnabled && !state.isTls13()) {
            renew(former);
        }
        return future();
    }

    /** Any thread. Creates a new future, unless another thread has already replaced {@code former}. */
    private void renew(ChannelFuture former) {
        last.compareAndSet(former, new EarlyFuture(state::channel));
    }

    void onRequested() {
        ChannelFuture requested = future();
        if (state.isClosing()) {
            state.fail(requested, ChannelClosedException.of(state.channel()));
        } else if (state.is(Stage.IDLE) && !state.isConnected()) {
            waitsForConnection = true;
        } else if (!state.is(Stage.HANDSHAKING) && !requested.isDone()) {
            tryToStart();
        }
    }

    /** The channel is connected. The time limit starts if the client is expected to start the handshake. */
    void onConnected(boolean startsNow, boolean peerStartsNow) {
        if (!state.is(Stage.IDLE)) {
            return;
        }
        try {
            if (startsNow || waitsForConnection) {
                start();
            } else if (peerStartsNow && !state.engine().getUseClientMode()) {
                startDeadline();
            }
        } catch (Throwable e) {
            state.failConnection(e);
        }
    }

    /** Something was written. Returns whether the handshake has started; it may have to wait for the connection. */
    boolean startIfConnected() throws SSLException {
        waitsForConnection = !state.isConnected();
        if (!waitsForConnection) {
            start();
        }
        return !waitsForConnection;
    }

    private void tryToStart() {
        try {
            start();
        } catch (Throwable e) {
            state.failConnection(e);
        }
    }

    void start() throws SSLException {
        state.enter(Stage.HANDSHAKING);
        recorded = Flight.handshakeBegan();
        startDeadline();
        if (state.isClosing()) {
            return; // the timer has rejected the time-out
        }
        try {
            if (state.engine().getUseClientMode()) {
                state.nameServer();
            }
            state.engine().beginHandshake();
        } catch (RuntimeException e) {
            throw new SSLException("the engine cannot start a handshake", e);
        }
    }

    /** The peer has started another handshake. A request for one that hasn't started yet is answered by this one. */
    void onRenegotiation() throws SSLException {
        ChannelFuture former = future();
        if (former.isDone()) {
            renew(former);
        }
        state.enter(Stage.HANDSHAKING);
        recorded = Flight.handshakeBegan();
        startDeadline();
    }

    // ---- end ----

    /** @throws SSLException if it is the wrong server */
    void onDone() throws SSLException {
        if (state.is(Stage.HANDSHAKING)) {
            state.verifyServer();
            state.enter(Stage.ESTABLISHED);
            stopDeadline();
            record(null);
            state.execution().dispatch(future()::setSuccess);
        }
    }

    /** There are no more handshakes. */
    void end(Throwable cause) {
        try {
            stopDeadline();
            record(cause);
        } finally {
            state.fail(future(), cause);
        }
    }

    /** @param cause null for success */
    private void record(Throwable cause) {
        Object ended = recorded;
        if (ended != null) {
            recorded = null;
            SSLSession session = state.engine().getSession();
            Flight.handshakeEnded(
                    ended,
                    state.channel(),
                    session.getProtocol(),
                    session.getCipherSuite(),
                    state.engine().getApplicationProtocol(),
                    cause);
        }
    }

    // ---- time ----

    boolean hasLimit() {
        return timeoutMillis > 0;
    }

    /** Whether there is a handshake, or one is expected, that has a time limit. */
    boolean isTimed() {
        return deadline != null;
    }

    /** Has no effect if the time limit has started. */
    void startDeadline() {
        if (deadline == null && hasLimit()) {
            Deadline started = newDeadline(() -> state.execution().runAsync(this::onTimeout));
            deadline = started;
            state.execution().callTimer(started::startAnyway);
        }
    }

    private Deadline newDeadline(Runnable expired) {
        return new Deadline(timer, timeoutMillis, expired);
    }

    void stopDeadline() {
        if (deadline != null) {
            state.execution().callTimer(deadline::cancel);
            deadline = null;
        }
    }

    private void onTimeout() {
        if (state.is(Stage.IDLE) || state.is(Stage.HANDSHAKING)) {
            SSLException cause = new SSLException("handshake not completed within " + timeoutMillis + " ms");
            Channels.noteCloseReason(state.channel(), CloseReason.of(CloseReason.Kind.TIMED_OUT, null, cause));
            state.failConnection(cause);
        }
    }

    /**
     * Any thread, outside a step if the execution has locks. Starts a time limit for the last records of a connection, as long
     * as a handshake's. Returns null if there is no limit, or no memory for it.
     *
     * @param expired runs on the timer's thread: must be short
     */
    Deadline startCloseDeadline(Runnable expired) {
        if (!hasLimit()) {
            return null;
        }
        try {
            Deadline started = newDeadline(expired);
            started.start();
            return started;
        } catch (Error noMemory) {
            return null;
        }
    }
}
