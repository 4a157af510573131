package org.freshet.internal.drain;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelLocal;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.internal.EmptiedAccounts;
import org.freshet.internal.handler.DrainedClose;
import org.freshet.internal.handler.QuietProbe;
import org.freshet.internal.time.Alarm;

/**
 * Lets one channel finish its work and closes it: sends a {@link DrainEvent} up, waits until no handler holds the channel and nothing
 * waits to be sent on it any more, and closes.
 *
 * <p>Threading: {@link #start} and {@link #cut} may be called by any thread; the rest runs on the channel's I/O thread. While it
 * works, the lowest handler of the pipeline is one that sees whether anything is read or sent. A channel that is not being
 * drained has no object of this class.
 */
public final class ChannelDrain {
    /** How the channel ended. */
    public enum Outcome {
        /** Its work was done. */
        FINISHED,
        /** It had no work. */
        IDLE,
        /** The peer or a handler closed it, before the drain did. */
        LEFT,
        /** It was closed, by the peer or a failure, while a handler held it or something waited to be sent. */
        BROKEN,
        /** It was not done in time. */
        CUT
    }

    /**
     * @param holds what still held the channel, or that output was lost of which the amount isn't known; empty unless it was broken or cut
     * @param unsentBytes what still waited to be sent, as its account counts
     */
    public record End(Channel channel, Outcome outcome, List<String> holds, long unsentBytes) {
        @Override
        public String toString() {
            String what = holds.isEmpty() ? "" : String.join(", ", holds);
            if (unsentBytes > 0) {
                what += (what.isEmpty() ? "" : ", ") + unsentBytes + " bytes unsent";
            }
            return what.isEmpty() ? "still active" : what;
        }
    }

    private enum State {
        /** The event has not reached all handlers. */
        STARTING,
        /** Waits for holds to be released, for the account to be empty and, without a claim, for silence. */
        WAITING,
        /** The channel was asked to close. */
        CLOSING
    }

    private static final String NAME = "freshet drain";

    private static final String UNSENT = "output that was not sent";

    private static final ChannelLocal<ChannelDrain> CURRENT = new ChannelLocal<>();

    private final Channel channel;
    private final long quietNanos;
    private final DrainEvent event;
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private final AtomicReference<End> end = new AtomicReference<>();

    /** Looks again when nothing may have been read or sent for long enough, and if there was no memory for a step. */
    private final Alarm alarm;

    /** What waited to be sent when the channel closed; 0 before, and if the transport had let go of it by then. */
    private volatile long lostBytes;

    /** Something that waited was not sent, because the channel closed. */
    private volatile boolean isCutShort;

    /** Null until the drain has begun; set on the I/O thread. */
    private volatile ChannelHandlerContext ctx;

    // ---- I/O thread only ----

    private State state = State.STARTING;
    private long lastActiveNanos;

    /** Whether a probe has gone up since something was read or sent. */
    private boolean isProbed;

    private ChannelDrain(Channel channel, long quietNanos) {
        this.channel = channel;
        this.quietNanos = quietNanos;
        event = new DrainEvent(channel, this::onChanged);
        alarm = new Alarm(null, channel.getPipeline()::execute, this::look);
    }

    /**
     * Starts to drain the channel; one that is being drained already goes on as it was told first.
     *
     * @param quietNanos how long nothing must have been read or sent before a channel is closed that no handler speaks for
     * @param starter runs what sends the event up, if the channel has no loop of its own that could
     */
    public static ChannelDrain start(Channel channel, long quietNanos, Executor starter) {
        ChannelDrain drain = new ChannelDrain(channel, quietNanos);
        ChannelDrain present = CURRENT.setIfAbsent(channel, drain);
        if (present != null) {
            return present;
        }
        EmptiedAccounts.watch(channel, drain.new Account()); // first: the end stops it
        channel.getCloseFuture().addListener(closed -> drain.onClosing());
        drain.execute(starter);
        return drain;
    }

    /** Completes when the channel is closed, or was cut off. On a thread that must not be blocked. */
    public CompletableFuture<End> ended() {
        return ended;
    }

    /** Closes the channel now, whatever holds it. */
    public void cut() {
        if (channel.getCloseFuture().isDone()) {
            onClosed(); // an executor that refuses tasks may have kept the drain from noticing
        } else {
            End cut = end(Outcome.CUT);
            if (cut.unsentBytes() > 0 && !event.isConcluded() || event.isHeld()) {
                end.set(cut); // what was written after the drain had asked for the close is lost
            }
            finish(cut);
            channel.close(CloseReason.of(CloseReason.Kind.DRAINED, "cut off: " + cut));
        }
    }

