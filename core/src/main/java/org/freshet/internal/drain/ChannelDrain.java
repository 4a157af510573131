package org.freshet.internal.drain;

import java.util.ArrayList;
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
 * Lets one channel finish its work and closes it: sends a {@link DrainEvent} up, waits until no handler holds the channel and nothing waits
 * to be sent, and closes.
 *
 * <p>Threading: any thread may call {@link #start} and {@link #cut}; the rest runs on the channel's I/O thread. During the drain, the
 * lowest handler of the pipeline watches for reads and writes. A channel that is not being drained has no instance of this class.
 */
public final class ChannelDrain {
    /** How the channel ended. */
    public enum Outcome {
        /** Its work was done. */
        FINISHED,
        /** It had no work. */
        IDLE,
        /** The peer or a handler closed it before the drain did. */
        DISCONNECTED,
        /** The peer or a failure closed it while a handler held it or something waited to be sent, or a handler abandoned its work. */
        LOST,
        /** It did not finish in time. */
        CUT
    }

    /**
     * @param holds what still held the channel or was abandoned, or a note that an unknown amount of output was lost; empty unless it was broken or cut
     * @param unsentBytes what still waited to be sent, as counted by its account
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
        /** Waiting for holds to be released, for the account to be empty and, unless claimed, for silence. */
        WAITING,
        /** The channel has been asked to close. */
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

    /** Checks again when the channel may have been silent for long enough, and after a step failed for lack of memory. */
    private final Alarm alarm;

    /** The backlog when the channel closed; 0 before that, or if the transport had already released it. */
    private volatile long lostBytes;

    /** Whether part of the backlog was not sent because the channel closed. */
    private volatile boolean isCutShort;

    /** Null until the drain has begun; set on the I/O thread. */
    private volatile ChannelHandlerContext ctx;

    // ---- I/O thread only ----

    private State state = State.STARTING;
    private long lastActiveNanos;

    /** Whether a probe has been sent up since the last read or write. */
    private boolean isProbed;

    private ChannelDrain(Channel channel, long quietNanos) {
        this.channel = channel;
        this.quietNanos = quietNanos;
        event = new DrainEvent(channel, this::onChanged);
        alarm = new Alarm(null, channel.getPipeline()::execute, this::look);
    }

    /**
     * Starts to drain the channel. If the channel is already being drained, that drain continues with its own settings.
     *
     * @param quietNanos how long nothing must have been read or sent before a channel is closed whose event no handler claimed
     * @param starter runs the task that sends the event up, if the channel has no loop to do it
     */
    public static ChannelDrain start(Channel channel, long quietNanos, Executor starter) {
        ChannelDrain drain = new ChannelDrain(channel, quietNanos);
        ChannelDrain present = CURRENT.setIfAbsent(channel, drain);
        if (present != null) {
            return present;
        }
        EmptiedAccounts.watch(channel, drain.new Account()); // first: the end removes it
        channel.getCloseFuture().addListener(closed -> drain.onClosing());
        drain.execute(starter);
        return drain;
    }

    /** Completes when the channel is closed or was cut off, on a thread that must not be blocked. */
    public CompletableFuture<End> ended() {
        return ended;
    }

    /** Closes the channel immediately, even if something holds it. */
    public void cut() {
        if (channel.getCloseFuture().isDone()) {
            onClosed(); // an executor that refuses tasks may have hidden the close
        } else {
            End cut = end(Outcome.CUT);
            if (cut.unsentBytes() > 0 && !event.isComplete() || event.isHeld()) {
                end.set(cut); // everything written after the drain requested the close is lost
            }
            finish(cut);
            channel.close(CloseReason.of(CloseReason.Kind.DRAINED, "cut off: " + cut));
        }
    }

    private End end(Outcome outcome) {
        long unsentBytes = Math.max(lostBytes, WriteAccount.waitingBytes(channel));
        List<String> holds = new ArrayList<>(event.getAbandoned());
        holds.addAll(event.getHolds());
        boolean isUnnamed = isCutShort && unsentBytes == 0 && holds.isEmpty();
        return new End(channel, outcome, isUnnamed ? List.of(UNSENT) : List.copyOf(holds), unsentBytes);
    }

    private void execute(Executor starter) {
        try {
            starter.execute(() -> run(this::begin));
        } catch (RejectedExecutionException e) {
            run(this::begin);
        }
    }

    /** Runs a step on the I/O thread. If there is no memory for the task, the alarm calls {@link #look} later. */
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
            onActive(); // handlers may have taken a long time
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

    /** Called when a hold is released, the event claimed or the account empty; on any thread. */
    private void onChanged() {
        run(this::check);
    }

    /** Watches the backlog. Any thread. */
    private final class Account implements EmptiedAccounts.Watcher {
        @Override
        public void onEmptied() {
            if (channel.getCloseFuture().isDone()) { // handlers released their backlog unsent
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
        boolean isLost = !event.getAbandoned().isEmpty();
        end.compareAndSet(null, end(isLost ? Outcome.LOST : event.wasHeld() ? Outcome.FINISHED : Outcome.IDLE));
        channel.close(CloseReason.of(CloseReason.Kind.DRAINED));
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    /**
     * Records that the backlog is lost: the transport and the handlers are about to drop it. Any thread; the close reaches the handlers
     * later.
     */
    private void onClosing() {
        lostBytes = WriteAccount.waitingBytes(channel);
        if (lostBytes > 0) {
            isCutShort = true;
        }
        if (ctx == null) {
            onClosed();
        }
    }

    /** The drain ends once handlers, including those above an executor, have released what they no longer need. */
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
        if (event.isHeld() || !event.getAbandoned().isEmpty() || isCutShort && !event.isComplete()) {
            return Outcome.LOST;
        }
        if (event.wasHeld()) {
            return Outcome.FINISHED;
        }
        return event.isClaimed() ? Outcome.IDLE : Outcome.DISCONNECTED;
    }

    private void finish(End present) {
        EmptiedAccounts.unwatch(channel);
        alarm.cancel();
        end.compareAndSet(null, present);
        ended.complete(end.get());
    }
}
