package org.freshet.handler.ssl;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.OutputShutdownException;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.ssl.TlsState.Stage;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.handler.HeldWrite;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The sending side of a connection: processes the queued requests and the engine's needs one after another. In a step, except
 * where noted.
 */
final class TlsOutbound {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(TlsOutbound.class);

    /** Requests not processed yet. Any thread adds. */
    final OutboundQueue queue;

    /** Any thread may set it. */
    volatile Executor taskExecutor = ImmediateExecutor.INSTANCE;

    private final TlsState state;
    private final TlsHandshake handshake;
    private final RecordWriter writer;
    private final DelegatedTasks tasks;

    /** Any thread. Answers demanded by the protocol since the handshake that have not been sent. */
    private final AtomicInteger unsentAnswers = new AtomicInteger();

    private boolean flushing;

    /** Whether a request to end the output was passed on. */
    private boolean isOutputShutDown;

    TlsOutbound(TlsState state, TlsHandshake handshake) {
        this.state = state;
        this.handshake = handshake;
        this.queue = new OutboundQueue();
        this.writer = new RecordWriter(state);
        this.tasks = new DelegatedTasks(state);
    }

    /** Whether a record cannot be read now, but perhaps later. */
    boolean isBusy() {
        return tasks.arePending() || flushing;
    }

    /** Whether the connection is established and the engine needs nothing. */
    boolean isAtRest() {
        return state.is(Stage.ESTABLISHED) && !tasks.arePending() && engineWantsNothing();
    }

    /** Never throws, because the caller holds a lock. If the engine fails, so does the next step, which ends the connection. */
    private boolean engineWantsNothing() {
        try {
            return state.engineWants() == HandshakeStatus.NOT_HANDSHAKING;
        } catch (Throwable broken) {
            return false;
        }
    }

    /** Whether there is something waiting that can be encrypted now. */
    boolean holdsMessages() {
        return isAtRest() && (writer.hasBatch() || queue.peek() != null);
    }

    int unsentAnswers() {
        return unsentAnswers.get();
    }

    // ---- requests and the engine ----

    /** Sends everything that can be sent now. */
    void flush() {
        if (flushing) {
            return; // the loop that is sending picks up what a handler below wrote meanwhile
        }
        flushOnce();
    }

    private void flushOnce() {
        flushing = true;
        try {
            while (flushStep()) {
                // one record, task or request after another
            }
            sendRecords();
        } catch (Throwable e) { // from the engine, its tasks, the buffer pool, or a handler below
            failConnection(e);
        } finally {
            flushing = false;
        }
    }

    private void failConnection(Throwable cause) {
        try {
            state.failConnection(cause);
        } finally {
            while (refuseRequest()) {
                // the rest will not be sent
            }
        }
    }

    /** Returns whether there may be more to do. */
    private boolean flushStep() throws SSLException {
        if (state.isClosing()) {
            return refuseRequest();
        }
        if (closesNow()) {
            closeOutbound();
            return true;
        }
        if (tasks.arePending()) {
            return false; // the JDK's engine blocks its callers until its task is done
        }
        switch (state.engineWants()) {
            case NEED_TASK:
                return tasks.submit(taskExecutor, state::failConnection);
            case NEED_WRAP:
                return onWrapped(writer.encryptNothing());
            case NOT_HANDSHAKING:
            case FINISHED:
                return flushRequest();
            default:
                return false; // the peer has to send something first
        }
    }

    // ---- messages ----

    private boolean flushRequest() throws SSLException {
        if (state.is(Stage.HANDSHAKING)) {
            handshake.onDone();
            return true;
        }
        if (!writer.hasBatch() && !OutboundQueue.isMessage(queue.peek())) {
            return queue.peek() != null; // a close that another thread has just asked for: the next step sees it
        }
        if (state.is(Stage.IDLE)) {
            return handshake.startIfConnected();
        }
        return encryptsMessages() && mayEncrypt() && flushBatch();
    }

    /**
     * Whether the encrypted bytes can be sent soon. If not, messages stay unencrypted: many connections may share a written
     * message, but not an encrypted one. Before a close, there is no later.
     */
    private boolean mayEncrypt() {
        return writer.carriesMessages() && !writer.isChunkFull()
                || queue.isEnding()
                || WriteAccount.hasRoomBelow(state.ctx());
    }

    /** Whether messages wait until there is room below. Any thread. */
    boolean isHeldBack() {
        return queue.peek() != null || writer.hasBatch();
    }

    /** The peer's close_notify ends the connection, so the step that reads it encrypts everything written before. */
    private boolean encryptsMessages() {
        return state.execution().encryptsMessages() || state.engine().isInboundDone();
    }

    private boolean flushBatch() throws SSLException {
        if (!writer.hasBatch()) {
            writer.startBatch(queue);
        }
        if (writer.isBatchUsedUp()) {
            state.execution().send(writer.endBatch(state.channel(), queue));
            return true;
        }
        if (writer.isChunkFull()) {
            sendRecords();
            return true;
        }
        return onWrapped(writer.encryptBatch());
    }

    /** Returns whether the engine did something, or needs something new. */
    private boolean onWrapped(SSLEngineResult result) throws SSLException {
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            handshake.onDone();
        }
        if (result.getStatus() == Status.CLOSED && result.bytesProduced() == 0) {
            state.enter(Stage.CLOSING);
            Throwable cause = UnsentMessage.causeOfClosed(state.channel());
            failBatch(cause);
            return true;
        }
        return result.bytesProduced() > 0
                || result.getHandshakeStatus() != HandshakeStatus.NEED_WRAP
                        && result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    // ---- records ----

