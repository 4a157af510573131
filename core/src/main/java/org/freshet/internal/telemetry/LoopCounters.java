package org.freshet.internal.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.internal.FieldHandles;

/**
 * What one loop counts. The loop's thread alone writes; any thread may read.
 *
 * <p>The fields are plain, because a loop writes some of them with each message; it makes a system call in each turn, which the
 * compilers do not move them across. Those that the watch compares are opaque: it relies on seeing them change within a turn.
 */
public final class LoopCounters {
    private static final VarHandle STEPS = FieldHandles.of(MethodHandles.lookup(), "steps", long.class);
    private static final VarHandle CHANNEL_ID = FieldHandles.of(MethodHandles.lookup(), "channelId", int.class);
    private static final VarHandle TASK_CHANNEL = FieldHandles.of(MethodHandles.lookup(), "taskChannel", Channel.class);

    private final Histogram turns = new Histogram();
    private final Histogram queueDelays = new Histogram();
    private final long[] closed = new long[CloseReason.Kind.values().length];

    /** Channels served and tasks run. */
    @SuppressWarnings("unused") // through STEPS
    private long steps;

    /** Of the channel that is being served; 0 while it is a task. */
    @SuppressWarnings("unused") // through CHANNEL_ID
    private int channelId;

    /** That a task works on; null if the task does not say, and between tasks. The selector may not know it yet. */
    @SuppressWarnings("unused") // through TASK_CHANNEL
    private Channel taskChannel;

    /** Written by the watch. */
    private volatile boolean isStalled;

    /** When the loop went on working; 0 while it waits. */
    private long busySinceNanos;

    private long readyKeys;
    private long wakeUps;
    private long tasks;
    private long opened;
    private long reads;
    private long bytesRead;
    private long writes;
    private long bytesWritten;

    // ---- the loop ---------------------------------------------------------------------------------------------------

    /** The loop turns to a channel. */
    public void beginChannel(int id) {
        CHANNEL_ID.setOpaque(this, id);
        STEPS.setOpaque(this, (long) STEPS.getOpaque(this) + 1);
    }

    public void beginTask() {
        tasks++;
        beginChannel(0);
    }

    /** The task that is being run works on a channel. */
    public void beginTaskOf(Channel channel) {
        TASK_CHANNEL.setRelease(this, channel);
        beginChannel(channel.hashCode());
    }

    public void endTask() {
        TASK_CHANNEL.setOpaque(this, null);
    }

    /** Whether the loop has work since it waited last. */
    public boolean isBusy() {
        return busySinceNanos != 0;
    }

    public void beginWork(long nowNanos) {
        busySinceNanos = nowNanos == 0 ? 1 : nowNanos;
    }

    /** The turn ends. */
    public void endWork(long nowNanos) {
        if (isBusy()) {
            turns.add(nowNanos - busySinceNanos);
            busySinceNanos = 0;
        }
    }

    public void onReadyKey() {
        readyKeys++;
    }

    public void onWakeUp() {
        wakeUps++;
    }

    public void onQueueDelay(long nanos) {
        queueDelays.add(nanos);
    }

    public void onRead(long bytes) {
        reads++;
        bytesRead += Math.max(0, bytes);
    }

    public void onWrite(long bytes) {
        writes++;
        bytesWritten += bytes;
    }

    /** A connection was made or accepted. */
    public void onOpened() {
        opened++;
    }

    /** A connection that was counted as opened is closed. */
    public void onClosed(CloseReason.Kind kind) {
        closed[kind.ordinal()]++;
    }

    // ---- any thread -------------------------------------------------------------------------------------------------

    public long steps() {
        return (long) STEPS.getOpaque(this);
    }

    public int channelId() {
        return (int) CHANNEL_ID.getOpaque(this);
    }

    /** Whether the loop has been in one handler, listener or task for too long, as far as the watch has seen. */
    public boolean isStalled() {
        return isStalled;
    }

    void setStalled(boolean isStalled) {
        this.isStalled = isStalled;
    }

    /** Null for none. */
    public Channel taskChannel() {
        return (Channel) TASK_CHANNEL.getAcquire(this);
    }

    public Histogram turns() {
        return turns;
    }

    public Histogram queueDelays() {
        return queueDelays;
    }

    public long readyKeys() {
        return readyKeys;
    }

    public long wakeUps() {
        return wakeUps;
    }

    public long tasks() {
        return tasks;
    }

    public long opened() {
        return opened;
    }

    public long closed(CloseReason.Kind kind) {
        return closed[kind.ordinal()];
    }

    public long reads() {
        return reads;
    }

    public long bytesRead() {
        return bytesRead;
    }

    public long writes() {
        return writes;
    }

    public long bytesWritten() {
        return bytesWritten;
    }
}
