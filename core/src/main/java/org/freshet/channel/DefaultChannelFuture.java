package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.freshet.internal.FailureWitness;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.IoThreadBound;

/**
 * The future of an operation that may still be pending.
 *
 * <p>Any thread may call any method; nothing here takes a lock. One reference is the whole state, and every change replaces it by
 * compare-and-set. Completion takes the list of listeners in the same step, so each listener is called exactly once: by the completing
 * thread or, if it was added later, by the thread that added it.
 *
 * <pre>
 *                     add, remove
 *                       +----+
 *   null                |    v              complete
 *   CANCELLABLE   --->  pending  -------------------------------->  SUCCEEDED, CANCELLED,
 *                       (a listener, or an Entry a listener)        or the cause of the failure
 * </pre>
 */
public class DefaultChannelFuture implements ChannelFuture {
    /** How an operation ended that didn't fail. */
    private enum Outcome {
        SUCCEEDED,
        CANCELLED
    }

    /** A listener, and the pending state before it was added. */
    private static final class Entry {
        final ChannelFutureListener listener;

        /** Changed only by {@link #reverse}, after completion. */
        Object earlier;

        Entry(ChannelFutureListener listener, Object earlier) {
            this.listener = listener;
            this.earlier = earlier;
        }
    }

    /** A thread that awaits this future, as an element of the list of listeners. */
    private static final class Waiter implements ChannelFutureListener {
        final Thread thread = Thread.currentThread();

        @Override
        public void operationComplete(ChannelFuture future) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * The end of the list of a pending future that can be cancelled. The list of any other future ends with null or directly with its first
     * listener: most futures are of that kind, and each saves an object.
     */
    private static final Object CANCELLABLE = new Object();

    /** Referenced here to load the class before memory runs out. */
    private static final UnobservedFailures UNOBSERVED = UnobservedFailures.instance();

    private static final VarHandle STATE;

