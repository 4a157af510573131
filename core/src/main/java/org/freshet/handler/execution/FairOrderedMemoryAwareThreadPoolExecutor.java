package org.freshet.handler.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.freshet.channel.ChannelEvent;
import org.freshet.util.ObjectSizeEstimator;

/**
 * An {@link OrderedMemoryAwareThreadPoolExecutor} whose threads take one event of a channel and then go to the end of the
 * queue with the next: channels share few threads fairly, at the cost of a trip through the queue for each event.
 *
 * <p>The order of a channel's events, the limits and the end are the same. {@link #getKey} chooses another key. An event that
 * waits for others of its key cannot be {@linkplain #remove removed}.
 */
public class FairOrderedMemoryAwareThreadPoolExecutor extends MemoryAwareThreadPoolExecutor {
    /** The last event of each key that has any. */
    protected final ConcurrentMap<Object, EventTask> map = newMap();

    /** Follows an event that has run before it had a follower. */
    private final EventTask end = new EventTask(null, null);

    /** Threads end when idle for 30 seconds. */
    public FairOrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize, long maxChannelMemorySize, long maxTotalMemorySize) {
        super(corePoolSize, maxChannelMemorySize, maxTotalMemorySize);
    }

    public FairOrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize, long maxChannelMemorySize, long maxTotalMemorySize, long keepAliveTime, TimeUnit unit) {
        super(corePoolSize, maxChannelMemorySize, maxTotalMemorySize, keepAliveTime, unit);
    }

    public FairOrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize,
            long maxChannelMemorySize,
            long maxTotalMemorySize,
            long keepAliveTime,
            TimeUnit unit,
            ThreadFactory threadFactory) {
        super(corePoolSize, maxChannelMemorySize, maxTotalMemorySize, keepAliveTime, unit, threadFactory);
    }

    /** As {@link MemoryAwareThreadPoolExecutor}'s. */
    public FairOrderedMemoryAwareThreadPoolExecutor(
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

    /** Makes {@link #map}; called by the constructor, before that of the subclass. Compares by equality. */
    protected ConcurrentMap<Object, EventTask> newMap() {
        return new ConcurrentHashMap<>();
    }

    /**
     * Events of equal keys run one after another; the event's channel by default. Called on the thread that brings the
     * event; must not return null.
     */
    protected Object getKey(ChannelEvent e) {
        return e.getChannel();
    }

    /**
     * Forgets a key. There is no need to, and its later events may run beside those that it has now.
     *
     * @return whether it had any
     */
    protected boolean removeKey(Object key) {
        return map.remove(key) != null;
    }

    @Override
    protected void doExecute(Runnable task) {
        if (!(task instanceof ChannelEventRunnable event)) {
            doUnorderedExecute(task);
            return;
        }
        Object key = Objects.requireNonNull(getKey(event.getEvent()), "getKey returned null");
        EventTask last = new EventTask(key, task);
        EventTask before = map.put(key, last);
        boolean follows = before != null && compareAndSetNext(before, null, last);
        if (!follows) {
            submit(last);
        }
    }

    private void submit(EventTask task) {
        try {
            doUnorderedExecute(task);
        } catch (RuntimeException | Error refused) {
            // those that follow are not this caller's; it is only told of its own
            List<Runnable> lost = task.giveUp();
            lost.remove(task.task);
            lost.forEach(this::decreaseCounter);
            tellOfLoss(lost, new RejectedExecutionException(refused));
            throw refused;
        }
    }

    /** Sets what follows an event, if that was {@code expect}; null stands for nothing yet. */
    protected final boolean compareAndSetNext(EventTask eventTask, EventTask expect, EventTask update) {
        return eventTask.next.compareAndSet(expect, update);
    }

    @Override
    protected boolean shouldCount(Runnable task) {
        return super.shouldCount(task);
    }

    @Override
    void unpack(Runnable queued, List<Runnable> givenUp) {
        if (queued instanceof EventTask task) {
            givenUp.addAll(task.giveUp());
        } else {
            super.unpack(queued, givenUp);
        }
    }

    /** An event in the row of its key. It is in the pool's hands only when all before it have run. */
    protected final class EventTask implements Runnable {
        private final Object key;
        private final Runnable task;

        /** Null, then either the one behind or {@link #end}, for good. */
        private final AtomicReference<EventTask> next = new AtomicReference<>();

        EventTask(Object key, Runnable task) {
            this.key = key;
            this.task = task;
        }

        @Override
        public void run() {
            runHere(task);
            if (!endsRow()) {
                passOn(next.get());
            }
        }

        /** Whether nothing follows; nothing ever will then. */
        private boolean endsRow() {
            boolean isLast = compareAndSetNext(this, null, end);
            if (isLast) {
                map.remove(key, this);
            }
            return isLast;
        }

        private void passOn(EventTask follower) {
            try {
                doUnorderedExecute(follower);
            } catch (RuntimeException | Error refused) {
                List<Runnable> lost = follower.giveUp();
                lost.forEach(FairOrderedMemoryAwareThreadPoolExecutor.this::decreaseCounter);
                tellOfLoss(lost, new RejectedExecutionException(refused));
            }
        }

        /** Ends the row without running it; returns its tasks. */
        private List<Runnable> giveUp() {
            List<Runnable> tasks = new ArrayList<>();
            EventTask one = this;
            tasks.add(one.task);
            while (!one.endsRow()) {
                one = one.next.get();
                tasks.add(one.task);
            }
            return tasks;
        }
    }
}
