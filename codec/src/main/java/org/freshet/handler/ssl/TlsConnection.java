package org.freshet.handler.ssl;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.util.Timer;

/**
 * One TLS connection: drives the engine from the handshake to the farewell, by what is received, by what is in the outbox,
 * and by time.
 *
 * <pre>
 * IDLE --&gt; HANDSHAKING --&gt; ESTABLISHED --&gt; CLOSING --&gt; CLOSED
 *              ^                |                        ^
 *              +-- renegotiates-+         any stage -----+  failed, disconnected, removed
 * </pre>
 *
 * <p><b>Threading.</b> For whoever has the turn of the {@link SslHandler} that this belongs to, but for what says otherwise.
 * Handlers and listeners are called through {@link Turns} alone; where that is in the turn, they may call back.
 */
final class TlsConnection {
    private enum Stage {
        /** No record was sent or received. */
        IDLE,
        HANDSHAKING,
        ESTABLISHED,
        /** Our close_notify has been sent, the peer's has not come. */
        CLOSING,
        /** Nothing is encrypted or decrypted any more. */
        CLOSED
    }

    /** The message of a request to send close_notify and leave the channel open. */
    static final Object CLOSE_NOTIFY = new Object();

    /** How often the engine may neither read a record nor fail, each time after it was given what it asked for. */
    private static final int MAX_VAIN_READS = 16;

    /** Far more session tickets than a server sends at once, or updates of keys than anybody needs. */
    private static final int MAX_USELESS_RECORDS = 64;

    private static final String TLS_1_3 = "TLSv1.3";

    /** What was asked for and is not sent. Any thread adds. */
    final Outbox outbox = new Outbox(this::channel);

    /** Any thread. Completed when the peer's close_notify has come. */
    final ChannelFuture inboundClose = new EarlyFuture(this::channel);

    /** Any thread may set these three. */
    volatile boolean renegotiationEnabled;

    volatile boolean closesOnFailure = true;
    volatile Executor taskExecutor = ImmediateExecutor.INSTANCE;

    private final SSLEngine engine;
    private final RecordReader reader;
    private final RecordWriter writer;
    private final DelegatedTasks tasks;
    private final HandshakeTerms handshake;

    /** For when there is a channel. */
    private final Supplier<Turns> turns;

    /** Where the handler sits; it stays when the handler is removed, to fail what comes late. */
    private volatile ChannelHandlerContext ctx;

    /** Any thread may read it. */
    private volatile Stage stage = Stage.IDLE;

    private boolean handshakeWaitsForConnection;
    private boolean flushing;

    /** Received in a row, since the handshake or since the last data. */
    private int uselessRecords;

    /** Any thread. The request to close by which the peer's end was answered; null if there is none. */
    private volatile ChannelEvent closingAfterPeer;

    TlsConnection(SSLEngine engine, SslBufferPool pool, Timer timer, long timeoutMillis, Supplier<Turns> turns) {
        this.engine = engine;
        this.reader = new RecordReader(engine);
        this.writer = new RecordWriter(engine, pool);
        this.tasks = new DelegatedTasks(engine);
        this.handshake = new HandshakeTerms(this::channel, timer, timeoutMillis);
        this.turns = turns;
    }

