package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.socket.nio.loop.Deadlines;
import org.freshet.channel.socket.nio.loop.LoopChannel;
import org.freshet.channel.socket.nio.loop.LoopRecovery;
import org.freshet.channel.socket.nio.loop.LoopSelector;
import org.freshet.channel.socket.nio.loop.LoopTasks;
import org.freshet.channel.socket.nio.loop.LoopThread;
import org.freshet.channel.socket.nio.loop.LoopView;
import org.freshet.channel.socket.nio.loop.Platform;
import org.freshet.channel.socket.nio.loop.ReusableTask;
import org.freshet.channel.socket.nio.pool.LoopRole;
import org.freshet.channel.socket.nio.request.RequestRuns;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.telemetry.LoopCounters;
import org.freshet.internal.telemetry.LoopWatch;
import org.freshet.internal.telemetry.WatchedLoop;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.telemetry.LoopStats;

/**
 * One thread, one selector and one task queue: the base of every boss and worker. Read {@link #run} first.
 *
 * <p>Threading: the loop's thread alone touches the selector, its keys, their sockets and every field marked "Loop
 * only." Other threads come in only through {@link #tasks} and {@link #requestStop}. Methods named {@code onX} run on
 * the loop.
 *
 * <p>The loop waits only in its selector. It does not end because a channel or a task fails: only that channel is
 * closed, and a task's failure is logged. This also holds when memory is exhausted; {@link LoopRecovery} keeps the work
 * that is then left.
 */
abstract class NioLoop implements Runnable {
    /** Limits the tasks per turn, so threads that submit without pause cannot starve the sockets. */
    private static final int MAX_TASKS_A_TURN = 4096;

