package org.freshet.handler.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.DefaultObjectSizeEstimator;
import org.freshet.util.ObjectSizeEstimator;

/**
 * A thread pool that runs the events of an {@link ExecutionHandler} in any order, even those of one channel, and limits
 * the memory of waiting events. To keep the events of a channel in order, use
 * {@link OrderedMemoryAwareThreadPoolExecutor}.
 *
 * <h2>Limits</h2>
 *
 * When the waiting events of a channel reach {@code maxChannelMemorySize}, the channel is not read until half of that
 * is left. While the events of all channels reach {@code maxTotalMemorySize}, each channel that adds an event is not
 * read until half of that is left. Messages that have been read are always accepted, so a limit can be exceeded by the
 * messages of one read per channel. No thread ever waits for memory, so it cannot deadlock. An event counts until it
 * starts to run. Only upstream events count.
 *
 * <h2>Shutdown</h2>
 *
 * After {@link #shutdown()} all waiting tasks still run. Later events, such as {@code channelClosed}, are not refused
 * either. They run on up to {@code corePoolSize} extra threads from the thread factory, and {@link #awaitTermination}
 * does not wait for these threads. {@linkplain #setRejectedExecutionHandler Set another handler} to change this. After
 * {@link #shutdownNow()} everything is refused with {@link RejectedExecutionException}.
 *
 * <p>Threads end after the keep-alive time idle. Any thread may call any method.
 */
