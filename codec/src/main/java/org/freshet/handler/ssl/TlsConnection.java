package org.freshet.handler.ssl;

import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.ssl.TlsState.Stage;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.util.Timer;

/**
 * One TLS connection: its parts, and how it ends. {@link #handshake} authenticates, {@link #outbound} and {@link #inbound}
 * carry the records; {@link TlsState} is what they share, and defines the stages.
 *
 * <p><b>Threading.</b> In a step of {@link SerialExecution}, except where noted. Handlers and listeners are called only through
 * that; if it calls them during the step, they may call back.
 */
final class TlsConnection {
    /** The message of a request to send close_notify and leave the channel open. */
    static final Object CLOSE_NOTIFY = new Object();

    final TlsHandshake handshake;
    final TlsOutbound outbound;
    final TlsInbound inbound;

    /** Any thread may set it. */
    volatile boolean closesOnFailure = true;

    final TlsState state;

    final SslBufferPool bufferPool;

    TlsConnection(
            SSLEngine engine,
            SslBufferPool pool,
            Timer timer,
            long timeoutMillis,
            Supplier<SerialExecution> execution) {
        state = new TlsState(engine, execution, this::fail);
        handshake = new TlsHandshake(state, timer, timeoutMillis);
        outbound = new TlsOutbound(state, handshake);
        bufferPool = pool;
        inbound = new TlsInbound(state, handshake, outbound);
    }

    /** Call this first. */
    void attach(ChannelHandlerContext ctx) {
        state.attach(ctx);
    }

    boolean isOver() {
        return state.is(Stage.CLOSED);
    }

    /** Any thread. Whether an end of the stream is expected. */
    boolean isClosing() {
        return state.isClosing();
    }

    /** Gives the connection up, unless that was done before. */
    void fail(Throwable failure) {
        if (isOver()) {
            return;
        }
        Throwable cause = failure;
        try {
            cause = HostnameVerification.explain(state.engine(), failure);
            if (cause instanceof AlertException refusal && state.is(Stage.IDLE)) {
                outbound.sendUnencrypted(refusal.record());
            }
            outbound.sendCloseAlert();
            Channels.noteCloseReason(state.channel(), CloseReason.of(CloseReason.Kind.TLS, null, cause));
        } finally { // whatever fails, even out of memory, the futures complete
            end(cause, cause);
        }
        report(cause);
    }

    private void report(Throwable cause) {
        state.execution().dispatch(() -> Channels.fireExceptionCaught(state.ctx(), cause));
        if (closesOnFailure) {
            state.execution().send(state.closing());
        }
    }

    /** The connection has ended. */
    void onConnectionEnd() {
        if (!isOver()) {
            try {
                inbound.onConnectionEnd();
                outbound.closeEngine();
            } finally { // whatever fails, even out of memory, the futures complete
                end(UnsentMessage.causeOfClosed(state.channel()), causeOfMissingCloseNotify());
            }
        }
    }

    private static Throwable causeOfMissingCloseNotify() {
        try {
            return new SSLException("the connection ended without the peer's close_notify");
        } catch (Error withoutMemory) {
            return withoutMemory;
        }
    }

    /** The handler has been removed. */
    void onRemoved() {
        if (!isOver()) {
            SSLException removed = new SSLException("the TLS handler was removed");
            end(removed, removed);
        }
    }

    /** Completes everything that waits. */
    private void end(Throwable cause, Throwable inboundCause) {
        state.enter(Stage.CLOSED);
        try {
            outbound.end(cause);
        } finally {
            try {
                handshake.end(cause);
            } finally {
                inbound.end(inboundCause);
            }
        }
    }

    /** Steps no longer run, because the I/O thread has ended, and with it the channel. Any thread. */
    void onStepRefused(Throwable cause) {
        outbound.refuseAll(cause);
        handshake.future().setFailure(cause);
    }
}
