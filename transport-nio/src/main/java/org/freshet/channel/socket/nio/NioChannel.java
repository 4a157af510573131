package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireChannelInterestChanged;
import static org.freshet.channel.Channels.fireChannelOpen;
import static org.freshet.channel.Channels.fireExceptionCaught;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelSink;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteMarks;
import org.freshet.channel.socket.nio.request.RequestRun;
import org.freshet.channel.socket.nio.request.StateRequest;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteLimits;
import org.freshet.channel.socket.nio.send.WriteQueue;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.lending.Lending;
import org.freshet.internal.request.ChannelRequest;
import org.freshet.internal.transport.NewSockets;
import org.freshet.internal.write.HoldsWrites;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * The common part of stream and datagram channels: the order of requests, the interest in reading, and the close.
 * {@link Flusher} handles writing, {@link KeyedChannel} the key.
 *
 * <p>Requests take effect in the order they were made, whichever threads made them. Other threads leave theirs in the
 * inbox, and before the loop carries out a request of its own, it carries out the inbox.
 *
 * <p>Threading: the loop owns the key, the socket and every field marked "Loop only."; any thread may call the getters.
 * Methods named {@code onX} run on the loop.
 */
abstract class NioChannel extends KeyedChannel implements WriteMarks {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioChannel.class);
    private final Flusher flusher;

    /**
     * @param isAccepted whether {@link #onAccepted} will announce the channel; otherwise its opening is its first
     *     request
     */
    NioChannel(
            Channel parent,
            ChannelFactory factory,
            ChannelPipeline pipeline,
            ChannelSink sink,
            NioLoop loop,
            boolean isAccepted) {
        super(parent, factory, pipeline, sink, loop);
        flusher = new Flusher(this, isAccepted ? FlushState.HELD : FlushState.IDLE);
    }

    // ---- supplied by each kind of channel, on the loop --------------------------------------------------------------

    /** Fires the first events of a channel accepted by its server. Does nothing if that has been done. */
    abstract void onAccepted();

    /** Sends from the queue's head and completes each message sent, with at most {@code maxSends} system calls. */
    abstract SendResult onSend(WriteQueue queue, int maxSends, FlushTotal total) throws IOException;

    /** Returns the reason why nothing can be sent now, or null if the channel can send. */
    abstract Exception onCheckSendable();

    abstract boolean isCoalescing();

    /**
     * Returns whether data from the peer can still be read after sending has failed. If not, the channel closes
     * immediately.
     */
    boolean hasInputAfter(CloseReason failureToSend) {
        return false;
    }

    abstract void onRead() throws IOException;

    @Override
    public abstract NioChannelConfig getConfig();

    final Flusher flusher() {
        return flusher;
    }

    // ---- requests ---------------------------------------------------------------------------------------------------

    /**
     * Fires channelOpen, before anything else happens to the channel.
     *
     * @return false if the loop has stopped
     */
    final boolean open() {
        if (loop.inLoop()) {
            onOpened();
            return true;
        }
        flusher.push(StateRequest.of(Channels.future(this), this::onOpened));
        return flusher.submit();
    }

    /**
     * Closes a channel that {@link #open} could not open; every request fails. Its handlers see no event, because they
     * might create another channel in channelClosed, and so on.
     */
    final void refuseOpen(Closeable socket) {
        setClosing(CloseReason.SHUTDOWN);
        NewSockets.closeQuietly(socket);
        refuseRequests();
        setClosed();
    }

    private void onOpened() {
        loop.onOpened(this);
        fireChannelOpen(this);
    }

    /**
     * Carries out an action after all earlier requests of this channel. Requests made in the meantime by handlers and
     * listeners come after it. Any thread may call it.
     *
     * @param future fails if the loop has stopped
     */
    final void request(ChannelFuture future, Runnable action) {
        if (loop.inLoop() && onRequests()) {
            RequestRun run = loop.requestRuns().begin(flusher);
            try {
                run.carryOut(future, action);
                run.drain();
            } finally {
                onRunEnds(run);
            }
        } else {
            leave(StateRequest.of(future, action));
        }
    }

    /** Sends or fails messages already written, before a change of their destination takes effect. */
    final void onFlushBeforeChange() {
        RequestRun run = loop.requestRuns().of(flusher);
        if (run == null) {
            flusher.flushBeforeChange(); // a close: nothing can come after it
        } else {
            run.suspendedDuring(flusher::flushBeforeChange);
        }
    }

    /**
     * Completes the future of a request whose event is fired next. Requests made by its listeners come after that
     * event: a bind's listener may connect, which may succeed immediately.
     */
    final void onSucceeded(ChannelFuture change) {
        loop.requestRuns().of(flusher).suspendedDuring(change::setSuccess);
    }

    /** Queues a message; any thread may call it. A message of a wrong type fails its own future. */
    final void write(MessageEvent event) {
        OutgoingMessage message;
        try {
            message = new OutgoingMessage(event);
            if (Lending.hasHappened() && Lending.loanOf(event.getMessage()) instanceof ReadLoan loan) {
                loan.onWrite(this, message);
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            UnsentMessage.fail(event, e);
            loop.tasks().execute(() -> report(e));
            return;
        }
        Exception refusal = admitWrite(message.chargedBytes());
        if (refusal != null) {
            message.complete(refusal);
        } else if (loop.inLoop() && onRequests()) {
            flusher.onWrite(message);
        } else {
            leave(message);
        }
    }

    /** Closes at the end of the turn in which the loop takes the request. Any thread may call it. */
    final void close(ChannelFuture future) {
        setClosing();
        if (loop.inLoop() && onRequests()) {
            onCloseRequested(future);
        } else {
            leave(StateRequest.close(future, () -> onCloseRequested(future)));
        }
    }

    @Override
    public final void giveUp(CloseReason reason) {
        setClosing(reason);
        close(getCloseFuture());
    }

    private void leave(ChannelRequest request) {
        if (flusher.push(request) && !flusher.submit()) {
            refuseRequests();
        }
    }

    /** For a channel whose loop has stopped: nothing else will process the inbox. */
    final void refuseRequests() {
        StateRequest.refuseAll(flusher.takeInbox(), UnsentMessage.causeOfClosed(this));
    }

    /**
     * Carries out pending requests, unless that is already in progress: the running pass also reaches requests made
     * now.
     *
     * @return whether everything is done and a request of the loop's own comes next; otherwise that request must go to
     *     the inbox
     */
    final boolean onRequests() {
        if (flusher.isHeld()) {
            onAccepted();
        }
        if (loop.requestRuns().of(flusher) != null) {
            return false;
        }
        if (flusher.isInboxEmpty()) {
            return true;
        }
        RequestRun run = loop.requestRuns().begin(flusher);
        try {
            run.drain();
        } finally {
            onRunEnds(run);
        }
        return flusher.isInboxEmpty();
    }

    private void onRunEnds(RequestRun run) {
        loop.requestRuns().end(run);
        if (!flusher.isInboxEmpty() && !flusher.submit()) {
            refuseRequests();
        }
        flusher.onAllTaken();
    }

    /** Like {@link #onRequests}, but also within a request that has taken effect. */
    private void onRequestsNow() {
        RequestRun run = loop.requestRuns().of(flusher);
        if (run == null) {
            onRequests();
        } else {
            run.drainForAwait();
        }
    }

    // ---- awaiting ---------------------------------------------------------------------------------------------------

    /**
     * Sends queued messages, and closes if a close was requested. Not within a flush, whose listeners cannot wait for
     * it.
     */
    @Override
    public final void onAwait(BooleanSupplier isDone) {
        onRequestsNow();
        long before;
        do { // sending makes space for messages held by handlers
            before = WriteAccount.waitingBytes(this);
            releaseHeldWrites();
            onRequestsNow(); // released messages may have gone to the inbox
            flusher.onAwait();
        } while (!isDone.getAsBoolean() && WriteAccount.waitingBytes(this) < before);
        if (!isDone.getAsBoolean() && flusher.mayCloseNow() && !isOpening()) {
            onClose(getCloseFuture());
        }
    }

    private void releaseHeldWrites() {
        for (ChannelHandler handler : getPipeline().toMap().values()) {
            if (handler instanceof HoldsWrites held) {
                held.releaseWrites();
            }
        }
    }

    /**
     * Returns whether the open, bound or connected events are being fired, so the channel cannot be closed now. Loop
     * only.
     */
    boolean isOpening() {
        return false;
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    /** Reads, and then sends messages written in the meantime. */
    final void onReadable() throws IOException {
        flusher.onReadBegins();
        onRead();
        flusher.onReadEnds();
    }

    /** Sets the interest in reading immediately. Fires channelInterestChanged on a change. */
    final void onSetInterestOps(ChannelFuture future, int interestOps) {
        boolean read = (interestOps & OP_READ) != 0;
        boolean changed = read != isReadable();
        if (changed) {
            setInternalInterestOps(read ? OP_READ : OP_NONE);
            if (!isClosing() && mayRead()) {
                setInterest(SelectionKey.OP_READ, read);
            }
        }
        future.setSuccess();
        if (changed && !flusher.isClosed()) { // nothing follows channelClosed
            fireChannelInterestChanged(this);
        }
    }

    /** Returns whether there may be more to read. */
    boolean mayRead() {
        return true;
    }

    /** Stops waiting for data, because the selector would report the end of the stream again and again. */
    final void onNothingToRead() {
        setInterest(SelectionKey.OP_READ, false);
    }

    // ---- the account ------------------------------------------------------------------------------------------------

    @Override
    public final int highWaterMark() {
        return writeLimits().highWaterMark();
    }

    @Override
    public final int lowWaterMark() {
        return writeLimits().lowWaterMark();
    }

    @Override
    public final int limitBytes() {
        WriteLimits limits = writeLimits();
        int limit = limits.bound().limitBytes();
        return limit == 0 ? 0 : Math.max(limit, limits.highWaterMark());
    }

    final int writeStallMillis() {
        return writeLimits().bound().stallMillis();
    }

    private WriteLimits writeLimits() {
        return ((WriteLimited) getConfig()).writeLimits();
    }

    /** Called when a message has left the queue. */
    final void release(OutgoingMessage message) {
        releaseWrite(message.chargedBytes());
    }

    /** Loop only. */
    final void settleNow() {
        updateWritability();
    }

    // ---- the key ----------------------------------------------------------------------------------------------------

    /** Registers the socket with the loop's selector, for the operations the channel waits for. */
    final void onRegister(SelectableChannel socket) throws IOException {
        int ops = isReadable() ? SelectionKey.OP_READ : 0;
        register(socket, flusher.isBlocked() ? ops | SelectionKey.OP_WRITE : ops);
    }

    /** Starts or stops waiting for the kernel to accept more. */
    final void onAwaitWritable(boolean wanted) {
        setInterest(SelectionKey.OP_WRITE, wanted);
        int stallMillis = wanted ? writeStallMillis() : 0;
        if (stallMillis > 0) {
            loop.writeStalls().onBlocked(this, stallMillis);
        }
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    /** Same as {@link #onCloseRequested(ChannelFuture)}, for a close that no user requested. */
    final void onEnds(CloseReason reason) {
        setClosing(reason);
        onCloseRequested(getCloseFuture());
    }

    /**
     * Records the reason of an imminent close, before handlers or listeners are called that may close the channel
     * themselves.
     */
    final void onFailing(CloseReason reason) {
        noteCloseReason(reason);
    }

    /**
     * Returns the failure for messages written from now on, with the reason of the close, even if that is still to
     * come.
     */
    final ChannelClosedException closedException() {
        return new ChannelClosedException(notedCloseReason());
    }

    /** From now on nothing is read, and writes fail. Closes at the end of the turn. */
    final void onCloseRequested(ChannelFuture future) {
        onClosing();
        loop.onCloseAsked(this, future);
    }

    /** From now on nothing is read, and writes fail. Loop only. */
    final void onClosing() {
        setClosing();
        flusher.onCloseRequested();
    }

    /** Returns whether a close was requested or done. Loop only. */
    final boolean isClosing() {
        return flusher.isClosing();
    }

    final void refuseWhenClosing() throws ClosedChannelException {
        if (isClosing()) {
            throw ChannelClosedException.of(this);
        }
    }

    /** Also fires exceptionCaught, unless the channel was closed. */
    final void fail(ChannelFuture future, Throwable cause) {
        future.setFailure(cause);
        if (!(cause instanceof ClosedChannelException)) {
            report(cause);
        }
    }

    /** No event may follow channelClosed. Loop only. */
    private void report(Throwable cause) {
        if (!flusher.isClosed()) {
            fireExceptionCaught(this, cause);
        }
    }

    @Override
    final void endRequests() {
        flusher.onClosed();
        onRequestsNow();
        setClosed();
    }

    /** Called when something failed while the loop worked on this channel: only this channel is closed. */
    @Override
    public final void onFailed(Throwable cause) {
        if (flusher.isHeld()) { // handlers don't know it yet; as long as it is held, the close fires channelOpen first
            setClosing(CloseReason.ofFailure(Kind.HANDLER_FAILED, cause));
            loop.onCloseAsked(this, getCloseFuture());
            return;
        }
        try {
            onFailing(CloseReason.ofFailure(
                    cause instanceof IOException ? Kind.READ_FAILED : Kind.HANDLER_FAILED, cause));
            if (!isClosing() && WriteAccount.queuedBytes(this) > 0) {
                EmptiedAccounts.onLosing(this);
            }
            if (cause instanceof Error) {
                logger.error("an I/O loop failed on " + this + "; closing it", cause);
            }
            report(cause);
        } finally {
            onEnds(CloseReason.of(Kind.HANDLER_FAILED));
        }
    }

    @Override
    public final void onLoopStopping() {
        setClosing(loop.closingReason());
        onClose(getCloseFuture());
    }
}