    /** How many rounds of tasks may submit further tasks while the loop ends; later ones are refused. */
    private static final int MAX_ROUNDS_AT_END = 1000;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioLoop.class);

    private final LoopTasks tasks;
    private final LoopThread thread = new LoopThread();

    /** Other threads only wake it up. */
    private final LoopSelector selector;

    /** Loop only. Turns so far, to distinguish a working loop from a spinning one. */
    private long turns;

    /** Loop only. Failed selects since the last successful one. */
    private int failedSelects;

    /** Loop only. The flush in progress, or null. Only one runs at a time, so flushes do not nest. */
    private Flusher flushing;

    /** Loop only. */
    private final RequestRuns requestRuns = new RequestRuns();

    /** Loop only. */
    private final LoopRecovery recovery = new LoopRecovery();

    /** Loop only. */
    private final LoopChannels channels;

    private final LoopCounters counters = new LoopCounters();
    private final LongSupplier nanoClock;
    private final boolean isWatched;
    private final WatchedLoop watched = new LoopSight(this);
    private final LoopStats stats = new LoopView(watched);
    private final Runnable closeChannelsAction;
    private final ReusableTask stopTask = new ReusableTask(thread::stop);

    /** Loop only. */
    private final Deadlines deadlines;

    /** Loop only. */
    private final WriteStalls writeStalls;

    /** Loop only. */
    private final BrokenOutputs brokenOutputs;

    NioLoop(Platform platform) {
        nanoClock = platform.nanoClock();
        isWatched = platform.isWatched();
        deadlines = new Deadlines(nanoClock);
        writeStalls = new WriteStalls(deadlines);
        brokenOutputs = new BrokenOutputs(deadlines);
        selector = new LoopSelector(platform.provider(), this::handleReadyKey, counters);
        tasks = new LoopTasks(thread, selector, recovery, counters);
        channels = new LoopChannels(selector, recovery, counters);
        closeChannelsAction = channels::closeAll;
    }

    abstract LoopRole role();

    /** Handles a key that the selector reported. If it throws, the exception goes to {@link LoopChannel#onFailed}. */
    abstract void onReady(SelectionKey key) throws IOException;

    // ---- any thread -------------------------------------------------------------------------------------------------

    final boolean inLoop() {
        return thread.isCurrent();
    }

    /** Returns whether the caller is the thread of any loop. */
    static boolean inAnyLoop() {
        return LoopThread.isAnyCurrent();
    }

    final boolean isRunning() {
        return thread.isRunning();
    }

    final LoopTasks tasks() {
        return tasks;
    }

    /** See {@link LoopTasks#submit}. */
    final boolean submit(Runnable task) {
        return tasks.submit(task);
    }

    /**
     * Moves every channel of this loop to a new selector, in case a selector misbehaves. Any thread may call it. The
     * loop does it in its next iteration, or not at all once it has been shut down.
     */
    public void rebuildSelector() {
        submit(channels::moveToNewSelector);
    }

    /** Allocates nothing, so it works when memory is exhausted. */
    final void requestStop() {
        stopTask.submitTo(tasks);
    }

    final boolean awaitStarted(long timeoutNanos) throws InterruptedException {
        return thread.awaitStarted(timeoutNanos);
    }

    final LoopCounters counters() {
        return counters;
    }

    final LoopStats stats() {
        return stats;
    }

    final LoopThread thread() {
        return thread;
    }

    final LoopSelector selector() {
        return selector;
    }

    final void awaitStopped() {
        thread.awaitStopped();
    }

    /** For a loop that its executor will never run, or might run much too late. */
    final void abandon() {
        if (thread.abandon()) {
            tasks.close();
            selector.close();
            thread.end();
        } else {
            requestStop();
        }
    }

    // ---- the loop ---------------------------------------------------------------------------------------------------

    @Override
    public final void run() {
        if (!begin()) {
            return;
        }
        try {
            if (isWatched) {
                LoopWatch.instance().register(watched);
            }
            while (thread.isRunning()) {
                runTurn();
            }
        } finally {
            LoopWatch.instance().unregister(watched); // does nothing if it was not registered
            end();
        }
    }

    /**
     * One turn: an iteration of the loop. While the heap is full, a task may take long to fail, so closes come between any two tasks: they free
     * memory. Tests call it on their own thread, between {@link #begin} and {@link #end}.
     */
    final void runTurn() {
        turns++;
        try {
            trySelect();
            thread.wakeUps().run();
            tasks.run(HeapReserve.isMissing() ? 1 : MAX_TASKS_A_TURN);
            channels.flushWritten();
            channels.closeAsked();
            deadlines.expire();
            recovery.closeChannels(closeChannelsAction);
            if (recovery.takeSelectorSuspicion()) {
                channels.moveToNewSelector();
            }
            thread.wakeUps().run();
        } catch (Throwable t) {
            onTurnFailed(t);
        }
        counters.endWork(nanoClock.getAsLong());
    }

    /** Never throws: with memory exhausted, even resolving a constant can fail. */
    private void onTurnFailed(Throwable t) {
        try {
            recovery.log("an I/O loop failed in its turn and continues", t);
        } catch (Throwable nextTurnFailsAsWell) {
            recovery.logLater(t);
        }
    }

    final boolean begin() {
        return thread.begin();
    }

    /** For tests; see {@link LoopThread#attach}. */
    final void attach() {
        thread.attach();
    }

    /** For tests. */
    final void detach() {
        thread.detach();
    }

    /**
     * Replaces a selector that fails. The rest of the turn follows: the loop must reach its tasks, including the last
     * one.
     */
    private void trySelect() {
        try {
            select();
            failedSelects = 0;
        } catch (Throwable t) {
            onSelectFailed(t);
        }
    }

    /** Never throws. A new selector may fail too; then the loop pauses, longer each time, rather than spin. */
    private void onSelectFailed(Throwable t) {
        try {
            onWork();
            recovery.log("the selector of an I/O loop failed", t);
            if (failedSelects++ > 0) {
                selector.pause(failedSelects);
            }
            if (!(t instanceof OutOfMemoryError)) { // otherwise it is replaced when memory is back
                channels.moveToNewSelector();
            }
        } catch (Throwable nextSelectFailsAsWell) {
            recovery.logLater(t);
        }
    }

    /** Waits for readiness, tasks or the next deadline, and handles each ready key. */
    private void select() throws IOException {
        long timeoutMillis = recovery.isPending() ? LoopRecovery.RETRY_MILLIS : deadlines.millisToNext();
        selector.beginSelect();
        boolean isWaitExplained = true;
        if (hasWork() || timeoutMillis == 0) {
            selector.selectNow();
        } else {
            isWaitExplained = selector.select(Math.max(timeoutMillis, 0));
        }
        onWork();
        if (!isWaitExplained) {
            onNothingSelected();
        }
    }

    /** Called when the wait is over: from here to the end of the turn the loop is busy. */
    private void onWork() {
        if (!counters.isBusy()) {
            counters.beginWork(nanoClock.getAsLong());
        }
    }

    /** Called when a wait has ended with neither a ready key nor a wake-up. */
    private void onNothingSelected() {
        if (Thread.interrupted()) { // a pending interrupt would end every later wait immediately
            logger.debug("an I/O loop was interrupted and continues; only shutdown() ends it");
        } else if (recovery.isPending() || deadlines.millisToNext() == 0) {
            selector.onDeadline();
        } else if (selector.isSpinning()) {
            logger.warn("a selector keeps returning without cause; moving its channels to a new one");
            channels.moveToNewSelector();
        }
    }

    private boolean hasWork() {
        return !tasks.isEmpty() || channels.hasWork() || !thread.wakeUps().isEmpty();
    }

    private void handleReadyKey(SelectionKey key) {
        onWork();
        counters.onReadyKey();
        counters.beginChannel(key.attachment().hashCode());
        try {
            onReady(key);
        } catch (Throwable t) {
            channels.fail((LoopChannel) key.attachment(), t);
        }
    }

    // ---- shutdown ---------------------------------------------------------------------------------------------------

    /**
     * Closes every channel, runs every task submitted before the end, and closes the selector. Tasks that keep
     * submitting others are eventually refused.
     */
    final void end() {
        try {
            thread.stop();
            boolean isFinished;
            int rounds = 0;
            do {
                if (++rounds == MAX_ROUNDS_AT_END) {
                    tasks.refuse();
                }
                isFinished = tryFinishWork();
            } while (!isFinished || hasWork() || channels.isAnyUnregistered() || !tasks.closeIfEmpty());
        } finally { // other threads may be waiting for the end
            tasks.close();
            selector.close();
            thread.end();
        }
    }

    /** Returns false if something failed and must be retried. */
    private boolean tryFinishWork() {
        try {
            channels.closeAll();
            tasks.run(tasks.pending(MAX_TASKS_A_TURN)); // tasks submitted by these run in the next round
            channels.flushWritten();
            channels.closeAsked();
            recovery.closeChannels(closeChannelsAction);
            thread.wakeUps().run();
            return true;
        } catch (Throwable t) {
            recovery.logLater(t);
            return false;
        }
    }

    // ---- for channels, on the loop ----------------------------------------------------------------------------------

    final SelectionKey onRegister(SelectableChannel socket, int ops, LoopChannel channel) throws IOException {
        assert inLoop();
        SelectionKey key = selector.register(socket, ops, channel);
        if (isRunning()) {
            channels.removeUnregistered(channel);
        } else {
            channels.addUnregistered(channel); // those with keys have been closed already
        }
        return key;
    }

    /** Remembers a channel without a key, to close it when the loop stops. */
    final void onOpened(LoopChannel channel) {
        assert inLoop();
        channels.addUnregistered(channel);
    }

    final void onForgotten(LoopChannel channel) {
        assert inLoop();
        channels.removeUnregistered(channel);
    }

    /** Makes the channel send at the end of this turn. */
    final void onWritten(NioChannel channel) {
        assert inLoop();
        channels.addWritten(channel);
    }

    /** Closes at the end of this turn, so no handler sees its channel closed while it runs. */
    final void onCloseAsked(LoopChannel.ClosableChannel channel, ChannelFuture future) {
        assert inLoop();
        channels.addClosing(channel, future);
    }

    /** Makes a channel report its failure and close. Never throws. */
    final void onChannelFailed(LoopChannel channel, Throwable cause) {
        channels.fail(channel, cause);
    }

    /**
     * Makes the kernel close sockets that were closed: a listener keeps accepting until its selector has removed the
     * key during a select. Must not be called while a ready key is handled, which is within a select.
     */
    final void onReleaseClosed() throws IOException {
        assert inLoop();
        selector.selectNow();
    }

    /** Returns the reason for a close by the loop itself. Allocates nothing. */
    final CloseReason closingReason() {
        return thread.isRunning() ? CloseReason.of(CloseReason.Kind.HANDLER_FAILED) : CloseReason.SHUTDOWN;
    }

    /** Returns the connections of a server that this loop drives. */
    final List<Channel> childrenOf(Channel server) {
        assert inLoop();
        List<Channel> children = new ArrayList<>();
        for (LoopChannel channel : selector.channels()) {
            if (channel instanceof Channel child && child.getParent() == server) {
                children.add(child);
            }
        }
        return children;
    }

    final long turns() {
        assert inLoop();
        return turns;
    }

    final RequestRuns requestRuns() {
        assert inLoop();
        return requestRuns;
    }

    /** Returns null if no flush is in progress. */
    final Flusher flushing() {
        assert inLoop();
        return flushing;
    }

    /** @param flusher null at the end */
    final void onFlushing(Flusher flusher) {
        assert inLoop();
        flushing = flusher;
    }

    final Deadlines deadlines() {
        assert inLoop();
        return deadlines;
    }

    final WriteStalls writeStalls() {
        assert inLoop();
        return writeStalls;
    }

    final BrokenOutputs brokenOutputs() {
        assert inLoop();
        return brokenOutputs;
    }

    /** Keeps a failure until the next message is logged. Allocates nothing. */
    final void logLater(Throwable t) {
        assert inLoop();
        recovery.logLater(t);
    }
}