    /** Sends the ciphertext so far, if there is any. No caller waits for it. */
    private void sendRecords() {
        boolean carriesMessages = writer.carriesMessages();
        ChannelBuffer records = writer.take();
        if (records == null) {
            return;
        }
        Channel channel = state.channel();
        if (carriesMessages) {
            state.execution().send(new DownstreamMessageEvent(channel, Channels.future(channel), records, null));
        } else {
            sendProtocol(new ProtocolEvent(channel, records));
        }
    }

    /** Sends an alert before the engine has started. */
    void sendUnencrypted(ChannelBuffer alert) {
        try {
            sendProtocol(new ProtocolEvent(state.channel(), alert));
        } catch (Throwable e) { // from a handler below
            logger.debug("cannot send an alert on " + state.channel(), e);
        }
    }

    private void sendProtocol(ProtocolEvent e) {
        if (state.is(Stage.ESTABLISHED)) {
            unsentAnswers.incrementAndGet();
            e.getFuture().addListener(sent -> unsentAnswers.decrementAndGet());
        }
        state.execution().send(e);
    }

    // ---- closing ----

    /**
     * Whether the next thing to do is to close. Waits for earlier writes if that can't take forever: the handshake they need
     * has a time limit.
     */
    private boolean closesNow() {
        ChannelEvent next = queue.peek();
        if (next == null) {
            return false;
        }
        if (!writer.hasBatch() && !OutboundQueue.isMessage(next)) {
            return true;
        }
        return !state.is(Stage.ESTABLISHED) && !handshake.isTimed() && queue.holdsClosing() && !startsByWriting();
    }

    /**
     * Whether a waiting message will start a handshake that has a time limit. A close that waits for it while a proxy is still being
     * asked starts the limit itself.
     */
    private boolean startsByWriting() {
        boolean starts =
                state.is(Stage.IDLE) && handshake.hasLimit() && state.channel().isConnected();
        if (starts && !state.isConnected()) {
            handshake.startDeadline();
        }
        return starts;
    }

    private void closeOutbound() {
        failMessages(UnsentMessage.causeOfClosed(state.channel()));
        sendCloseAlert();
    }

    /** Sends close_notify, or the alert with the reason for giving up. */
    void sendCloseAlert() {
        boolean silent = state.is(Stage.IDLE) || !state.channel().isConnected();
        state.enter(Stage.CLOSING);
        handshake.stopDeadline();
        if (tasks.arePending()) {
            return; // the engine would block until its task is done
        }
        try {
            state.engine().closeOutbound();
            while (!silent
                    && state.engineWants() == HandshakeStatus.NEED_WRAP
                    && writer.encryptNothing().bytesProduced() > 0) {
                // an engine may have something to send before its alert
            }
            sendRecords();
        } catch (Throwable e) {
            // It has failed before, or has nothing to send. Either way, the connection ends and its futures complete.
            logger.debug("cannot send close_notify or an alert on " + state.channel(), e);
        }
    }

    /** The connection is gone. */
    void closeEngine() {
        if (tasks.arePending()) {
            return; // the engine would block until its task is done
        }
        try {
            state.engine().closeOutbound();
        } catch (Throwable e) {
            logger.debug("cannot close the TLS engine of " + state.channel(), e);
        }
    }

    /** Nothing is encrypted any more. Returns false if there was no request. */
    private boolean refuseRequest() {
        ChannelEvent e = queue.peek();
        if (e == null) {
            return false;
        }
        isOutputShutDown |= isOutputShutdown(e);
        Throwable cause = causeOfRefusal();
        queue.poll();
        refuse(e, cause);
        return true;
    }

    private Throwable causeOfRefusal() {
        try {
            return isOutputShutDown ? new OutputShutdownException() : UnsentMessage.causeOfClosed(state.channel());
        } catch (Error withoutMemory) {
            return withoutMemory;
        }
    }

    private void refuse(ChannelEvent e, Throwable cause) {
        if (e instanceof ChannelStateEvent || isOutputShutdown(e)) {
            passOn(e);
        } else if (((MessageEvent) e).getMessage() == TlsConnection.CLOSE_NOTIFY) {
            state.execution().dispatch(e.getFuture()::setSuccess);
        } else if (e instanceof HeldWrite message) {
            fail(message, cause);
        } else {
            state.fail(e.getFuture(), cause);
        }
    }

    private void failBatch(Throwable cause) {
        for (HeldWrite message = writer.pollBatch(); message != null; message = writer.pollBatch()) {
            fail(message, cause);
        }
    }

    private void fail(HeldWrite message, Throwable cause) {
        try {
            state.execution().fail(message, cause);
        } catch (Error withoutMemory) { // its future must still complete
            HeapReserve.onFailure(withoutMemory);
            queue.fail(message, cause);
        }
    }

    private static boolean isOutputShutdown(ChannelEvent e) {
        return e instanceof MessageEvent message && message.getMessage() == OutputShutdown.INSTANCE;
    }

    private void passOn(ChannelEvent request) {
        try {
            state.execution().send(request);
        } catch (Throwable t) { // from a handler below
            state.fail(request.getFuture(), t);
        }
    }

    /** No execution runs any more. Any thread. */
    void refuseAll(Throwable cause) {
        for (ChannelEvent e = queue.poll(); e != null; e = queue.poll()) {
            refuse(e, cause);
        }
    }

    /** Fails the messages before the next close request. */
    private void failMessages(Throwable cause) {
        failBatch(cause);
        while (queue.peek() instanceof HeldWrite message) {
            queue.poll();
            fail(message, cause);
        }
    }

    /** Nothing more is sent. */
    void end(Throwable cause) {
        failMessages(cause);
    }
}
