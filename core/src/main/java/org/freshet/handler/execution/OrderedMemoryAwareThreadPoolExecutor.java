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
 * A {@link MemoryAwareThreadPoolExecutor} that runs the events of one channel one after another, in the order in which they
 * came, and those of different channels in parallel.
 *
 * <pre>
 *   channel A   A1 -- A2 -- A3 --&gt;  thread X
 *   channel B   B1 -------- B2 --&gt;  thread Y
 * </pre>
 *
 * <p>The order holds until the last event, also across {@link #shutdown()}. A thread stays with a channel until nothing of it
 * is left; where few threads meet channels that never run dry, take {@link FairOrderedMemoryAwareThreadPoolExecutor}.
 *
 * <h2>Another key than the channel</h2>
 *
 * Events that need an order of another kind have {@link #getChildExecutorKey} say so. Reading is still stopped by channel.
 *
 * <pre>{@code
 * new OrderedMemoryAwareThreadPoolExecutor(16, 0, 1 << 30) {
 *     protected Object getChildExecutorKey(ChannelEvent e) {
 *         return e instanceof MessageEvent m ? ((Order) m.getMessage()).customer() : e.getChannel();
 *     }
 * };
 * }</pre>
 *
 * <p>A key is known here while it has events, and costs nothing afterwards. Tasks that are not events have no key and run in
 * any order.
 */
public class OrderedMemoryAwareThreadPoolExecutor extends MemoryAwareThreadPoolExecutor {
    /** The executors of the keys that have events at the moment. */
    protected final ConcurrentMap<Object, Executor> childExecutors = newChildExecutorMap();

    /** Threads end when idle for 30 seconds. */
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

    /** As {@link MemoryAwareThreadPoolExecutor}'s. */
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

    /** Makes {@link #childExecutors}; called by the constructor, before that of the subclass. Compares by equality. */
    protected ConcurrentMap<Object, Executor> newChildExecutorMap() {
        return new ConcurrentHashMap<>();
    }

    /**
     * Events of equal keys run one after another; the event's channel by default. Called on the thread that brings the
     * event; must not return null.
     */
    protected Object getChildExecutorKey(ChannelEvent e) {
        return e.getChannel();
    }

    /** The keys that have events at the moment. */
    protected Set<Object> getChildExecutorKeySet() {
        return childExecutors.keySet();
    }

    /**
     * Forgets a key. There is no need to, and its later events may run beside those that it has now.
     *
     * @return whether it had any
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

    /** What runs the events of this one's key, one after another. */
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

    @Override
    protected boolean shouldCount(Runnable task) {
        return super.shouldCount(task);
    }

    /** Takes an event back that waits for others of its key, too. */
    @Override
    public boolean remove(Runnable task) {
        if (super.remove(task)) {
            return true;
        }
        for (Executor child : childExecutors.values()) {
            if (child instanceof ChildExecutor lane && lane.takeBack(task)) {
                decreaseCounter(task);
                return true;
            }
        }
        return false;
    }

    @Override
    void unpack(Runnable queued, List<Runnable> givenUp) {
        if (queued instanceof ChildExecutor lane) {
            givenUp.addAll(lane.retire());
        } else {
            super.unpack(queued, givenUp);
        }
    }

    @Override
    void collectWaiting(List<Runnable> givenUp) {
        for (Executor child : childExecutors.values()) {
            if (child instanceof ChildExecutor lane) {
                givenUp.addAll(lane.retire());
            }
        }
    }

    /** Runs the events of one key. */
    protected final class ChildExecutor extends TaskLane implements Executor {
        /** Set before this is published. */
        private Object key;

        protected ChildExecutor() {}

        /** Has the task run after those that were given before, by this executor or, if its work is done, by the next. */
        @Override
        public void execute(Runnable task) {
            if (!offer(task)) {
                onRetired();
                doExecute(task);
            }
        }

        @Override
        void schedule() {
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
            tellOfLoss(tasks, new RejectedExecutionException(cause));
        }
    }
}
