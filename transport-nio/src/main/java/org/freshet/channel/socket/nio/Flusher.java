package org.freshet.channel.socket.nio;

import static org.freshet.channel.Channels.fireExceptionCaught;
import static org.freshet.channel.Channels.fireWriteComplete;

import java.util.function.Predicate;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.nio.loop.TaskQueue;
import org.freshet.channel.socket.nio.request.RequestRun;
import org.freshet.channel.socket.nio.send.FlushTotal;
import org.freshet.channel.socket.nio.send.SendResult;
import org.freshet.channel.socket.nio.send.WriteQueue;
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
    /** What the next message meets. {@link #enter} alone changes it. */
    enum State {
        /** The channel has not fired channelOpen: everything waits. */
        HELD,
        /** Nothing is queued, and nothing is under way. */
        IDLE,
        /** The channel is being read; what is written meanwhile is sent when the read ends. */
        READING,
        /** Flushes at the end of the loop's turn. */
        SCHEDULED,
        /** Messages are being sent; what their listeners write joins them. */
        FLUSHING,
        /** The kernel takes no more; the selector reports when it does. */
        BLOCKED,
        /** As FLUSHING, and a close was asked for. */
        FLUSHING_LAST,
        /** A close was asked for: writes are refused, and what is queued is sent once more, as far as that goes. */
        CLOSING,
        /** Writes are refused, and no event is fired any more. */
        CLOSED
    }

    /** Pending bytes past which a write on the loop does not wait for the end of the turn. */
    private static final int FLUSH_AT_ONCE_BYTES = 64 * 1024;

    /** So that many small writes leave before a close, but the loop does not wait for a fast peer to take a large file. */
    private static final int MAX_SHARES_AT_ONCE = 64;

    private static final int SENDS_BITS = 12;
    private static final int MAX_SENDS = (1 << SENDS_BITS) - 1;

    private final NioChannel channel;

    /** Loop only. */
    private State state;

    /** Loop only. How often the channel has sent, below the last turn in which it did: one field, because every connection has it. */
    private int sends;

    /**
     * @param initial HELD or IDLE
     */
    Flusher(NioChannel channel, State initial) {
        this.channel = channel;
        state = initial;
    }

    // ---- the state --------------------------------------------------------------------------------------------------

    private void enter(State next) {
        State from = state;
        state = next;
        if (from == State.BLOCKED || next == State.BLOCKED) {
            channel.onAwaitWritable(next == State.BLOCKED);
        }
        if (next == State.SCHEDULED) {
            channel.loop().onWritten(channel);
        }
    }

    boolean isHeld() {
        return state == State.HELD;
    }

    boolean isBlocked() {
        return state == State.BLOCKED;
    }

    /** Whether a close was asked for or done. */
    boolean isClosing() {
        return state.compareTo(State.FLUSHING_LAST) >= 0;
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }

    /** Whether a close was asked for and nothing keeps it from being carried out. */
    boolean mayCloseNow() {
        return state == State.CLOSING;
    }

    private boolean isFlushing() {
        return state == State.FLUSHING || state == State.FLUSHING_LAST;
    }

    /** Whether the state says when the messages are sent, rather than that they must wait. */
    private boolean maySend() {
        return state == State.IDLE || state == State.READING || state == State.SCHEDULED;
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
        if (maySend()) {
            Flusher flushing = channel.loop().flushing();
            if (isUrgent() && flushing == null && sendsLeft() > 0) {
                flush();
            } else if (state == State.IDLE && flushing != this) {
                enter(State.SCHEDULED);
            }
        } else if (state == State.BLOCKED) {
            announceWritability();
        }
    }

    /** Whether what is queued does not wait for the end of the turn. */
    private boolean isUrgent() {
        return !isEmpty() && (channel.queuedBytes() >= FLUSH_AT_ONCE_BYTES || !channel.isCoalescing());
    }

    /** Queues a message that was charged, without sending. */
    @Override
    public void onTaken(OutgoingMessage message) {
        if (isClosing()) {
            onLeft(message);
            message.complete(ChannelClosedException.of(channel));
        } else {
            append(message);
        }
    }

    /** After messages of other threads were queued: they are sent with what the loop itself writes in this turn. */
    void onAllTaken() {
        if (state == State.IDLE && !isEmpty()) {
            enter(State.SCHEDULED);
        }
        if (!isFlushing()) {
            announceWritability(); // handlers need not wait for the end of the turn to react
        }
    }

    // ---- when to flush ----------------------------------------------------------------------------------------------

    /** The channel is known to its handlers, and its socket to the selector. */
    void onAnnounced() {
        if (state == State.HELD) {
            enter(State.IDLE);
        }
    }

    void onReadBegins() {
        if (state == State.IDLE) {
            enter(State.READING);
        }
    }

    /** Sends what was written during the read. */
    void onReadEnds() {
        if (!isInboxEmpty()) {
            channel.onRequests();
        }
        if (state == State.READING) {
            enter(State.IDLE);
            if (!isEmpty()) {
                flush();
            }
        }
    }

    /** Sends messages whose bytes are lent no longer. */
    void onLoanEnds() {
        if (maySend() && !isEmpty() && channel.loop().flushing() == null) {
            flush();
        }
    }

    void onTurnEnds() {
        if (state != State.SCHEDULED) {
            return; // an urgent flush has come before
        }
        channel.onRequests();
        if (state == State.SCHEDULED) {
            enter(State.IDLE);
            flush();
        }
    }

    /** The kernel takes more. */
    void onWritable() {
        channel.onRequests();
        if (state == State.BLOCKED) {
            enter(State.IDLE);
            flush();
        }
    }

    /** Sends what can be sent now, for a thread that would wait for it; does nothing within a flush. */
    void onAwait() {
        if (!isEmpty() && !isFlushing() && state != State.HELD && channel.onCheckSendable() == null) {
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
            } while (isUrgent() && maySend() && sendsLeft() > 0);
        } finally {
            channel.loop().onFlushing(null);
            if (state == State.IDLE && !isEmpty()) {
                enter(State.SCHEDULED);
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
        State before = state;
        FlushTotal total = new FlushTotal();
        int maxSends = sendsLeft();
        enter(State.FLUSHING);
        try {
            onSent(channel.onSend(this, maxSends, total), before);
        } catch (Throwable t) { // also an Error out of a user's buffer or file region
            onBroken(t);
        }
        countSends(total.sends());
        announceSent(total);
    }

    private void onSent(SendResult result, State before) {
        if (state == State.FLUSHING_LAST) {
            enter(State.CLOSING);
            return;
        }
        enter(
                switch (result) {
                    case DRAINED -> before == State.READING ? State.READING : State.IDLE;
                    case BLOCKED -> State.BLOCKED;
                    case SHARE_USED -> State.SCHEDULED;
                });
    }

    /** The stream is broken in the middle of the oldest message: that one gets the cause, the others follow. */
    private void onBroken(Throwable cause) {
        enter(State.CLOSING);
        CloseReason reason = CloseReason.ofFailure(CloseReason.Kind.WRITE_FAILED, cause);
        channel.onFailing(reason);
        if (!isEmpty()) {
            remove().complete(cause);
        }
        failQueued(new ChannelClosedException(reason));
        fireExceptionCaught(channel, cause);
        channel.onEnds(reason);
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
        State before = state;
        FlushTotal total = new FlushTotal();
        enter(isClosing() ? State.FLUSHING_LAST : State.FLUSHING);
        try {
            SendResult result = sendShares(total);
            if (before != State.FLUSHING
                    && before != State.FLUSHING_LAST) { // else the flush that this one is within goes on
                onSent(result, before);
            }
        } catch (Throwable t) {
            if (before == State.CLOSING) {
                onBrokenAtLast(t);
            } else {
                onBroken(t);
            }
        }
        announceSent(total);
    }

    /** The channel is being closed, so no exceptionCaught follows. */
    private void onBrokenAtLast(Throwable cause) {
        enter(State.CLOSING);
        if (!isEmpty()) {
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
            enter(state == State.FLUSHING ? State.FLUSHING_LAST : State.CLOSING);
        }
    }

    /** The socket is closed: fails everything queued, also when it is called again because an Error interrupted it. */
    void onClosed() {
        if (state != State.CLOSED) {
            enter(State.CLOSED);
        }
        if (!isEmpty()) {
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
