package org.freshet.channel.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.transport.LifecycleEvents;
import org.freshet.internal.transport.StallTimer;
import org.freshet.internal.transport.WriteLimit;
import org.freshet.internal.transport.WriteStall;

/**
 * What one end has written: the messages that the other end has not taken, their limit, and the events that say how many were taken and
 * whether the channel is writable.
 *
 * <p>Threading: any thread may call, but for methods marked "Events only.", as in {@link DefaultLocalChannel}.
 */
final class LocalWrites implements StallTimer.Queue {
    /** Whether pending bytes have passed the high water mark, and not come down to the low one since. */
    private enum Congestion {
        CLEAR,
        /** A writer is making the channel unwritable, and queues the event that follows. */
        MARKING,
        /** The channel is unwritable; {@link #onPendingChanged} makes it writable again. */
        CONGESTED
    }

    private static final VarHandle CONGESTION;

    static {
        try {
            CONGESTION = MethodHandles.lookup().findVarHandle(LocalWrites.class, "congestion", Congestion.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final DefaultLocalChannel channel;
    private final LocalConfig config;

    /** Events only. */
    private final LifecycleEvents events;

    private final Outbox outbox = new Outbox();

    /** Messages that were sent, without a writeComplete so far. */
    private final AtomicInteger unreported = new AtomicInteger();

    private final StallTimer stalls = new StallTimer(this);

    private volatile Congestion congestion = Congestion.CLEAR;

    LocalWrites(DefaultLocalChannel channel, LocalConfig config, LifecycleEvents events) {
        this.channel = channel;
        this.config = config;
        this.events = events;
    }

    /** The other end takes from it. */
    Outbox outbox() {
        return outbox;
    }

    long pendingBytes() {
        return outbox.pendingBytes();
    }

    /** 0 for none. */
    int limitBytes() {
        int limit = config.writeBound().limitBytes();
        return limit == 0 ? 0 : Math.max(limit, config.waterMarks().high());
    }

    // ---- sending ----------------------------------------------------------------------------------------------------

    /** Call while the channel is connected, as for {@link #send}. */
    void sendWithinLimit(MessageEvent message) {
        Exception refusal = overflow(message);
        if (refusal == null) {
            send(message);
            if (stallMillis() > 0) {
                stalls.onQueued();
            }
        } else {
            message.getFuture().setFailure(refusal);
        }
    }

    /** Returns null if the message may wait. Writers that ask at the same time may each add one. */
    private Exception overflow(MessageEvent message) {
        int limit = limitBytes();
        if (limit == 0) {
            return null;
        }
        long bytes = Outbox.bytesOf(message.getMessage());
        BooleanSupplier hasRoom = () -> WriteLimit.hasRoom(limit, outbox.pendingBytes(), bytes);
        return hasRoom.getAsBoolean() || WriteLimit.isDecidedAbove(channel)
                ? null
                : WriteLimit.refusal(channel, bytes, hasRoom);
    }

    void send(MessageEvent event) {
        DefaultLocalChannel to = channel.peer();
        Outbox.Message message = outbox.add(event);
        if (outbox.pendingBytes() > config.waterMarks().high()) {
            markCongested();
        }
        if (channel.isClosed() || to.isClosed()) { // the thread that closed an end may have missed the message
            CloseReason reason = channel.isClosed() ? channel.getCloseReason() : CloseReason.PEER_CLOSED;
            outbox.fail(message, new ChannelClosedException(reason));
        }
        to.takeLater();
    }

    // ---- what the other end has taken -------------------------------------------------------------------------------

    /** For the other end, which has taken the message. */
    void succeed(Outbox.Message message) {
        if (outbox.succeed(message)) {
            unreported.incrementAndGet();
            channel.later(this::onTaken);
        }
    }

    /** Counts what still waits as sent; the other end may take it after this one has closed. */
    void succeedAll() {
        unreported.addAndGet(outbox.succeedAll());
    }

    /** Events only. */
    private void onTaken() {
        announceWritten();
        onPendingChanged();
    }

    /** Events only. The unit of "how much" is messages here. */
    void announceWritten() {
        events.written(unreported.getAndSet(0));
    }

    // ---- writability ------------------------------------------------------------------------------------------------

    private void markCongested() {
        if (congestion == Congestion.CLEAR && CONGESTION.compareAndSet(this, Congestion.CLEAR, Congestion.MARKING)) {
            boolean changed = channel.becomeUnwritable();
            congestion = Congestion.CONGESTED;
            channel.later(() -> onCongested(changed));
        }
    }

    /** Events only. */
    private void onCongested(boolean changed) {
        if (changed) {
            events.writability();
        }
        onPendingChanged();
    }

    /** Events only. */
    private void onPendingChanged() {
        if (congestion != Congestion.CONGESTED
                || outbox.pendingBytes() > config.waterMarks().low()) {
            return;
        }
        boolean changed = channel.becomeWritable();
        congestion = Congestion.CLEAR;
        if (outbox.pendingBytes() > config.waterMarks().high()) { // by a writer that saw the channel marked
            markCongested();
        }
        if (changed) {
            events.writability();
        }
    }

    // ---- stalls -----------------------------------------------------------------------------------------------------

    @Override
    public Object head() {
        return channel.isClosed() ? null : outbox.peek();
    }

    /** A message is taken as a whole. */
    @Override
    public long sentBytes() {
        return 0;
    }

    @Override
    public int stallMillis() {
        return config.writeBound().stallMillis();
    }

    @Override
    public void onStalled(int stallMillis) {
        channel.giveUp(WriteStall.reason(stallMillis, outbox.pendingBytes()));
    }
}
