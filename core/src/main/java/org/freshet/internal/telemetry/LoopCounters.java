package org.freshet.internal.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;

/**
 * The counters of one loop. Only the loop's thread writes; any thread may read.
 *
 * <p>The fields are plain, because a loop writes some of them with each message. It makes a system call in each turn, and compilers don't
 * move the writes across it. The fields that the watch compares are opaque, because it relies on seeing them change within a turn.
 */
public final class LoopCounters {
    private static final VarHandle STEPS;
    private static final VarHandle CHANNEL_ID;
    private static final VarHandle TASK_CHANNEL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STEPS = lookup.findVarHandle(LoopCounters.class, "steps", long.class);
            CHANNEL_ID = lookup.findVarHandle(LoopCounters.class, "channelId", int.class);
            TASK_CHANNEL = lookup.findVarHandle(LoopCounters.class, "taskChannel", Channel.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Histogram iterations = new Histogram();
    private final Histogram queueDelays = new Histogram();
    private final long[] closed = new long[CloseReason.Kind.values().length];

    /** Channels served plus tasks run. */
    @SuppressWarnings("unused") // through STEPS
    private long steps;

    /** The id of the channel being served; 0 during a task. */
    @SuppressWarnings("unused") // through CHANNEL_ID
    private int channelId;

    /**
     * The channel that the current task works on; null if the task doesn't say, and between tasks. The selector may not know the channel
     * yet.
     */
    @SuppressWarnings("unused") // through TASK_CHANNEL
    private Channel taskChannel;

    /** Written by the watch. */
    private volatile boolean isStalled;

    /** When the loop's current work began; 0 while it waits. */
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

    /** Called when the loop turns to a channel. */
    public void beginChannel(int id) {
        CHANNEL_ID.setOpaque(this, id);
        STEPS.setOpaque(this, (long) STEPS.getOpaque(this) + 1);
    }

    public void beginTask() {
        tasks++;
        beginChannel(0);
    }

    /** Called when the current task works on a channel. */
    public void beginTaskOf(Channel channel) {
        TASK_CHANNEL.setRelease(this, channel);
        beginChannel(channel.hashCode());
    }

    public void endTask() {
        TASK_CHANNEL.setOpaque(this, null);
    }

    /** Whether the loop has had work since it last waited. */
    public boolean isBusy() {
        return busySinceNanos != 0;
    }

    public void beginWork(long nowNanos) {
        busySinceNanos = nowNanos == 0 ? 1 : nowNanos;
    }

    /** Called at the end of the turn. */
    public void endWork(long nowNanos) {
        if (isBusy()) {
            iterations.add(nowNanos - busySinceNanos);
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

    /** Called when a connection was made or accepted. */
    public void onOpened() {
        opened++;
    }

    /** Called when a connection that was counted as opened is closed. */
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

    /** Whether the watch last saw the loop in one handler, listener or task for too long. */
    public boolean isStalled() {
        return isStalled;
    }

    void setStalled(boolean isStalled) {
        this.isStalled = isStalled;
    }

    /** Returns the channel that the current task works on; null if it works on no channel, or no task runs. */
    public Channel taskChannel() {
        return (Channel) TASK_CHANNEL.getAcquire(this);
    }

    public Histogram iterations() {
        return iterations;
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
