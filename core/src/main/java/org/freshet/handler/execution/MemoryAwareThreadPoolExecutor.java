package org.freshet.handler.execution;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
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
 * A channel whose waiting events have reached {@code maxChannelMemorySize} is not read until they are down to half of it.
 * While the events of all channels have reached {@code maxTotalMemorySize}, each channel that brings another one is not
 * read until the total is down to half of that. What was read already is taken in any case: a limit can be exceeded by
 * the messages of one read a channel, and no thread ever waits for memory, so nothing can come to a deadlock. An event
 * counts until it starts to run. Only events on their way up count; other tasks are free.
 *
 * <h2>The end</h2>
 *
 * After {@link #shutdown()} all that waits is run. What arrives later, such as the news that a channel was closed, is not
 * refused either but runs on a thread of its own, made by the thread factory, which {@link #awaitTermination} does not
 * know; {@linkplain #setRejectedExecutionHandler set another handler} for something else. After {@link #shutdownNow()}
 * everything is refused with {@link RejectedExecutionException}.
 *
 * <p>Threads end when they were idle for the keep-alive time. Any thread may call any method.
 */
public class MemoryAwareThreadPoolExecutor extends ThreadPoolExecutor {
    static final long DEFAULT_KEEP_ALIVE_SECONDS = 30;

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(MemoryAwareThreadPoolExecutor.class);

    private final MemoryLimits limits;

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
     * @param maxTotalMemorySize bytes for all waiting events, from which on no channel that brings one is read; 0 means no
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
        super(
                corePoolSize,
                corePoolSize,
                keepAliveTime,
                unit,
                new LinkedBlockingQueue<>(),
                threadFactory,
                MemoryAwareThreadPoolExecutor::runLate);
        limits = new MemoryLimits(maxChannelMemorySize, maxTotalMemorySize, objectSizeEstimator);
        allowCoreThreadTimeOut(true);
    }

    public ObjectSizeEstimator getObjectSizeEstimator() {
        return limits.estimator();
    }

    /** Holds for events that come from now on. */
    public void setObjectSizeEstimator(ObjectSizeEstimator objectSizeEstimator) {
        limits.setEstimator(objectSizeEstimator);
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
        limits.setMaxChannelBytes(maxChannelMemorySize);
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
        increaseCounter(task);
        try {
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

    /** Called on the thread that is about to run the task; it does not count from then on. */
    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        decreaseCounter(task);
        super.beforeExecute(thread, task);
    }

    /** Runs a task by itself that is not in the pool's hands, as the pool would. Never throws. */
    final void runHere(Runnable task) {
        Throwable thrown = null;
        try {
            beforeExecute(Thread.currentThread(), task);
            task.run();
        } catch (Throwable t) {
            thrown = t;
            logger.error("a task failed; those behind it go on: " + task, t);
        }
        try {
            afterExecute(task, thrown);
        } catch (Throwable t) {
            logger.error("afterExecute failed; the tasks behind go on: " + task, t);
        }
    }

    // ---- counting ----

    /**
     * Whether the task is to count. Those that others cannot do without, and that nobody can keep from coming, do not:
     * all but events on their way up, and of these the ones that tell of writes and of interest. Overriding methods must ask
     * this one too.
     */
    protected boolean shouldCount(Runnable task) {
        return bringsMemory(task);
    }

    static boolean bringsMemory(Runnable task) {
        if (!(task instanceof ChannelUpstreamEventRunnable event)) {
            return false;
        }
        boolean tellsOfInterest =
                event.getEvent() instanceof ChannelStateEvent state && state.getState() == ChannelState.INTEREST_OPS;
        return !tellsOfInterest && !(event.getEvent() instanceof WriteCompletionEvent);
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
        Thread thread = pool.getThreadFactory().newThread(() -> pool.runHere(task));
        if (thread == null) {
            throw pool.refusal();
        }
        thread.start();
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
        collectWaiting(givenUp);
        givenUp.forEach(this::decreaseCounter);
        if (notify) {
            tellOfLoss(givenUp, refusal());
        }
        return givenUp;
    }

    /** Adds what was submitted and is not going to run to the list, given what stood for it in the pool's queue. */
    void unpack(Runnable queued, List<Runnable> givenUp) {
        givenUp.add(queued);
    }

    /** Adds what waits elsewhere than in the pool's queue. */
    void collectWaiting(List<Runnable> givenUp) {}

    /** Has those learn of it who wait for events that are not going to run. */
    final void tellOfLoss(List<Runnable> lost, RejectedExecutionException cause) {
        Set<Channel> channels = new HashSet<>();
        for (Runnable task : lost) {
            if (task instanceof ChannelEventRunnable event) {
                event.getEvent().getFuture().setFailure(cause);
                if (!(event.getEvent() instanceof ExceptionEvent)) {
                    channels.add(event.getEvent().getChannel());
                }
            }
        }
        for (Channel channel : channels) {
            Channels.fireExceptionCaughtLater(channel, cause);
        }
    }

    /** Reads on from channels that are held for the total: nothing is going to be taken off it any more. */
    @Override
    protected void terminated() {
        limits.letGoOfAllHeldForTotal();
        super.terminated();
    }
}
