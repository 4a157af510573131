package org.freshet.handler.execution;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelEvent;
import org.freshet.util.ObjectSizeEstimator;

/**
 * A {@link MemoryAwareThreadPoolExecutor} that runs the events of one channel one after another, in the order
 * submitted, and those of different channels in parallel.
 *
 * <pre>
 *   channel A   A1 -- A2 -- A3 --&gt;  thread X
 *   channel B   B1 -------- B2 --&gt;  thread Y
 * </pre>
 *
 * <p>The order holds to the last event, even across {@link #shutdown()}. A thread serves a channel until it has no
 * events left; if few threads serve many busy channels, use {@link FairOrderedMemoryAwareThreadPoolExecutor}.
 *
 * <h2>Other keys than the channel</h2>
 *
 * Override {@link #getChildExecutorKey} for another order. Reading is still suspended per channel.
 *
 * <pre>{@code
 * new OrderedMemoryAwareThreadPoolExecutor(16, 0, 1 << 30) {
 *     protected Object getChildExecutorKey(ChannelEvent e) {
 *         return e instanceof MessageEvent m ? ((Order) m.getMessage()).customer() : e.getChannel();
 *     }
 * };
 * }</pre>
 *
 * <p>A key takes no memory once its events have run. Tasks that are not events have no key and run in any order.
 */
public class OrderedMemoryAwareThreadPoolExecutor extends MemoryAwareThreadPoolExecutor {
    /** The executors of the keys that currently have events. */
    protected final ConcurrentMap<Object, Executor> childExecutors = newChildExecutorMap();

    /** Threads end after 30 seconds idle. */
    public OrderedMemoryAwareThreadPoolExecutor(int corePoolSize, long maxChannelMemorySize, long maxTotalMemorySize) {
        super(corePoolSize, maxChannelMemorySize, maxTotalMemorySize);
    }

    public OrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize, long maxChannelMemorySize, long maxTotalMemorySize, long keepAliveTime, TimeUnit unit) {
        super(corePoolSize, maxChannelMemorySize, maxTotalMemorySize, keepAliveTime, unit);
    }

    public OrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            long keepAliveTime,
            TimeUnit unit,
            ThreadFactory threadFactory) {
        super(corePoolSize, maxChannelMemorySize, maxTotalMemorySize, keepAliveTime, unit, threadFactory);
    }

    /** Creates a pool; the parameters are those of {@link MemoryAwareThreadPoolExecutor}. */
    public OrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            long keepAliveTime,
            TimeUnit unit,
            ObjectSizeEstimator objectSizeEstimator,
            ThreadFactory threadFactory) {
        super(
                corePoolSize,
                maxChannelMemorySize,
                maxTotalMemorySize,
                keepAliveTime,
                unit,
                objectSizeEstimator,
                threadFactory);
    }

    /** Creates a pool without limits. */
    OrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        super(corePoolSize, keepAliveTime, unit, threadFactory);
    }

    /**
     * Creates {@link #childExecutors}. Called by the constructor, before the subclass's constructor has run. Keys are
     * compared with {@code equals}.
     */
    protected ConcurrentMap<Object, Executor> newChildExecutorMap() {
        return new ConcurrentHashMap<>();
    }

    /**
     * Returns the key of an event, by default its channel; never null. Events with equal keys run one after another.
     * Called on the thread that submits the event.
     */
    protected Object getChildExecutorKey(ChannelEvent e) {
        return e.getChannel();
    }

    /** Returns the keys that currently have events. */
    protected Set<Object> getChildExecutorKeySet() {
        return childExecutors.keySet();
    }

    /**
     * Forgets a key. You never need to call it, and later events of the key may then run in parallel with its current
     * ones.
     *
     * @return whether the key had any events
     */
    protected boolean removeChildExecutor(Object key) {
        return childExecutors.remove(key) != null;
    }

    @Override
    protected void doExecute(Runnable task) {
        if (task instanceof ChannelEventRunnable event) {
            getChildExecutor(event.getEvent()).execute(task);
        } else {
            doUnorderedExecute(task);
        }
    }

    /** Returns the executor that runs the events of this event's key, one after another. */
    protected Executor getChildExecutor(ChannelEvent e) {
        Object key = Objects.requireNonNull(getChildExecutorKey(e), "getChildExecutorKey returned null");
        Executor present = childExecutors.get(key);
        if (present != null) {
            return present;
        }
        ChildExecutor made = new ChildExecutor();
        made.key = key;
        Executor first = childExecutors.putIfAbsent(key, made);
        return first != null ? first : made;
    }

    /** Removes a task, even if it is waiting for others of its key. */
    @Override
    public boolean remove(Runnable task) {
        if (super.remove(task)) {
            return true;
        }
        for (Executor child : childExecutors.values()) {
            if (child instanceof ChildExecutor queue && queue.remove(task)) {
                decreaseCounter(task);
                return true;
            }
        }
        return false;
    }

    @Override
    void unpack(Runnable queued, List<Runnable> givenUp) {
        if (queued instanceof ChildExecutor queue) {
            givenUp.addAll(queue.retire());
        } else {
            super.unpack(queued, givenUp);
        }
    }

    @Override
    void collectWaiting(List<Runnable> givenUp) {
        for (Executor child : childExecutors.values()) {
            if (child instanceof ChildExecutor queue) {
                givenUp.addAll(queue.retire());
            }
        }
    }

    /** Runs the events of one key. */
    protected final class ChildExecutor extends SerialTaskQueue implements Executor {
        /** Set before this is published. */
        private Object key;

        protected ChildExecutor() {}

        /**
         * Runs the task after those submitted before: in this executor or, if it has retired, in the key's next one.
         */
        @Override
        public void execute(Runnable task) {
            if (!offer(task)) {
                onRetired();
                doExecute(task);
            }
        }

        @Override
        void schedule() {
            refuseIfStopped(); // its submitter may have missed the stop, which gives up earlier events of the key
            doUnorderedExecute(this);
        }

        @Override
        void runTask(Runnable task) {
            runHere(task);
        }

        @Override
        void onRetired() {
            childExecutors.remove(key, this);
        }

        @Override
        void onLost(List<Runnable> tasks, Throwable cause) {
            tasks.forEach(OrderedMemoryAwareThreadPoolExecutor.this::decreaseCounter);
            LostEvents.report(tasks, new RejectedExecutionException(cause));
        }
    }
}
