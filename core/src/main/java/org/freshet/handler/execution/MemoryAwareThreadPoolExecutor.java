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
 * A thread pool that runs the events of an {@link ExecutionHandler} in any order, also those of one channel, and limits the
 * memory that waiting events take. For events of a channel in order see {@link OrderedMemoryAwareThreadPoolExecutor}.
 *
 * <h2>Limits</h2>
 *
 * A channel whose waiting events reach {@code maxChannelMemorySize} is not read until half of that is left. While the events of
 * all channels reach {@code maxTotalMemorySize}, each channel that adds another one is not read until half of that is left.
 * Messages that were read already are always accepted: a limit can be exceeded by the messages of one read of each channel. No
 * thread ever waits for memory, so there is no deadlock. An event counts until it starts to run. Only upstream events count;
 * other tasks are free.
 *
 * <h2>The end</h2>
 *
 * After {@link #shutdown()} all waiting tasks still run. Events that arrive later, such as {@code channelClosed}, are not refused
 * either but run on up to {@code corePoolSize} threads more, made by the thread factory, for which {@link #awaitTermination} does not wait;
 * {@linkplain #setRejectedExecutionHandler set another handler} for something else. After {@link #shutdownNow()} everything is
 * refused with {@link RejectedExecutionException}.
 *
 * <p>Threads end when they were idle for the keep-alive time. Any thread may call any method.
 */
public class MemoryAwareThreadPoolExecutor extends ThreadPoolExecutor {
    static final long DEFAULT_KEEP_ALIVE_SECONDS = 30;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryAwareThreadPoolExecutor.class);

    private static final long LATE_KEEP_ALIVE_MILLIS = 100;

    private final MemoryLimits limits;

    /** Null until a task comes after the shutdown. */
    private final AtomicReference<ThreadPoolExecutor> late = new AtomicReference<>();

    private volatile boolean notifyChannelFuturesOnShutdown;

    /** Set by {@link #shutdownNow}, before it looks what there is. */
    private volatile boolean stopped;

    /** Threads end when idle for 30 seconds. */
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
     * Makes a pool.
     *
     * @param corePoolSize how many threads there can be
     * @param maxChannelMemorySize bytes for the waiting events of one channel, from which on it is not read; 0 means no
     *     limit
     * @param maxTotalMemorySize bytes for all waiting events, from which on no channel that adds one is read; 0 means no
     *     limit
     * @param keepAliveTime after which an idle thread ends; more than 0
     * @param objectSizeEstimator is asked for the size of each {@link ChannelEventRunnable} that counts
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

    /** Without limits. */
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

    /** Holds for events that come from now on. */
    public void setObjectSizeEstimator(ObjectSizeEstimator objectSizeEstimator) {
        limits.changeEstimator(objectSizeEstimator);
    }

    /** In bytes; 0 means no limit. */
    public long getMaxChannelMemorySize() {
        return limits.maxChannelBytes();
    }

    /**
     * Changes the limit of each channel; it holds from a channel's next event on.
     *
     * @param maxChannelMemorySize in bytes; 0 means no limit
     */
    public void setMaxChannelMemorySize(long maxChannelMemorySize) {
        limits.changeMaxChannelBytes(maxChannelMemorySize);
    }

    /** In bytes; 0 means no limit. */
    public long getMaxTotalMemorySize() {
        return limits.maxTotalBytes();
    }

    /** What the waiting events take at the moment, in bytes; 0 if there are no limits. */
    public long getTotalMemorySize() {
        return limits.totalBytes();
    }

    /** Decides what {@link #shutdownNow()} does; see {@link #shutdownNow(boolean)}. False by default. */
    public void setNotifyChannelFuturesOnShutdown(boolean notifyChannelFuturesOnShutdown) {
        this.notifyChannelFuturesOnShutdown = notifyChannelFuturesOnShutdown;
    }

    public boolean getNotifyChannelFuturesOnShutdown() {
        return notifyChannelFuturesOnShutdown;
    }

    // ---- running ----

    @Override
    public void execute(Runnable task) {
        if (stopped) {
            throw refusal();
        }
        if (!(task instanceof ChannelEventRunnable) || !shouldCount(task)) {
            doExecute(task);
            return;
        }
        try {
            increaseCounter(task);
            doExecute(task);
        } catch (RuntimeException | Error e) {
            decreaseCounter(task);
            throw e;
        }
    }

    /** Has a task run that was counted already. Subclasses that keep an order override it. */
    protected void doExecute(Runnable task) {
        doUnorderedExecute(task);
    }

    /** Gives a task to the threads of this pool as it is. */
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
     * Called on the thread that is about to run the task; it does not count from then on. Overriding methods call this one first:
     * the pool does not run a task before which this method throws.
     */
    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        decreaseCounter(task);
        super.beforeExecute(thread, task);
    }

    /** Runs a task that is not in the pool's queue, as the pool would. Never throws. */
    final void runHere(Runnable task) {
        Throwable thrown = null;
        try {
            beforeExecute(Thread.currentThread(), task);
            task.run();
        } catch (Throwable t) {
            thrown = t;
            logger.error("a task threw; the tasks behind it still run: " + task, t);
        }
        decreaseCounter(task); // in case that an overriding beforeExecute threw
        try {
            afterExecute(task, thrown);
        } catch (Throwable t) {
            logger.error("afterExecute threw; the tasks behind still run: " + task, t);
        }
    }

    // ---- counting ----

    /**
     * Whether the task is to count. Only upstream events count, except write completions and interest changes, which carry no
     * data and must not be delayed. Overriding methods must call this one, too.
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

    /** Does not count an event any longer; does nothing if it does not count. */
    protected void decreaseCounter(Runnable task) {
        if (task instanceof ChannelEventRunnable event) {
            limits.release(event);
        }
    }

    // ---- the end ----

    /** For tasks that the pool does not take: after {@link #shutdown()} they still run. */
    private static void runLate(Runnable task, ThreadPoolExecutor executor) {
        MemoryAwareThreadPoolExecutor pool = (MemoryAwareThreadPoolExecutor) executor;
        if (pool.stopped) {
            throw pool.refusal();
        }
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

    /** What runs late tasks, on as many threads as this pool may have. */
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

    private RejectedExecutionException refusal() {
        return new RejectedExecutionException("the executor was shut down: " + this);
    }

    /** As {@link #shutdownNow(boolean)}, with what {@link #setNotifyChannelFuturesOnShutdown} decided. */
    @Override
    public List<Runnable> shutdownNow() {
        return shutdownNow(notifyChannelFuturesOnShutdown);
    }

    /**
     * Interrupts what runs and gives up what waits.
     *
     * @param notify whether to fail the futures of the events given up, and to send an exception event up on each of their
     *     channels
     * @return what was given up: the tasks that were submitted, those of one key in order
     * @see FairOrderedMemoryAwareThreadPoolExecutor
     */
    public List<Runnable> shutdownNow(boolean notify) {
        stopped = true;
        List<Runnable> givenUp = new ArrayList<>();
        for (Runnable task : super.shutdownNow()) {
            unpack(task, givenUp);
        }
        collectLate(givenUp);
        collectWaiting(givenUp);
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

    /** Adds what was submitted and is not going to run to the list, given what stood for it in the pool's queue. */
    void unpack(Runnable queued, List<Runnable> givenUp) {
        givenUp.add(queued);
    }

    /** Adds what waits elsewhere than in the pool's queue. */
    void collectWaiting(List<Runnable> givenUp) {}

    /** Resumes reading of channels that are suspended for the total: no event will be released any more. */
    @Override
    protected void terminated() {
        limits.resumeAllSuspendedByTotal();
        super.terminated();
    }
}