    static {
        HeapReserve.isMissing(); // initializes it
        try {
            STATE = MethodHandles.lookup().findVarHandle(DefaultChannelFuture.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static volatile boolean useDeadLockChecker = true;

    private final Channel channel;

    /** The state in the diagram above. */
    private volatile Object state;

    /** Whether awaiting a pending future on its channel's own I/O thread throws; see {@link #setUseDeadLockChecker}. */
    public static boolean isUseDeadLockChecker() {
        return useDeadLockChecker;
    }

    /**
     * Sets whether awaiting a pending future on the thread that must complete it throws {@link IllegalStateException} instead of hanging.
     * True by default; leave it on.
     */
    public static void setUseDeadLockChecker(boolean useDeadLockChecker) {
        DefaultChannelFuture.useDeadLockChecker = useDeadLockChecker;
    }

    /**
     * Creates a pending future.
     *
     * @param channel the operation's channel; may be null
     * @param cancellable whether {@link #cancel} has an effect
     */
    public DefaultChannelFuture(Channel channel, boolean cancellable) {
        this.channel = channel;
        if (cancellable) {
            STATE.setRelease(this, CANCELLABLE);
        }
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public boolean isDone() {
        return isOutcome(state);
    }

    @Override
    public boolean isSuccess() {
        return state == Outcome.SUCCEEDED;
    }

    @Override
    public boolean isCancelled() {
        return state == Outcome.CANCELLED;
    }

    @Override
    public Throwable getCause() {
        return state instanceof Throwable cause ? cause : null;
    }

    @Override
    public boolean setSuccess() {
        return complete(Outcome.SUCCEEDED);
    }

    @Override
    public boolean setFailure(Throwable cause) {
        HeapReserve.onFailure(Objects.requireNonNull(cause, "cause"));
        return complete(cause);
    }

    @Override
    public boolean cancel() {
        return isCancellable(state) && complete(Outcome.CANCELLED);
    }

    /** A listener that is an exception itself always has an entry, so that it isn't taken for one. */
    private static boolean isOutcome(Object state) {
        return state instanceof Outcome || state instanceof Throwable;
    }

    private static boolean isCancellable(Object state) {
        Object end = state;
        while (end instanceof Entry entry) {
            end = entry.earlier;
        }
        return end == CANCELLABLE;
    }

    /** Allocates nothing: very many futures may fail at once because memory is exhausted. */
    private boolean complete(Object outcome) {
        Object pending;
        do {
            pending = state;
            if (isOutcome(pending)) {
                return false;
            }
        } while (!STATE.compareAndSet(this, pending, outcome));
        if (outcome instanceof Throwable cause && (pending == null || pending == CANCELLABLE)) {
            UNOBSERVED.onFailed(channel, cause);
            if (this instanceof Runnable task) { // a user's, and it has thrown
                FailureWitness.notifyTaskFailed(task, cause);
            }
        }
        callAll(pending);
        return true;
    }

    /** Allocates nothing: listeners and waiting threads must be notified even if memory is exhausted. */
    private void callAll(Object pending) {
        if (pending instanceof Entry newest) {
            Object first = wakeAll(newest);
            call(first);
            for (Entry entry = reverse(newest); entry != null; entry = (Entry) entry.earlier) {
                call(entry.listener);
            }
        } else {
            wake(pending);
            call(pending);
        }
    }

    /** Wakes waiting threads before any listener is called. Returns the end of the list. */
    private Object wakeAll(Entry newest) {
        Object rest = newest;
        for (; rest instanceof Entry entry; rest = entry.earlier) {
            wake(entry.listener);
        }
        wake(rest);
        return rest;
    }

    private void wake(Object element) {
        if (element instanceof Waiter waiter) {
            waiter.operationComplete(this);
        }
    }

    /**
     * @param element an element of the list, or its end
     */
    private void call(Object element) {
        if (element instanceof ChannelFutureListener listener && !(listener instanceof Waiter)) {
            ListenerCalls.complete(listener, this);
        }
    }

    /**
     * Reverses a list in place, without its end; {@code earlier} then refers to the entry added next. Only the completing thread does this,
     * once the list is no longer the state. A thread that is still walking the list reaches an end, and its result is discarded.
     */
    private static Entry reverse(Entry newest) {
        Entry reversed = null;
        Object rest = newest;
        while (rest instanceof Entry entry) {
            rest = entry.earlier;
            entry.earlier = reversed;
            reversed = entry;
        }
        return reversed;
    }

    /** Copies the listeners for progress. If the future completes in the meantime, the copy is not used. */
    private static Iterable<ChannelFutureListener> inOrderAdded(Entry newest) {
        ArrayDeque<ChannelFutureListener> listeners = new ArrayDeque<>();
        Object rest = newest;
        for (; rest instanceof Entry entry; rest = entry.earlier) {
            listeners.push(entry.listener);
        }
        if (rest instanceof ChannelFutureListener first) {
            listeners.push(first);
        }
        return listeners;
    }

    @Override
    public boolean setProgress(long amount, long current, long total) {
        Object pending = state;
        if (isOutcome(pending)) {
            return false;
        }
        if (pending instanceof Entry newest) {
            for (ChannelFutureListener listener : inOrderAdded(newest)) {
                reportProgress(listener, amount, current, total);
            }
        } else {
            reportProgress(pending, amount, current, total);
        }
        return true;
    }

    private void reportProgress(Object pending, long amount, long current, long total) {
        // An earlier listener may have completed this future; progress is not reported after that.
        if (pending instanceof ChannelFutureProgressListener listener && !isOutcome(state)) {
            ListenerCalls.progress(listener, this, amount, current, total);
        }
    }

    @Override
    public void addListener(ChannelFutureListener listener) {
        if (!enlist(Objects.requireNonNull(listener, "listener"))) {
            onObservedLate();
            ListenerCalls.complete(listener, this);
        }
    }

    /** Called when something observes this future, which may be done. */
    private void onObservedLate() {
        if (state instanceof Throwable && this instanceof Runnable task) { // a user's, and it has thrown
            FailureWitness.notifyTaskObserved(task);
        }
    }

    /** Returns a listener of the given type; null if none was added, or if this future is done. */
    final <T> T listenerOf(Class<T> type) {
        Object rest = state;
        for (; rest instanceof Entry entry; rest = entry.earlier) {
            if (type.isInstance(entry.listener)) {
                return type.cast(entry.listener);
            }
        }
        return type.isInstance(rest) ? type.cast(rest) : null;
    }

    /** Replaces a listener that is in the list, in one step; returns false and changes nothing if this future is done. */
    final boolean replaceListener(ChannelFutureListener listener, ChannelFutureListener other) {
        Object pending;
        do {
            pending = state;
            if (isOutcome(pending)) {
                return false;
            }
        } while (!STATE.compareAndSet(this, pending, with(without(pending, listener), other)));
        return true;
    }

    @Override
    public void removeListener(ChannelFutureListener listener) {
        withdraw(Objects.requireNonNull(listener, "listener"));
    }

    private void withdraw(ChannelFutureListener listener) {
        Object pending;
        Object remaining;
        do {
            pending = state;
            if (isOutcome(pending)) {
                return; // without allocating: a thread that waited must be able to continue
            }
            remaining = without(pending, listener);
        } while (remaining != pending && !STATE.compareAndSet(this, pending, remaining));
    }

    /** Returns false and changes nothing if this future is done. */
    private boolean enlist(ChannelFutureListener listener) {
        Object pending;
        do {
            pending = state;
            if (isOutcome(pending)) {
                return false;
            }
        } while (!STATE.compareAndSet(this, pending, with(pending, listener)));
        return true;
    }

    private static Object with(Object pending, ChannelFutureListener listener) {
        return pending == null && !isOutcome(listener) ? listener : new Entry(listener, pending);
    }

    /** Returns {@code pending} itself if the listener is not in it. Takes time and memory proportional to the number of later listeners. */
    private static Object without(Object pending, ChannelFutureListener listener) {
        if (listener.equals(pending)) {
            return null;
        }
        ArrayDeque<ChannelFutureListener> later = new ArrayDeque<>();
        Object rest = pending;
        while (rest instanceof Entry entry && !listener.equals(entry.listener)) {
            later.push(entry.listener);
            rest = entry.earlier;
        }
        if (rest instanceof Entry found) {
            rest = found.earlier;
        } else if (listener.equals(rest)) {
            rest = null;
        } else {
            return pending;
        }
        while (!later.isEmpty()) {
            rest = with(rest, later.pop());
        }
        return rest;
    }

    @Override
    public ChannelFuture sync() throws InterruptedException {
        await();
        rethrow(getCause());
        return this;
    }

    @Override
    public ChannelFuture syncUninterruptibly() {
        awaitUninterruptibly();
        rethrow(getCause());
        return this;
    }

    /** Throws the cause of a failure as {@link ChannelFuture#sync()} specifies; does nothing for null. */
    static void rethrow(Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause != null) {
            throw new ChannelException(cause);
        }
    }

    @Override
    public ChannelFuture await() throws InterruptedException {
        awaitInterruptibly(Long.MAX_VALUE);
        return this;
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return awaitInterruptibly(unit.toNanos(timeout));
    }

    @Override
    public boolean await(long timeoutMillis) throws InterruptedException {
        return await(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public ChannelFuture awaitUninterruptibly() {
        awaitKeepingInterrupts(Long.MAX_VALUE);
        return this;
    }

    @Override
    public boolean awaitUninterruptibly(long timeout, TimeUnit unit) {
        return awaitKeepingInterrupts(unit.toNanos(timeout));
    }

    @Override
    public boolean awaitUninterruptibly(long timeoutMillis) {
        return awaitUninterruptibly(timeoutMillis, TimeUnit.MILLISECONDS);
    }

    private boolean awaitInterruptibly(long timeoutNanos) throws InterruptedException {
        if (Thread.interrupted() || parkUntilDone(timeoutNanos, true)) {
            throw new InterruptedException();
        }
        return isOutcome(state);
    }

    private boolean awaitKeepingInterrupts(long timeoutNanos) {
        if (parkUntilDone(timeoutNanos, false)) {
            Thread.currentThread().interrupt();
        }
        return isOutcome(state);
    }

    /**
     * @param timeoutNanos {@link Long#MAX_VALUE} for no limit
     * @return whether the thread was interrupted; its interrupt flag is then cleared
     */
    private boolean parkUntilDone(long timeoutNanos, boolean orInterrupted) {
        if (isOutcome(state) || timeoutNanos <= 0) {
            onObservedLate();
            return false;
        }
        beforeAwait(this);
        Waiter waiter = new Waiter();
        if (!enlist(waiter)) {
            onObservedLate();
            return false;
        }
        boolean interrupted = false;
        try {
            long startNanos = System.nanoTime();
            long leftNanos = timeoutNanos;
            while (leftNanos > 0 && !isOutcome(state) && !(interrupted && orInterrupted)) {
                park(leftNanos);
                interrupted |= Thread.interrupted();
                leftNanos =
                        timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - startNanos);
            }
        } finally {
            withdraw(waiter);
        }
        return interrupted;
    }

    private void park(long timeoutNanos) {
        if (timeoutNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, timeoutNanos);
        }
    }

    /**
     * Called before a thread waits. If it is the I/O thread of the future's channel, first has that thread do what the future waits for,
     * where it can. If the future is still not done, throws unless the dead lock checker is off.
     */
    static void beforeAwait(ChannelFuture future) {
        if (future.getChannel() instanceof IoThreadBound bound
                && bound.onAwaitBegins(future::isDone)
                && useDeadLockChecker
                && !future.isDone()) {
            throw new IllegalStateException("cannot await on the I/O thread of " + future.getChannel()
                    + ": only this thread can complete the future, and not while it waits;"
                    + " add a listener to the future instead");
        }
    }

    /** The outcome so far and the channel. */
    @Override
    public String toString() {
        Object now = state;
        String outcome = now instanceof Outcome ended
                ? ended.name().toLowerCase(Locale.ROOT)
                : now instanceof Throwable cause ? "failed: " + cause : "pending";
        return getClass().getSimpleName() + '(' + outcome + ", " + channel + ')';
    }
}