public class MemoryAwareThreadPoolExecutor extends ThreadPoolExecutor {
    static final long DEFAULT_KEEP_ALIVE_SECONDS = 30;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryAwareThreadPoolExecutor.class);

    private static final long LATE_KEEP_ALIVE_MILLIS = 100;

    private final MemoryLimits limits;

    /** Null until a task arrives after the shutdown. */
    private final AtomicReference<ThreadPoolExecutor> late = new AtomicReference<>();

    private volatile boolean notifyChannelFuturesOnShutdown;

    /** Set by {@link #shutdownNow} before it collects the tasks. */
    private volatile boolean stopped;

    /** Threads end after 30 seconds idle. */
    public MemoryAwareThreadPoolExecutor(int corePoolSize, long maxChannelMemorySize, long maxTotalMemorySize) {
        this(corePoolSize, maxChannelMemorySize, maxTotalMemorySize, DEFAULT_KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    }

    public MemoryAwareThreadPoolExecutor(
            int corePoolSize, long maxChannelMemorySize, long maxTotalMemorySize, long keepAliveTime, TimeUnit unit) {
        this(
                corePoolSize,
                maxChannelMemorySize,
                maxTotalMemorySize,
                keepAliveTime,
                unit,
                Executors.defaultThreadFactory());
    }

    public MemoryAwareThreadPoolExecutor(
            int corePoolSize,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            long keepAliveTime,
            TimeUnit unit,
            ThreadFactory threadFactory) {
        this(
                corePoolSize,
                maxChannelMemorySize,
                maxTotalMemorySize,
                keepAliveTime,
                unit,
                new DefaultObjectSizeEstimator(),
                threadFactory);
    }

    /**
     * Creates a pool.
     *
     * @param corePoolSize the maximum number of threads
     * @param maxChannelMemorySize when one channel's waiting events reach this many bytes, it is not read; 0 means no
     *     limit
     * @param maxTotalMemorySize when all waiting events together reach this many bytes, a channel that adds one is not
     *     read; 0 means no limit
     * @param keepAliveTime how long an idle thread lives; more than 0
     * @param objectSizeEstimator estimates the size of each {@link ChannelEventRunnable} that counts
     */
    public MemoryAwareThreadPoolExecutor(
            int corePoolSize,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            long keepAliveTime,
            TimeUnit unit,
            ObjectSizeEstimator objectSizeEstimator,
            ThreadFactory threadFactory) {
        this(
                corePoolSize,
                new MemoryLimits(maxChannelMemorySize, maxTotalMemorySize, objectSizeEstimator),
                keepAliveTime,
                unit,
                threadFactory);
    }

    /** Creates a pool without limits. */
    MemoryAwareThreadPoolExecutor(int corePoolSize, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        this(corePoolSize, MemoryLimits.none(), keepAliveTime, unit, threadFactory);
    }

    private MemoryAwareThreadPoolExecutor(
            int corePoolSize, MemoryLimits limits, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        super(
                corePoolSize,
                corePoolSize,
                keepAliveTime,
                unit,
                new LinkedBlockingQueue<>(),
                threadFactory,
                MemoryAwareThreadPoolExecutor::runLate);
        this.limits = limits;
        allowCoreThreadTimeOut(true);
    }

    public ObjectSizeEstimator getObjectSizeEstimator() {
        return limits.estimator();
    }

    /** Applies to events submitted from now on. */
    public void setObjectSizeEstimator(ObjectSizeEstimator objectSizeEstimator) {
        limits.changeEstimator(objectSizeEstimator);
    }

    /** Returns the limit in bytes; 0 means no limit. */
    public long getMaxChannelMemorySize() {
        return limits.maxChannelBytes();
    }

    /**
     * Changes the limit of each channel. It applies from a channel's next event.
     *
     * @param maxChannelMemorySize in bytes; 0 means no limit
     */
    public void setMaxChannelMemorySize(long maxChannelMemorySize) {
        limits.changeMaxChannelBytes(maxChannelMemorySize);
    }

    /** Returns the limit in bytes; 0 means no limit. */
    public long getMaxTotalMemorySize() {
        return limits.maxTotalBytes();
    }

    /** Returns the bytes of all waiting events; 0 if there are no limits. */
    public long getTotalMemorySize() {
        return limits.totalBytes();
    }

    /** Sets whether {@link #shutdownNow()} notifies; see {@link #shutdownNow(boolean)}. Default: false. */
    public void setNotifyChannelFuturesOnShutdown(boolean notifyChannelFuturesOnShutdown) {
        this.notifyChannelFuturesOnShutdown = notifyChannelFuturesOnShutdown;
    }

    public boolean getNotifyChannelFuturesOnShutdown() {
        return notifyChannelFuturesOnShutdown;
    }

    // ---- running ----

    @Override
    public void execute(Runnable task) {
        refuseIfStopped();
        if (!(task instanceof ChannelEventRunnable) || !shouldCount(task)) {
            doExecute(task);
            return;
        }
        try {
            increaseCounter(task);
            doExecute(task);
        } catch (Throwable e) {
            decreaseCounter(task);
            throw e;
        }
    }

    /** Runs a task that has been counted already. Subclasses that keep an order override it. */
    protected void doExecute(Runnable task) {
        doUnorderedExecute(task);
    }

    /** Submits a task to the threads of this pool without ordering. */
    protected final void doUnorderedExecute(Runnable task) {
        super.execute(task);
    }

    @Override
    public boolean remove(Runnable task) {
        boolean removed = super.remove(task);
        if (removed) {
            decreaseCounter(task);
        }
        return removed;
    }

    /**
     * Called on the thread that is about to run the task; the task no longer counts from then on. Overriding methods
     * must call this one first: if it throws, the pool does not run the task.
     */
    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        decreaseCounter(task);
        super.beforeExecute(thread, task);
    }

    /** Runs a task that is not in the pool's queue the way the pool would. Never throws. */
    final void runHere(Runnable task) {
        Throwable thrown = null;
        try {
            beforeExecute(Thread.currentThread(), task);
            task.run();
        } catch (Throwable t) {
            thrown = t;
            logger.error("a task threw; the tasks after it still run: " + task, t);
        }
        decreaseCounter(task); // in case an overriding beforeExecute threw
        try {
            afterExecute(task, thrown);
        } catch (Throwable t) {
            logger.error("afterExecute threw; later tasks still run: " + task, t);
        }
    }

    // ---- counting ----

    /**
     * Returns whether the task counts. Only upstream events count, except write completions and interest changes: these
     * carry no data and must not be delayed. Overriding methods must call this one too.
     */
    protected boolean shouldCount(Runnable task) {
        return carriesData(task);
    }

    static boolean carriesData(Runnable task) {
        if (!(task instanceof ChannelUpstreamEventRunnable event)) {
            return false;
        }
        boolean isInterestChange =
                event.getEvent() instanceof ChannelStateEvent state && state.getState() == ChannelState.INTEREST_OPS;
        return !isInterestChange && !(event.getEvent() instanceof WriteCompletionEvent);
    }

    /** Counts an event that is about to wait. */
    protected void increaseCounter(Runnable task) {
        if (task instanceof ChannelEventRunnable event) {
            limits.charge(event);
        }
    }

    /** Stops counting an event. Does nothing if it does not count. */
    protected void decreaseCounter(Runnable task) {
        if (task instanceof ChannelEventRunnable event) {
            limits.release(event);
        }
    }

    // ---- shutdown ----

    /** Handles tasks that the pool does not accept: after {@link #shutdown()} they still run. */
    private static void runLate(Runnable task, ThreadPoolExecutor executor) {
        MemoryAwareThreadPoolExecutor pool = (MemoryAwareThreadPoolExecutor) executor;
        pool.refuseIfStopped();
        ThreadPoolExecutor late = pool.late();
        LateTask entry = pool.new LateTask(task);
        late.execute(entry);
        boolean hasNoThread = late.getPoolSize() == 0; // the thread factory returned null
        if ((hasNoThread || pool.stopped) && late.remove(entry)) {
            throw pool.refusal();
        }
    }

    private final class LateTask implements Runnable {
        private final Runnable task;

        LateTask(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            runHere(task);
        }
    }

    /** Returns the pool for late tasks, with as many threads as this pool may have. */
    private ThreadPoolExecutor late() {
        ThreadPoolExecutor present = late.get();
        if (present != null) {
            return present;
        }
        int threads = Math.max(1, getCorePoolSize());
        ThreadPoolExecutor made = new ThreadPoolExecutor(
                threads,
                threads,
                LATE_KEEP_ALIVE_MILLIS,
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                getThreadFactory());
        made.allowCoreThreadTimeOut(true);
        return late.compareAndSet(null, made) ? made : late.get();
    }

    private void collectLate(List<Runnable> givenUp) {
        ThreadPoolExecutor present = late.get();
        if (present == null) {
            return;
        }
        List<Runnable> entries = new ArrayList<>();
        present.getQueue().drainTo(entries);
        entries.forEach(entry -> unpack(((LateTask) entry).task, givenUp));
    }

    final void refuseIfStopped() {
        if (stopped) {
            throw refusal();
        }
    }

    private RejectedExecutionException refusal() {
        return new RejectedExecutionException("the executor was shut down: " + this);
    }

    /** Same as {@link #shutdownNow(boolean)} with the value of {@link #setNotifyChannelFuturesOnShutdown}. */
    @Override
    public List<Runnable> shutdownNow() {
        return shutdownNow(notifyChannelFuturesOnShutdown);
    }

    /**
     * Interrupts running tasks and gives up waiting ones.
     *
     * @param notify whether to fail the futures of the events given up, and to send an exception event up each of their
     *     channels
     * @return the tasks given up, as submitted, those of one key in order
     * @see FairOrderedMemoryAwareThreadPoolExecutor
     */
    public List<Runnable> shutdownNow(boolean notify) {
        stopped = true;
        List<Runnable> waiting = new ArrayList<>();
        collectWaiting(waiting); // now: a task that is interrupted may end, and the next one would run
        List<Runnable> givenUp = new ArrayList<>();
        for (Runnable task : super.shutdownNow()) {
            unpack(task, givenUp);
        }
        collectLate(givenUp);
        givenUp.addAll(waiting);
        collectWaiting(givenUp); // of callers that had not seen the stop
        givenUp.forEach(this::giveUp);
        if (notify) {
            LostEvents.report(givenUp, refusal());
        }
        return givenUp;
    }

    private void giveUp(Runnable task) {
        decreaseCounter(task);
        if (task instanceof MovedWrites.MovedWrite write) {
            write.release();
        }
    }

    /** Given an entry of the pool's queue, adds the submitted tasks behind it to the list. */
    void unpack(Runnable queued, List<Runnable> givenUp) {
        givenUp.add(queued);
    }

    /** Adds tasks that wait elsewhere than in the pool's queue. */
    void collectWaiting(List<Runnable> givenUp) {}

    /** Resumes reading of channels that are suspended by the total limit: no more events will be released. */
    @Override
    protected void terminated() {
        limits.resumeAllSuspendedByTotal();
        super.terminated();
    }
}
