package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.util.function.Predicate;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.channel.socket.nio.request.RequestRun;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteQueue;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.metering.TrafficMeter;
import org.freshet.internal.write.OutgoingMessage;

/**
 * Decides when the messages of one channel are sent.
 *
 * <pre>
 *   write() on the loop ----&gt; list --- own read ends, or the turn ends, or 64 KiB are pending ---&gt; flush
 *   write() elsewhere ------&gt; inbox --- one task, however many requests, ends with the turn ------&gt; flush
 *   flush: send until the list is empty, or the kernel takes no more (then OP_WRITE), or the channel's share is used up
 * </pre>
 *
 * <p>Threading: any thread may call {@link #push}; everything else belongs to the loop. {@link #submit}
 * follows a push. The queue is a superclass rather than a field, so that a channel needs no further object.
 */
final class Flusher extends WriteQueue implements TaskQueue.Task, RequestRun.Target {
    /** Pending bytes past which a write on the loop does not wait for the end of the turn. */
    private static final int FLUSH_AT_ONCE_BYTES = 64 * 1024;

    /** So that many small writes leave before a close, but the loop does not wait for a fast peer to take a large file. */
    private static final int MAX_SHARES_AT_ONCE = 64;

    private static final int SENDS_BITS = 12;
    private static final int MAX_SENDS = (1 << SENDS_BITS) - 1;

    private final NioChannel channel;

    /** Loop only. */
    private FlushState state;

    /** Loop only. How often the channel has sent, below the last turn in which it did: one field, because every connection has it. */
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

    /** Whether nothing can be sent any more, and what had arrived is still read. */
    boolean isBroken() {
        return state == FlushState.BROKEN;
    }

    /** Whether a close was asked for or done. */
    boolean isClosing() {
        return state.isClosing();
    }

    boolean isClosed() {
        return state == FlushState.CLOSED;
    }

    /** Whether a close was asked for and nothing keeps it from being carried out. */
    boolean mayCloseNow() {
        return state == FlushState.CLOSING;
    }

    // ---- requests ---------------------------------------------------------------------------------------------------

    /**
     * Has the loop look into the inbox, after a push that found it empty. Any thread.
     *
     * @return false if the loop has stopped
     */
    boolean submit() {
        if (!channel.beginSubmission()) {
            return true; // the loop looks after it has taken note of that
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

    /** After {@link #submit}. */
    @Override
    public void run() {
        channel.endSubmission();
        if (isHeld()) {
            return; // the announcement will take the requests
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

    /** Queues a message that the loop itself writes, which was charged. */
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

    /** Whether what is queued does not wait for the end of the turn. */
    private boolean isUrgent() {
        return !isEmpty() && (WriteAccount.queuedBytes(channel) >= FLUSH_AT_ONCE_BYTES || !channel.isCoalescing());
    }

    /** Queues a message that was charged, without sending. */
    @Override
    public void onTaken(OutgoingMessage message) {
        if (state.refusesWrites()) {
            onLeft(message);
            message.complete(channel.closedException());
        } else {
            append(message);
        }
    }

    /** After messages of other threads were queued: they are sent with what the loop itself writes in this turn. */
    void onAllTaken() {
        if (state == FlushState.IDLE && !isEmpty()) {
            enter(FlushState.SCHEDULED);
        }
        if (!state.isFlushing()) {
            announceWritability(); // handlers need not wait for the end of the turn to react
        }
    }

    // ---- when to flush ----------------------------------------------------------------------------------------------

    /** The channel is known to its handlers, and its socket to the selector. */
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

    /** Sends what was written during the read. */
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

    /** Sends messages whose bytes are lent no longer. */
    void onLoanEnds() {
        if (state.maySend() && !isEmpty() && channel.loop().flushing() == null) {
            flush();
        }
    }

    void onTurnEnds() {
        if (state != FlushState.SCHEDULED) {
            return; // an urgent flush has come before
        }
        channel.onRequests();
        if (state == FlushState.SCHEDULED) {
            enter(FlushState.IDLE);
            flush();
        }
    }

    /** The kernel takes more. */
    void onWritable() {
        channel.onRequests();
        if (state == FlushState.BLOCKED) {
            enter(FlushState.IDLE);
            flush();
        }
    }

    /** Sends what can be sent now, for a thread that would wait for it; does nothing within a flush. */
    void onAwait() {
        if (!isEmpty() && !state.isFlushing() && state != FlushState.HELD && channel.onCheckSendable() == null) {
            flushAtOnce();
            announceWritability();
        }
    }

    // ---- flushing ---------------------------------------------------------------------------------------------------

    /** Sends what is queued, and then what handlers that hear of it write, as long as that is urgent and the share lasts. */
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

    /** System calls that the channel may make in this turn, so that a fast peer leaves time for the others. */
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
        } catch (Throwable t) { // also an Error out of a user's buffer or file region
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
            return; // perhaps since a flush within this one has failed
        }
        enter(
                switch (result) {
                    case DRAINED -> before == FlushState.READING ? FlushState.READING : FlushState.IDLE;
                    case BLOCKED -> FlushState.BLOCKED;
                    case SHARE_USED -> FlushState.SCHEDULED;
                });
    }

    /** The stream is broken in the middle of the oldest message: that one gets the cause, the others follow. */
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

    /** Sends or fails what was written before the channel changes so that it could no longer be sent as it was meant. */
    void flushBeforeChange() {
        Exception refusal = channel.onCheckSendable();
        if (refusal == null) {
            flushAtOnce();
        } else {
            failQueued(refusal);
        }
    }

    /**
     * Sends now, whether the kernel is known to take something or not, more than a share at a time: before a close or whatever else
     * ends the sending. What the kernel does not take stays.
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
            if (!before.isFlushing()) { // else the flush that this one is within goes on
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

    /** The channel is being closed, so no exceptionCaught follows. */
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

    // ---- the end ----------------------------------------------------------------------------------------------------

    /** From now on what is written fails. */
    void onCloseRequested() {
        if (!isClosing()) {
            enter(state == FlushState.FLUSHING ? FlushState.FLUSHING_LAST : FlushState.CLOSING);
        }
    }

    /** The socket is closed: fails everything queued, also when it is called again because an Error interrupted it. */
    void onClosed() {
        if (state != FlushState.CLOSED) {
            enter(FlushState.CLOSED);
        }
        if (!isEmpty()) {
            EmptiedAccounts.onLosing(channel);
            Exception cause = ChannelClosedException.of(channel);
            while (!isEmpty()) { // nothing is added any more
                remove().complete(cause);
            }
        }
    }

    private void failQueued(Exception cause) {
        failQueued(cause, message -> true);
    }

    /** Fails some of the messages, but none that listeners write meanwhile. */
    void failQueued(Exception cause, Predicate<OutgoingMessage> condition) {
        OutgoingMessage message = removeIf(condition);
        while (message != null) {
            OutgoingMessage following = message.nextMessage();
            try {
                message.complete(cause);
            } catch (Throwable t) { // the messages behind this one are in no list any more
                channel.loop().logLater(t);
            }
            message = following;
        }
    }
}