    /** Called before everything else. */
    void placeAt(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /** Any thread. Null before the handler was added. */
    private Channel channel() {
        ChannelHandlerContext place = ctx;
        return place == null ? null : place.getChannel();
    }

    /** Any thread. */
    ChannelFuture handshake() {
        return handshake.future();
    }

    boolean isOver() {
        return stage == Stage.CLOSED;
    }

    /** Any thread. Whether an end of the stream is what is expected. */
    boolean isClosing() {
        return stage == Stage.CLOSING || stage == Stage.CLOSED;
    }

    /** Whether a record cannot be read now but perhaps later. */
    boolean isBusy() {
        return tasks.areUnderWay() || flushing;
    }

    /** Whether there is a connection, and nothing to do but what handlers and the peer ask for. */
    boolean isAtRest() {
        return stage == Stage.ESTABLISHED
                && !tasks.areUnderWay()
                && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Whether something waits that can be encrypted now. */
    boolean holdsMessages() {
        return isAtRest() && (writer.hasBatch() || outbox.peek() != null);
    }

    /** Any thread. */
    ChannelEvent closingAfterPeer() {
        return closingAfterPeer;
    }

    // ---- receiving ----

    /** Decrypts a record, and those behind it that can go with it; sends their content up. Reads nothing if it is busy. */
    void read(ChannelBuffer in, int length) throws SSLException {
        int type = TlsRecords.type(in, in.readerIndex());
        boolean renegotiates = type == TlsRecords.HANDSHAKE && stage == Stage.ESTABLISHED && !isTls13();
        if (renegotiates && !renegotiationEnabled) {
            throw new SSLException("the peer asked to renegotiate, which is not enabled");
        }
        if (stage == Stage.IDLE) {
            startHandshake();
        }
        for (int vain = 0; vain < MAX_VAIN_READS; vain++) {
            giveEngineWhatItWants(type);
            if (isBusy() || isOver()) {
                return;
            }
            int start = in.readerIndex();
            boolean several = stage == Stage.ESTABLISHED && turns.get().readsSeveralRecords();
            SSLEngineResult result = reader.read(in, length, several);
            boolean useful = deliverPlaintext();
            reader.checkFailure();
            countUseless(useful);
            onRead(result, renegotiates);
            if (in.readerIndex() != start) {
                return;
            }
        }
        throw new SSLException("the engine makes no progress with a record of " + length + " bytes");
    }

    private boolean isTls13() {
        return TLS_1_3.equals(engine.getSession().getProtocol());
    }

    /**
     * A record cannot be read while the engine has something to send or to compute. And before one that may end the
     * connection, what was written in answer to the records before it is sent.
     */
    private void giveEngineWhatItWants(int recordType) {
        HandshakeStatus wanted = engine.getHandshakeStatus();
        if (recordType != TlsRecords.APPLICATION_DATA
                || wanted == HandshakeStatus.NEED_WRAP
                || wanted == HandshakeStatus.NEED_TASK) {
            flush();
        }
    }

    /** Returns whether there was any. */
    private boolean deliverPlaintext() {
        ChannelBuffer plaintext = reader.takePlaintext();
        if (plaintext != null) {
            turns.get().up(plaintext);
        }
        return plaintext != null;
    }

    /** Records that bring nothing cost us more than the peer: some of them we have to answer. */
    private void countUseless(boolean useful) throws SSLException {
        uselessRecords = useful || stage != Stage.ESTABLISHED ? 0 : uselessRecords + 1;
        if (uselessRecords > MAX_USELESS_RECORDS) {
            throw new SSLException("more than " + MAX_USELESS_RECORDS + " records in a row brought no data");
        }
    }

    private void onRead(SSLEngineResult result, boolean renegotiates) throws SSLException {
        HandshakeStatus status = result.getHandshakeStatus();
        if (renegotiates && status != HandshakeStatus.NOT_HANDSHAKING && stage == Stage.ESTABLISHED) {
            onRenegotiation();
        }
        if (status == HandshakeStatus.FINISHED) {
            onHandshakeDone();
        }
        if (result.getStatus() == Status.CLOSED) {
            onCloseNotify();
        }
    }

    /** The peer sends nothing more. */
    private void onCloseNotify() throws SSLException {
        if (stage == Stage.HANDSHAKING) {
            throw new SSLException("the peer ended the handshake by close_notify");
        }
        boolean peerWasFirst = stage == Stage.ESTABLISHED;
        turns.get().tell(inboundClose::setSuccess);
        if (peerWasFirst) {
            flush();
            sayGoodbye();
        }
        stage = Stage.CLOSED;
        if (peerWasFirst) {
            closingAfterPeer = closing();
            turns.get().down(closingAfterPeer);
        }
    }

    private ChannelEvent closing() {
        Channel channel = ctx.getChannel();
        return new DownstreamChannelStateEvent(channel, Channels.future(channel), ChannelState.OPEN, Boolean.FALSE);
    }

    // ---- handshake ----

    /** Any thread, before {@link #onHandshakeRequested()}: makes a new future if there is to be another handshake. */
    ChannelFuture requestHandshake() {
        ChannelFuture last = handshake.future();
        if (stage == Stage.ESTABLISHED && last.isSuccess() && renegotiationEnabled && !isTls13()) {
            handshake.renew(last);
        }
        return handshake.future();
    }

    void onHandshakeRequested() {
        ChannelFuture requested = handshake.future();
        if (isClosing()) {
            fail(requested, new ClosedChannelException());
        } else if (stage == Stage.IDLE && !ctx.getChannel().isConnected()) {
            handshakeWaitsForConnection = true;
        } else if (stage != Stage.HANDSHAKING && !requested.isDone()) {
            tryToStartHandshake();
        }
    }

    /** There is a connection. A client that is expected to start the handshake has its time limit from now on. */
    void onConnected(boolean handshakeAtOnce, boolean peerHandshakesAtOnce) {
        if (stage != Stage.IDLE) {
            return;
        }
        if (handshakeAtOnce || handshakeWaitsForConnection) {
            tryToStartHandshake();
        } else if (peerHandshakesAtOnce && !engine.getUseClientMode()) {
            startDeadline();
        }
    }

    private void tryToStartHandshake() {
        try {
            startHandshake();
        } catch (SSLException e) {
            fail(e);
        }
    }

    private void startHandshake() throws SSLException {
        stage = Stage.HANDSHAKING;
        startDeadline();
        if (engine.getUseClientMode()) {
            HostnameVerification.setDefault(engine);
        }
        try {
            engine.beginHandshake();
        } catch (RuntimeException e) {
            throw new SSLException("the engine cannot start a handshake", e);
        }
    }

    private void onRenegotiation() {
        handshake.renew(handshake.future());
        stage = Stage.HANDSHAKING;
        startDeadline();
    }

    private void onHandshakeDone() {
        if (stage == Stage.HANDSHAKING) {
            stage = Stage.ESTABLISHED;
            handshake.stop();
            turns.get().tell(handshake.future()::setSuccess);
        }
    }

    private void startDeadline() {
        handshake.start(() -> turns.get().run(this::onHandshakeTimeout));
    }

    /** Any thread. A time limit for what is said last, the same as for a handshake; null if there is none. */
    HandshakeDeadline startFarewell(Runnable expired) {
        return handshake.startAnother(expired);
    }

    private void onHandshakeTimeout() {
        if (stage == Stage.IDLE || stage == Stage.HANDSHAKING) {
            fail(new SSLException("handshake not done within " + handshake.timeoutMillis() + " ms"));
        }
    }

    // ---- sending ----

    /** Sends all that can be sent now. */
    void flush() {
        if (flushing) {
            return; // what a handler below wrote while we were sending is seen by the loop that sends
        }
        do {
            flushOnce();
        } while (tellIfWritable());
    }

    private void flushOnce() {
        flushing = true;
        try {
            while (flushStep()) {
                // one record, task or request after the other
            }
            send(null);
        } catch (SSLException | RuntimeException e) {
            fail(e);
            while (refuseRequest()) {
                // what is left is not going to be sent
            }
        } finally {
            flushing = false;
        }
    }

    /** Returns whether handlers have heard of it, and so may have written more. */
    private boolean tellIfWritable() {
        if (!outbox.hasEnoughBeenTaken()) {
            return false;
        }
        turns.get().tell(outbox::tellWritability);
        return !outbox.hasEnoughBeenTaken();
    }

    /** Returns whether there may be more to do. */
    private boolean flushStep() throws SSLException {
        if (isClosing()) {
            return refuseRequest();
        }
        if (closesNow()) {
            closeOutbound();
            return true;
        }
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK:
                return tasks.run(taskExecutor, turns.get()::run, this::fail);
            case NEED_WRAP:
                return onWrapped(writer.encryptNothing());
            case NOT_HANDSHAKING:
            case FINISHED:
                return flushRequest();
            default:
                return false; // the peer's turn
        }
    }

    private boolean flushRequest() throws SSLException {
        if (stage == Stage.HANDSHAKING) {
            onHandshakeDone();
            return true;
        }
        if (!writer.hasBatch()) {
            if (outbox.peek() == null) {
                return false;
            }
            if (stage == Stage.IDLE) {
                return startHandshakeForWrite();
            }
        }
        if (!takesMessages()) {
            return false;
        }
        if (!writer.hasBatch()) {
            writer.startBatch(outbox);
        }
        return encryptBatch();
    }

    /** Behind the peer's close_notify nothing comes, and what was written before it is read has its last chance. */
    private boolean takesMessages() {
        return turns.get().takesMessages() || engine.isInboundDone();
    }

    private boolean startHandshakeForWrite() throws SSLException {
        handshakeWaitsForConnection = !ctx.getChannel().isConnected();
        if (!handshakeWaitsForConnection) {
            startHandshake();
        }
        return !handshakeWaitsForConnection;
    }

    private boolean encryptBatch() throws SSLException {
        if (writer.isBatchUsedUp()) {
            send(writer.endBatch(ctx.getChannel()));
            return true;
        }
        if (writer.isChunkFull()) {
            send(null);
        }
        return onWrapped(writer.encryptBatch());
    }

    /** Returns whether the engine did something, or wants something that it did not want before. */
    private boolean onWrapped(SSLEngineResult result) {
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            onHandshakeDone();
        }
        if (result.getStatus() == Status.CLOSED && result.bytesProduced() == 0) {
            stage = Stage.CLOSING;
            fail(writer.takeBatch(), new ClosedChannelException());
            return true;
        }
        return result.bytesProduced() > 0
                || result.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
                        && result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    /** @param future completed when the ciphertext so far is sent; null if nobody waits for it */
    private void send(ChannelFuture future) {
        boolean carriesMessages = writer.carriesMessages();
        ChannelBuffer ciphertext = writer.take();
        Channel channel = ctx.getChannel();
        if (future != null) {
            ChannelBuffer last = ciphertext != null ? ciphertext : ChannelBuffers.EMPTY_BUFFER;
            turns.get().down(new DownstreamMessageEvent(channel, future, last, null));
        } else if (ciphertext != null) {
            turns.get()
                    .down(
                            carriesMessages
                                    ? new DownstreamMessageEvent(channel, Channels.future(channel), ciphertext, null)
                                    : new ProtocolEvent(channel, ciphertext));
        }
    }

    // ---- closing ----

    /**
     * Whether the next thing to do is to close. What was written before is waited for if that cannot take for ever: the
     * handshake it needs has a time limit.
     */
    private boolean closesNow() {
        ChannelEvent next = outbox.peek();
        if (next == null) {
            return false;
        }
        if (!writer.hasBatch() && !Outbox.isMessage(next)) {
            return true;
        }
        return stage != Stage.ESTABLISHED && !handshake.isRunning() && !startsByWriting() && outbox.holdsClosing();
    }

    /** Whether a message that waits will start a handshake that cannot last for ever. */
    private boolean startsByWriting() {
        return stage == Stage.IDLE && handshake.hasLimit() && ctx.getChannel().isConnected();
    }

    private void closeOutbound() {
        ClosedChannelException closed = new ClosedChannelException();
        fail(writer.takeBatch(), closed);
        fail(outbox.takeMessages(), closed);
        sayGoodbye();
    }

    /** Sends close_notify, or the alert that tells why we give up. */
    private void sayGoodbye() {
        boolean silent = stage == Stage.IDLE || !ctx.getChannel().isConnected();
        stage = Stage.CLOSING;
        handshake.stop();
        try {
            engine.closeOutbound();
            while (!silent
                    && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                    && writer.encryptNothing().bytesProduced() > 0) {
                // an engine may have something to send before its alert
            }
        } catch (SSLException e) {
            // It has failed before, or has nothing to say.
        }
        send(null);
    }

    /** Nothing is encrypted any more. Returns whether there was a request. */
    private boolean refuseRequest() {
        ChannelEvent e = outbox.poll();
        if (e != null) {
            refuse(e, new ClosedChannelException());
        }
        return e != null;
    }

    private void refuse(ChannelEvent e, Throwable cause) {
        if (e instanceof ChannelStateEvent) {
            turns.get().down(e);
        } else if (((MessageEvent) e).getMessage() == CLOSE_NOTIFY) {
            turns.get().tell(e.getFuture()::setSuccess);
        } else {
            fail(e.getFuture(), cause);
        }
    }

    private void fail(ChannelFuture future, Throwable cause) {
        turns.get().tell(() -> future.setFailure(cause));
    }

    private void fail(List<MessageEvent> messages, Throwable cause) {
        messages.forEach(message -> fail(message.getFuture(), cause));
    }

    /** There are no turns any more: the I/O thread has ended, and with it the channel. Any thread. */
    void onTurnRefused(Throwable cause) {
        for (ChannelEvent e = outbox.poll(); e != null; e = outbox.poll()) {
            refuse(e, cause);
        }
        handshake.future().setFailure(cause);
    }

    /** Gives the connection up, unless that was done before. */
    void fail(Throwable cause) {
        if (isOver()) {
            return;
        }
        sayGoodbye();
        end(cause, cause);
        turns.get().tell(() -> Channels.fireExceptionCaught(ctx, cause));
        if (closesOnFailure) {
            turns.get().down(closing());
        }
    }

    /** The connection has ended. */
    void onConnectionEnd() {
        if (isOver()) {
            return;
        }
        if (stage == Stage.CLOSING) {
            turns.get().tell(inboundClose::setSuccess); // it was we who ended it
        }
        engine.closeOutbound();
        end(new ClosedChannelException(), new SSLException("the connection ended without the peer's close_notify"));
    }

    /** The handler has been removed. */
    void onRemoved() {
        if (!isOver()) {
            SSLException removed = new SSLException("the TLS handler was removed");
            end(removed, removed);
        }
    }

    /** Completes all that waits. */
    private void end(Throwable cause, Throwable inboundCause) {
        stage = Stage.CLOSED;
        handshake.stop();
        fail(writer.takeBatch(), cause);
        fail(outbox.takeMessages(), cause);
        tellIfWritable();
        fail(handshake.future(), cause);
        fail(inboundClose, inboundCause);
    }
}
