package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.util.function.Predicate;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.channel.socket.nio.request.RequestRun;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteQueue;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Decides when the messages of one channel are sent.
 *
 * <pre>
 *   write() on the loop ----&gt; list --- own read ends, or the turn ends, or 64 KiB are pending ---&gt; flush
 *   write() elsewhere ------&gt; inbox --- one task, however many requests, ends with the turn ------&gt; flush
 *   flush: send until the list is empty, the kernel accepts no more (then OP_WRITE), or the channel's share is used up
 * </pre>
 *
 * <p>Threading: any thread may call {@link #push}, and then {@link #submit}; everything else belongs to the loop. The
 * queue is a superclass rather than a field, to save one object per channel.
 */
final class Flusher extends WriteQueue implements TaskQueue.Task, RequestRun.Target {
    /** With more pending bytes than this, a write on the loop does not wait for the end of the turn. */
    private static final int FLUSH_AT_ONCE_BYTES = 64 * 1024;

    /**
     * Enough for many small writes to leave before a close, few enough that a fast peer taking a large file does not
     * hold up the loop.
     */
    private static final int MAX_SHARES_AT_ONCE = 64;

    private static final int SENDS_BITS = 12;
    private static final int MAX_SENDS = (1 << SENDS_BITS) - 1;

    private final NioChannel channel;

    /** Loop only. */
    private FlushState state;

    /**
     * Loop only. How many times the channel has sent in its last sending turn, below the number of that turn. One
     * field, because every connection has it.
     */
    private int sends;

    /**
     * @param initial HELD or IDLE
     */
    Flusher(NioChannel channel, FlushState initial) {
        this.channel = channel;
        state = initial;
    }

    // ---- the state --------------------------------------------------------------------------------------------------

    private void enter(FlushState next) {
        FlushState from = state;
        state = next;
        if (from == FlushState.BLOCKED || next == FlushState.BLOCKED) {
            channel.onAwaitWritable(next == FlushState.BLOCKED);
        }
        if (next == FlushState.SCHEDULED) {
            channel.loop().onWritten(channel);
        }
    }

    boolean isHeld() {
        return state == FlushState.HELD;
    }

    boolean isBlocked() {
        return state == FlushState.BLOCKED;
    }

    /** Returns whether nothing more can be sent, while data that had arrived is still read. */
    boolean isBroken() {
        return state == FlushState.BROKEN;
    }

    /** Returns whether a close was requested or done. */
    boolean isClosing() {
        return state.isClosing();
    }

    boolean isClosed() {
        return state == FlushState.CLOSED;
    }

    /** Returns whether a close was requested and nothing prevents carrying it out. */
    boolean mayCloseNow() {
        return state == FlushState.CLOSING;
    }

    // ---- requests ---------------------------------------------------------------------------------------------------

    /**
     * Makes the loop process the inbox, after a push that found it empty. Any thread may call it.
     *
     * @return false if the loop has stopped
     */
    boolean submit() {
        if (!channel.beginSubmission()) {
            return true; // the loop will process the inbox after it clears that mark
        }
        boolean isAccepted = channel.loop().tasks().submitLink(this);
        if (!isAccepted) {
            channel.endSubmission();
        }
        return isAccepted;
    }

    @Override
    public TaskQueue.Task next() {
        return channel.nextTask();
    }

    @Override
    public void setNext(TaskQueue.Task next) {
        channel.setNextTask(next);
    }

    /** Runs after {@link #submit}. */
    @Override
    public void run() {
        channel.endSubmission();
        if (isHeld()) {
            return; // onAccepted() will take the requests
        }
        channel.loop().counters().beginTaskOf(channel);
        try {
            channel.onRequests();
        } catch (Throwable t) {
            channel.loop().onChannelFailed(channel, t);
        }
    }

    @Override
    public void onRequestFailed(Throwable cause) {
        channel.loop().onChannelFailed(channel, cause);
    }

    @Override
    public void takeRequests() {
        channel.onRequests();
    }

    // ---- writing ----------------------------------------------------------------------------------------------------

    @Override
    protected void onLeft(OutgoingMessage message) {
        channel.release(message);
    }

    /** Queues a message written by the loop itself. It has been charged. */
    void onWrite(OutgoingMessage message) {
        onTaken(message);
        if (state.maySend()) {
            Flusher flushing = channel.loop().flushing();
            if (isUrgent() && flushing == null && sendsLeft() > 0) {
                flush();
            } else if (state == FlushState.IDLE && flushing != this) {
                enter(FlushState.SCHEDULED);
            }
        } else if (state == FlushState.BLOCKED) {
            announceWritability();
        }
    }

    /** Returns whether the queued messages should not wait for the end of the turn. */
    private boolean isUrgent() {
        return !isEmpty() && (WriteAccount.queuedBytes(channel) >= FLUSH_AT_ONCE_BYTES || !channel.isCoalescing());
    }

    /** Queues a charged message without sending it. */
    @Override
    public void onTaken(OutgoingMessage message) {
        if (state.refusesWrites()) {
            onLeft(message);
            message.complete(channel.closedException());
        } else {
            append(message);
        }
    }

    /**
     * Called after messages of other threads were queued. They are sent together with the loop's own writes of this
     * turn.
     */
    void onAllTaken() {
        if (state == FlushState.IDLE && !isEmpty()) {
            enter(FlushState.SCHEDULED);
        }
        if (!state.isFlushing()) {
            announceWritability(); // handlers can react before the end of the turn
        }
    }

    // ---- when to flush ----------------------------------------------------------------------------------------------

    /** Called when the channel is known to its handlers, and its socket to the selector. */
    void onAnnounced() {
        if (state == FlushState.HELD) {
            enter(FlushState.IDLE);
        }
    }

    void onReadBegins() {
        if (state == FlushState.IDLE) {
            enter(FlushState.READING);
        }
    }

    /** Sends the messages written during the read. */
    void onReadEnds() {
        if (!isInboxEmpty()) {
            channel.onRequests();
        }
        if (state == FlushState.READING) {
            enter(FlushState.IDLE);
            if (!isEmpty()) {
                flush();
            }
        }
    }

    /** Sends messages whose bytes are no longer on loan. */
    void onLoanEnds() {
        if (state.maySend() && !isEmpty() && channel.loop().flushing() == null) {
            flush();
        }
    }

    void onTurnEnds() {
        if (state != FlushState.SCHEDULED) {
            return; // an urgent flush came first
        }
        channel.onRequests();
        if (state == FlushState.SCHEDULED) {
            enter(FlushState.IDLE);
            flush();
        }
    }

    /** Called when the kernel accepts more. */
    void onWritable() {
        channel.onRequests();
        if (state == FlushState.BLOCKED) {
            enter(FlushState.IDLE);
            flush();
        }
    }

    /** Sends as much as possible now, for a thread that would otherwise wait for it. Does nothing within a flush. */
    void onAwait() {
        if (!isEmpty() && !state.isFlushing() && state != FlushState.HELD && channel.onCheckSendable() == null) {
            flushAtOnce();
            announceWritability();
        }
    }

    // ---- flushing ---------------------------------------------------------------------------------------------------

    /**
     * Sends the queued messages, then messages that notified handlers write, as long as that is urgent and the share
     * lasts.
     */
    private void flush() {
        channel.loop().onFlushing(this);
        try {
            do {
                if (!isEmpty()) {
                    sendOrFail();
                }
                announceWritability();
            } while (isUrgent() && state.maySend() && sendsLeft() > 0);
        } finally {
            channel.loop().onFlushing(null);
            if (state == FlushState.IDLE && !isEmpty()) {
                enter(FlushState.SCHEDULED);
            }
        }
    }

    /**
     * Returns how many system calls the channel may still make in this turn. The limit keeps a fast peer from delaying
     * other channels.
     */
    private int sendsLeft() {
        int turn = (int) channel.loop().turns() << SENDS_BITS;
        if (sends >> SENDS_BITS != turn >> SENDS_BITS) {
            sends = turn;
        }
        return Math.min(channel.getConfig().getWriteSpinCount(), MAX_SENDS) - (sends & MAX_SENDS);
    }

    private void countSends(int count) {
        sends += Math.min(count, MAX_SENDS - (sends & MAX_SENDS));
    }

    private void sendOrFail() {
        Exception refusal = channel.onCheckSendable();
        if (refusal != null) {
            countSends(1); // listeners may write again
            failQueued(refusal);
        } else {
            send();
        }
    }

    private void send() {
        FlushState before = state;
        FlushTotal total = new FlushTotal();
        int maxSends = sendsLeft();
        enter(FlushState.FLUSHING);
        try {
            onSent(channel.onSend(this, maxSends, total), before);
        } catch (Throwable t) { // including an Error from a user's buffer or file region
            onBroken(t);
        }
        countSends(total.sends());
        announceSent(total);
    }

    private void onSent(SendResult result, FlushState before) {
        if (state == FlushState.FLUSHING_LAST) {
            enter(FlushState.CLOSING);
        }
        if (state.refusesWrites()) {
            return; // a nested flush may have failed
        }
        enter(
                switch (result) {
                    case DRAINED -> before == FlushState.READING ? FlushState.READING : FlushState.IDLE;
                    case BLOCKED -> FlushState.BLOCKED;
                    case SHARE_USED -> FlushState.SCHEDULED;
                });
    }

    /** The stream broke in the middle of the oldest message: that one gets the cause, the others fail after it. */
    private void onBroken(Throwable cause) {
        CloseReason reason = CloseReason.ofFailure(CloseReason.Kind.WRITE_FAILED, cause);
        enter(channel.hasInputAfter(reason) ? FlushState.BROKEN : FlushState.CLOSING);
        channel.onFailing(reason);
        if (!isEmpty()) {
            EmptiedAccounts.onLosing(channel);
            remove().complete(cause);
        }
        failQueued(channel.closedException());
        fireExceptionCaught(channel, cause);
        if (isBroken()) {
            channel.loop().brokenOutputs().onBroken(channel);
        } else {
            channel.onEnds(reason);
        }
    }

    /** Sends or fails messages written before a change after which they could not be sent as intended. */
    void flushBeforeChange() {
        Exception refusal = channel.onCheckSendable();
        if (refusal == null) {
            flushAtOnce();
        } else {
            failQueued(refusal);
        }
    }

    /**
     * Sends immediately, even if the kernel was blocked, and more than one share: before a close or another end of
     * sending. Messages that the kernel does not accept stay in the queue.
     */
    private void flushAtOnce() {
        if (isEmpty()) {
            return;
        }
        FlushState before = state;
        FlushTotal total = new FlushTotal();
        enter(isClosing() ? FlushState.FLUSHING_LAST : FlushState.FLUSHING);
        try {
            SendResult result = sendShares(total);
            if (!before.isFlushing()) { // otherwise the outer flush continues
                onSent(result, before);
            }
        } catch (Throwable t) {
            if (before == FlushState.CLOSING) {
                onBrokenAtLast(t);
            } else {
                onBroken(t);
            }
        }
        announceSent(total);
    }

    /** The channel is being closed, so no exceptionCaught may follow. */
    private void onBrokenAtLast(Throwable cause) {
        enter(FlushState.CLOSING);
        if (!isEmpty()) {
            EmptiedAccounts.onLosing(channel);
            remove().complete(cause);
        }
    }

    private SendResult sendShares(FlushTotal total) throws Exception {
        SendResult result = SendResult.SHARE_USED;
        for (int i = 0; i < MAX_SHARES_AT_ONCE && result == SendResult.SHARE_USED; i++) {
            result = channel.onSend(this, channel.getConfig().getWriteSpinCount(), total);
        }
        return result;
    }

    private void announceSent(FlushTotal total) {
        TrafficMeter.written(channel, total.bytes());
        if (total.bytes() > 0 && !isClosed()) {
            fireWriteComplete(channel, total.bytes());
        }
    }

    private void announceWritability() {
        if (!isClosed()) {
            channel.settleNow();
        }
    }

    // ---- closing ----------------------------------------------------------------------------------------------------

    /** From now on writes fail. */
    void onCloseRequested() {
        if (!isClosing()) {
            enter(state == FlushState.FLUSHING ? FlushState.FLUSHING_LAST : FlushState.CLOSING);
        }
    }

    /** Called when the socket is closed: fails everything queued. Called again if an Error interrupted it. */
    void onClosed() {
        if (state != FlushState.CLOSED) {
            enter(FlushState.CLOSED);
        }
        if (!isEmpty()) {
            EmptiedAccounts.onLosing(channel);
            Throwable cause = UnsentMessage.causeOfClosed(channel);
            while (!isEmpty()) { // nothing more is added
                remove().complete(cause);
            }
        }
    }

    private void failQueued(Exception cause) {
        failQueued(cause, message -> true);
    }

    /** Fails some of the messages, but none that listeners write in the meantime. */
    void failQueued(Exception cause, Predicate<OutgoingMessage> condition) {
        OutgoingMessage message = removeIf(condition);
        while (message != null) {
            OutgoingMessage following = message.nextMessage();
            try {
                message.complete(cause);
            } catch (Throwable t) { // the messages after this one are no longer in any list
                channel.loop().logLater(t);
            }
            message = following;
        }
    }
}
