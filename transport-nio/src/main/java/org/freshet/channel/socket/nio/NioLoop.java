package org.freshet.channel.socket.nio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.channel.ChannelException;
import org.freshet.channel.ChannelFuture;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One thread, one selector and one queue of tasks: the heart of every boss and worker.
 *
 * <p>Threading: the loop's thread alone touches the selector, its keys, the sockets behind them and every field marked
 * "Loop only." Other threads come in through {@link #submit} and {@link #requestStop}, and nothing else. Methods named
 * {@code onX} run on the loop.
 *
 * <p>The loop never sleeps but in its selector and never dies of a failing channel or task: that one is closed or logged alone. This
 * holds when memory is exhausted, too: what handles a failure allocates nothing before it has noted what remains to be done, and what
 * remains is done in a later turn.
 */
abstract class NioLoop implements Runnable {
    /** NEW, then RUNNING, then STOPPING, then STOPPED; a loop that never got a thread goes from NEW to STOPPED. */
    enum State {
        NEW,
        RUNNING,
        STOPPING,
        STOPPED
    }

    /** So that threads that submit without pause cannot keep the loop from its sockets. */
    private static final int MAX_TASKS_A_TURN = 4096;

    /** Between attempts to do what failed for want of memory. */
    private static final long RETRY_MILLIS = 10;

    /** Memory comes back as garbage is collected, some megabytes at a time; with so much there is enough to go on. */
    private static final int PROBE_BYTES = 1024 * 1024;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(NioLoop.class);
    private static final ThreadLocal<NioLoop> CURRENT = new ThreadLocal<>();
    private static final VarHandle SELECTING;
    private static final VarHandle STATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            // Loads what the JDK needs to close selectors and sockets: there may be no descriptor or no memory for it
            // later.
            Selector.open().close();
            Objects.requireNonNull(StandardSocketOptions.SO_LINGER);
            SELECTING = lookup.findVarHandle(NioLoop.class, "selecting", boolean.class);
            STATE = lookup.findVarHandle(NioLoop.class, "state", State.class);
        } catch (ReflectiveOperationException | IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SelectorProvider provider;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Consumer<SelectionKey> readyKeyAction = this::handleReadyKey;
    private final Runnable closeChannelsAction = this::closeChannels;
    private final Consumer<LoopChannel> closeAction = this::closeNow;
    private final SpinGuard spinGuard = new SpinGuard();

    /** True from just before the loop blocks until it, or the one thread that wakes it, says otherwise. */
    @SuppressWarnings("unused") // through SELECTING
    private volatile boolean selecting;

    private volatile State state = State.NEW;
    private volatile Thread thread;

    /** Replaced by the loop when it is rebuilt; others only wake it. */
    private volatile Selector selector;

    /** Loop only. Turns made so far, to tell a loop that works from one that spins. */
    private long turns;

    /** Loop only. Channels that wait for the end of the turn to send what was written to them. */
    private final ArrayDeque<NioChannel> written = new ArrayDeque<>();

    /** Loop only. */
    private final Nesting nesting = new Nesting();

    /** Loop only. What was asked to close in this turn. */
    private final ArrayDeque<CloseRequest> closing = new ArrayDeque<>();

    /** Loop only. */
    private final BrokenChannels broken = new BrokenChannels();

    /** Loop only. Whether memory ran out within a turn, which may have left the JDK's selector with keys that are in part forgotten. */
    private boolean isSelectorSuspect;

    /** Loop only. A field, so that no compiler leaves the allocation out. */
    @SuppressWarnings("unused")
    private byte[] probe;

    /** Loop only. The first failure that could not be logged, to be logged later; null if there is none. */
    private Throwable unlogged;

    /** Loop only. Channels of this loop that no key stands for, to be closed when the loop stops. */
    private final Set<LoopChannel> unregistered = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Loop only. */
    private final Deadlines deadlines;

    NioLoop(Platform platform) {
        provider = platform.provider();
        deadlines = new Deadlines(platform.nanoClock());
        try {
            selector = provider.openSelector();
        } catch (IOException e) {
            throw new ChannelException("failed to open a selector", e);
        }
    }

    /** Handles a key that the selector reported; what it throws goes to {@link LoopChannel#onFailed}. */
    abstract void onReady(SelectionKey key) throws IOException;

    // ---- any thread -------------------------------------------------------------------------------------------------

    final boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    /** Whether the caller is the thread of any loop at all. */
    static boolean inAnyLoop() {
        return CURRENT.get() != null;
    }

    final boolean isRunning() {
        return state == State.RUNNING;
    }

    /**
     * Leaves a task for the loop.
     *
     * @return false if the loop has stopped and will never run the task; every other task is run, also while it stops
     */
    final boolean submit(Runnable task) {
        tasks.add(task);
        if (state == State.STOPPED && tasks.remove(task)) {
            return false;
        }
        wakeUp();
        return true;
    }

    /** Runs a task now when the caller is the loop, else leaves it for the loop; as {@link #submit} otherwise. */
    final boolean execute(Runnable task) {
        if (inLoop()) {
            task.run();
            return true;
        }
        return submit(task);
    }

    /** As {@link #submit}, or {@link #execute} unless {@code alwaysAsync}, for callers who are users. */
    final void executeOrReject(Runnable task, boolean alwaysAsync) {
        if (alwaysAsync ? !submit(task) : !execute(task)) {
            throw new RejectedExecutionException("the I/O loop has been shut down");
        }
    }

    /** One system call, and only when the loop really sleeps or is about to. */
    private void wakeUp() {
        if (selecting && SELECTING.compareAndSet(this, true, false)) {
            selector.wakeup();
        }
    }

    /**
     * Moves every channel of this loop to a new selector, for when a selector misbehaves. Any thread may call; the loop does it in its
     * next iteration, and not at all once it has been shut down.
     */
    public void rebuildSelector() {
        submit(this::onRebuildSelector);
    }

    final void requestStop() {
        submit(() -> {
            if (state == State.RUNNING) {
                state = State.STOPPING;
            }
        });
    }

    final boolean awaitStarted(long timeoutNanos) throws InterruptedException {
        return started.await(timeoutNanos, TimeUnit.NANOSECONDS);
    }

    /** Waits without end, because an interrupted caller would leave sockets open; the interrupt is kept. */
    final void awaitStopped() {
        boolean interrupted = false;
        while (true) {
            try {
                stopped.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** For a loop that its executor will never run, or may run much too late. */
    final void abandon() {
        if (STATE.compareAndSet(this, State.NEW, State.STOPPED)) {
            closeSelector();
            stopped.countDown();
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
            while (state == State.RUNNING) {
                runTurn();
            }
        } finally {
            end();
        }
    }

    /** One turn: an iteration of the loop. A test calls it on its own thread, between {@link #begin} and {@link #end}. */
    final void runTurn() {
        turns++;
        try {
            select();
            runTasks();
            flushWritten();
            closeAsked();
            deadlines.expire();
            closeBroken();
            replaceSuspectSelector();
        } catch (Throwable t) {
            onTurnFailed(t);
        }
    }

    /** Throws nothing: even to resolve the constants of this code may take memory that there is not. */
    private void onTurnFailed(Throwable t) {
        try {
            log("an I/O loop failed in its turn and goes on", t);
            if (!selector.isOpen()) {
                onRebuildSelector();
            }
        } catch (Throwable nextTurnFailsAsWell) {
            logLater(t);
        }
    }

    /** Makes the caller the loop's thread; false if the loop was abandoned before it got one. */
    final boolean begin() {
        if (!STATE.compareAndSet(this, State.NEW, State.RUNNING)) {
            return false;
        }
        attach();
        started.countDown();
        return true;
    }

    /** Makes the caller the loop's thread. A test that runs several loops attaches one at a time. */
    final void attach() {
        thread = Thread.currentThread();
        CURRENT.set(this);
    }

    final void detach() {
        CURRENT.remove();
        thread = null;
    }

    /** Waits for readiness, tasks or the next deadline, and handles each ready key. */
    private void select() throws IOException {
        long timeoutMillis = isRecovering() ? RETRY_MILLIS : deadlines.millisToNext();
        selecting = true;
        if (hasWork() || timeoutMillis == 0) {
            selecting = false;
            selector.selectNow(readyKeyAction);
        } else {
            int ready = selector.select(readyKeyAction, Math.max(timeoutMillis, 0));
            boolean woken = !selecting;
            selecting = false;
            if (ready > 0 || woken) {
                spinGuard.onCause();
            } else {
                onNothingSelected();
            }
        }
    }

    /** A wait has ended with neither a ready key nor a wake-up. */
    private void onNothingSelected() {
        if (Thread.interrupted()) { // an interrupt that stays set ends every later wait at once
            logger.debug("an interrupted I/O loop goes on: only shutdown() ends it");
        } else if (isRecovering() || deadlines.millisToNext() == 0) {
            spinGuard.onCause();
        } else if (spinGuard.isSpinning()) {
            logger.warn("a selector keeps returning without cause; moving its channels to a new one");
            onRebuildSelector();
        }
    }

    private boolean hasWork() {
        return !tasks.isEmpty() || !written.isEmpty() || !closing.isEmpty();
    }

    private void handleReadyKey(SelectionKey key) {
        if (selecting) {
            selecting = false;
        }
        try {
            onReady(key);
        } catch (Throwable t) {
            onChannelFailed((LoopChannel) key.attachment(), t);
        }
    }

    /** Has a channel report its failure and close; throws nothing. */
    final void onChannelFailed(LoopChannel channel, Throwable cause) {
        noteMemory(cause);
        try {
            channel.onFailed(cause);
        } catch (Throwable alsoFailed) {
            broken.add(channel);
            noteMemory(alsoFailed);
            log("failed to report the failure of a channel, which is closed", alsoFailed);
        }
    }

    private void runTasks() {
        for (int i = 0; i < MAX_TASKS_A_TURN; i++) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            runSafely(task, "a task of an I/O loop failed");
        }
    }

    private void flushWritten() {
        // What listeners write meanwhile to further channels waits for the next turn, so that sockets are not starved.
        for (int i = written.size(); i > 0; i--) {
            NioChannel channel = written.poll();
            try {
                channel.flusher().onTurnEnds();
            } catch (Throwable t) {
                onChannelFailed(channel, t);
            }
        }
    }

    private void closeAsked() {
        for (CloseRequest request = closing.poll(); request != null; request = closing.poll()) {
            try {
                request.channel.onClose(request.future);
            } catch (Throwable t) {
                broken.add(request.channel);
                log("failed to close a channel", t);
            }
        }
    }

    /** Whether something that failed for want of memory is still to be done. */
    private boolean isRecovering() {
        return isSelectorSuspect || !broken.isEmpty();
    }

    private void closeBroken() {
        if (!broken.isEmpty()) {
            broken.close(closeChannelsAction);
        }
    }

    /** Once memory is back: the JDK does not undo what it had begun when memory ran out, such as the registration of a socket. */
    private void replaceSuspectSelector() {
        if (isSelectorSuspect && broken.isEmpty() && isMemoryBack()) {
            isSelectorSuspect = false;
            onRebuildSelector();
        }
    }

    private boolean isMemoryBack() {
        try {
            probe = new byte[PROBE_BYTES];
            return true;
        } catch (OutOfMemoryError notYet) {
            return false;
        } finally {
            probe = null;
        }
    }

    private void runSafely(Runnable task, String failureMessage) {
        try {
            task.run();
        } catch (Throwable t) {
            log(failureMessage, t);
        }
    }

    private void noteMemory(Throwable t) {
        if (t instanceof OutOfMemoryError) {
            isSelectorSuspect = true;
        }
    }

    /** A JVM without memory or descriptors may be unable to log, or to load what logging needs; then the next message says so. */
    private void log(String message, Throwable t) {
        noteMemory(t);
        try {
            if (unlogged != null) {
                logger.error("an I/O loop could not log an earlier failure", unlogged);
                unlogged = null;
            }
            logger.error(message, t);
        } catch (Throwable unloggable) {
            logLater(t);
        }
    }

    /** Keeps a failure until the next message is logged; allocates nothing. */
    final void logLater(Throwable t) {
        noteMemory(t);
        if (unlogged == null) {
            unlogged = t;
        }
    }

    // ---- the end ----------------------------------------------------------------------------------------------------

    /** Closes every channel, runs every task that was submitted before the end, and closes the selector. */
    final void end() {
        try {
            state = State.STOPPING;
            finishWork();
            state = State.STOPPED;
            finishWork(); // for tasks that slipped in just before; later ones are refused
        } finally { // other threads may be waiting for the end
            state = State.STOPPED;
            closeSelector();
            detach();
            stopped.countDown();
        }
    }

    private void finishWork() {
        boolean isFinished;
        do {
            isFinished = tryFinishWork();
        } while (!isFinished || hasWork() || !unregistered.isEmpty());
    }

    /** Returns false if something failed that has to be tried again. */
    private boolean tryFinishWork() {
        try {
            closeChannels();
            runTasks();
            flushWritten();
            closeAsked();
            closeBroken();
            return true;
        } catch (Throwable t) {
            logLater(t);
            return false;
        }
    }

    private void closeChannels() {
        for (LoopChannel channel : new ArrayList<>(unregistered)) {
            if (closeNow(channel)) {
                unregistered.remove(channel);
            }
        }
        if (selector.isOpen()) {
            for (SelectionKey key : new ArrayList<>(selector.keys())) {
                if (key.isValid() && key.attachment() instanceof LoopChannel channel) {
                    closeNow(channel);
                }
            }
        }
    }

    /** Returns false if there is no memory for it now; throws nothing. */
    private boolean closeNow(LoopChannel channel) {
        try {
            channel.onLoopStopping();
            return true;
        } catch (OutOfMemoryError e) {
            broken.add(channel);
            logLater(e);
            return false;
        } catch (Throwable t) {
            log("failed to close a channel", t);
            return true;
        }
    }

    private void closeSelector() {
        try {
            selector.close();
        } catch (IOException e) {
            logger.warn("failed to close a selector", e);
        }
    }

    // ---- for channels, on the loop ----------------------------------------------------------------------------------

    final SelectionKey onRegister(SelectableChannel socket, int ops, LoopChannel channel) throws IOException {
        assert inLoop();
        SelectionKey key = socket.register(selector, ops, channel);
        unregistered.remove(channel);
        return key;
    }

    /** Remembers a channel that has no key yet, so that it is closed when the loop stops. */
    final void onOpened(LoopChannel channel) {
        assert inLoop();
        unregistered.add(channel);
    }

    final void onForgotten(LoopChannel channel) {
        assert inLoop();
        unregistered.remove(channel);
    }

    /** Has the channel send at the end of this turn. */
    final void onWritten(NioChannel channel) {
        assert inLoop();
        written.add(channel);
    }

    /** Closes at the end of this turn, so that no handler sees its channel closed while it runs. */
    final void onCloseAsked(LoopChannel.ClosableChannel channel, ChannelFuture future) {
        assert inLoop();
        try {
            closing.add(new CloseRequest(channel, future));
        } catch (Throwable noMemory) {
            broken.add(channel);
            throw noMemory;
        }
    }

    private record CloseRequest(LoopChannel.ClosableChannel channel, ChannelFuture future) {}

    /**
     * Has the kernel close the sockets that were closed: a listener goes on accepting until its selector, in a select, has removed the
     * key. Not while a ready key is handled, which is within a select.
     */
    final void onReleaseClosed() throws IOException {
        assert inLoop();
        selector.selectNow(readyKeyAction);
    }

    final long turns() {
        assert inLoop();
        return turns;
    }

    final Nesting nesting() {
        assert inLoop();
        return nesting;
    }

    final Deadlines deadlines() {
        assert inLoop();
        return deadlines;
    }

    private void onRebuildSelector() {
        assert inLoop();
        Selector old = selector;
        try {
            selector = SelectorRebuild.moveAll(old, provider, closeAction);
        } catch (IOException e) {
            logger.error("failed to rebuild a selector; going on with the old one", e);
            return;
        }
        try {
            old.close();
        } catch (Throwable t) { // the channels have moved, whatever the old selector's keys may be like
            log("failed to close a selector that was replaced", t);
        }
    }
}