    private End end(Outcome outcome) {
        long unsentBytes = Math.max(lostBytes, WriteAccount.waitingBytes(channel));
        List<String> holds = event.getHolds();
        boolean isUnnamed = isCutShort && unsentBytes == 0 && holds.isEmpty();
        return new End(channel, outcome, isUnnamed ? List.of(UNSENT) : holds, unsentBytes);
    }

    private void execute(Executor starter) {
        try {
            starter.execute(() -> run(this::begin));
        } catch (RejectedExecutionException e) {
            run(this::begin);
        }
    }

    /** On the I/O thread; without memory for the task, the alarm has {@link #look} called. */
    private void run(Runnable step) {
        try {
            channel.getPipeline().execute(step);
        } catch (Error e) {
            alarm.retry();
        }
    }

    // ---- on the I/O thread ------------------------------------------------------------------------------------------

    private void begin() {
        if (!channel.isOpen()) {
            onClosed();
            return;
        }
        channel.getPipeline().addFirst(NAME, new ActivityWatch());
        ctx = channel.getPipeline().getContext(NAME);
        lastActiveNanos = System.nanoTime();
        try {
            channel.getPipeline().sendUpstream(event);
        } finally {
            state = State.WAITING;
        }
        check();
    }

    private final class ActivityWatch implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            if (isClosed(e)) {
                passClose(ctx, e);
                return;
            }
            if (!(e instanceof MessageEvent || e instanceof WriteCompletionEvent)) {
                ctx.sendUpstream(e);
                return;
            }
            onActive();
            ctx.sendUpstream(e);
            onActive(); // handlers may have taken long
        }

        private boolean isClosed(ChannelEvent e) {
            return e instanceof ChannelStateEvent change
                    && change.getState() == ChannelState.OPEN
                    && Boolean.FALSE.equals(change.getValue());
        }
    }

    private void onActive() {
        lastActiveNanos = System.nanoTime();
        isProbed = false;
    }

    /** A hold was released, the event claimed, or the account is empty; any thread. */
    private void onChanged() {
        run(this::check);
    }

    /** What is to be sent. Any thread. */
    private final class Account implements EmptiedAccounts.Watcher {
        @Override
        public void onEmptied() {
            if (channel.getCloseFuture().isDone()) { // handlers let go of what waited
                isCutShort = true;
            }
            onChanged();
        }

        @Override
        public void onLosing() {
            isCutShort = true;
        }
    }

    private void look() {
        if (ctx == null) {
            begin();
        } else {
            check();
        }
    }

    private void check() {
        boolean endsByItself = isCutShort || !channel.isOpen();
        if (state != State.WAITING || endsByItself || event.isHeld() || WriteAccount.waitingBytes(channel) > 0) {
            return;
        }
        long quietIn = quietNanos - (System.nanoTime() - lastActiveNanos);
        if (event.isClaimed()) {
            close();
        } else if (quietIn > 0) {
            if (!alarm.isSet()) {
                alarm.set(quietIn);
            }
        } else if (!isProbed) {
            isProbed = true;
            channel.getPipeline().sendUpstream(new QuietProbe(event));
            check();
        } else {
            close();
        }
    }

    private void close() {
        state = State.CLOSING;
        end.compareAndSet(null, end(event.wasHeld() ? Outcome.FINISHED : Outcome.IDLE));
        channel.close(CloseReason.of(CloseReason.Kind.DRAINED));
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    /** What waits is lost: the transport and the handlers are about to let go of it. Any thread; later the handler is told of the close. */
    private void onClosing() {
        lostBytes = WriteAccount.waitingBytes(channel);
        if (lostBytes > 0) {
            isCutShort = true;
        }
        if (ctx == null) {
            onClosed();
        }
    }

    /** The drain ends once handlers, also those above an executor, have released what they have no use for. */
    private void passClose(ChannelHandlerContext ctx, ChannelEvent closed) {
        if (!event.isHeld()) {
            ctx.sendUpstream(closed);
            onClosed();
            return;
        }
        DrainEvent ofExecutors = new DrainEvent(channel, this::onClosed);
        ctx.sendUpstream(new DrainedClose(channel, ofExecutors));
        if (!ofExecutors.wasHeld() || !event.isHeld()) {
            onClosed();
        }
    }

    private void onClosed() {
        finish(end(closedByOthers()));
    }

    private Outcome closedByOthers() {
        if (event.isHeld() || isCutShort && !event.isConcluded()) {
            return Outcome.BROKEN;
        }
        if (event.wasHeld()) {
            return Outcome.FINISHED;
        }
        return event.isClaimed() ? Outcome.IDLE : Outcome.LEFT;
    }

    private void finish(End present) {
        EmptiedAccounts.unwatch(channel);
        alarm.cancel();
        end.compareAndSet(null, present);
        ended.complete(end.get());
    }
}
