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
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;
import org.freshet.util.ObjectSizeEstimator;

/**
 * An {@link OrderedMemoryAwareThreadPoolExecutor} that shares few threads fairly among channels. A thread runs one
 * event of a channel, then puts the channel's next event at the end of the pool's queue. This costs one pass through
 * that queue per event.
 *
 * <p>The order of a channel's events, the limits and the shutdown behavior are the same. Override {@link #getKey} to
 * choose another key. An event waiting for others of its key cannot be {@linkplain #remove removed}.
 */
public class FairOrderedMemoryAwareThreadPoolExecutor extends MemoryAwareThreadPoolExecutor {
    private static final InternalLogger logger =
            InternalLoggerFactory.getInstance(FairOrderedMemoryAwareThreadPoolExecutor.class);

    /** The last event of each key that has events. */
    protected final ConcurrentMap<Object, EventTask> map = newMap();

    /** Marks an event as run without a follower. */
    private final EventTask end = new EventTask(null, null);

    /** Threads end after 30 seconds idle. */
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

    /** Creates a pool; the parameters are those of {@link MemoryAwareThreadPoolExecutor}. */
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

    /** Creates a pool without limits. */
    FairOrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        super(corePoolSize, keepAliveTime, unit, threadFactory);
    }

    /**
     * Creates {@link #map}. Called by the constructor, before the subclass's constructor has run. Keys are compared
     * with {@code equals}.
     */
    protected ConcurrentMap<Object, EventTask> newMap() {
        return new ConcurrentHashMap<>();
    }

    /**
     * Returns the key of an event, by default its channel; never null. Events with equal keys run one after another.
     * Called on the thread that submits the event.
     */
    protected Object getKey(ChannelEvent e) {
        return e.getChannel();
    }

    /**
     * Forgets a key. You never need to call it, and later events of the key may then run in parallel with its current
     * ones.
     *
     * @return whether the key had any events
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
        if (!follows(last)) {
            submit(last);
        }
    }

    /**
     * Appends an event to the chain of its key. Returns false if the key has no chain, so the event must be submitted.
     */
    private boolean follows(EventTask last) {
        try {
            EventTask before = map.put(last.key, last);
            return before != null && compareAndSetNext(before, null, last);
        } catch (Throwable refused) { // from a user's map or key
            abandon(last, refused);
            throw refused;
        }
    }

    private void submit(EventTask task) {
        try {
            doUnorderedExecute(task);
        } catch (Throwable refused) {
            abandon(task, refused);
            throw refused;
        }
    }

    /** The exception tells the caller about its own event; lost followers are reported. */
    private void abandon(EventTask refusedTask, Throwable refused) {
        List<Runnable> followers = refusedTask.giveUp();
        followers.remove(0);
        reportLoss(followers, refused);
    }

    private void reportLoss(List<Runnable> lost, Throwable cause) {
        lost.forEach(this::decreaseCounter);
        LostEvents.report(lost, new RejectedExecutionException(cause));
    }

    /** Sets the follower of an event if it is currently {@code expect}. Null means no follower yet. */
    protected final boolean compareAndSetNext(EventTask eventTask, EventTask expect, EventTask update) {
        return eventTask.next.compareAndSet(expect, update);
    }

    @Override
    void unpack(Runnable queued, List<Runnable> givenUp) {
        if (queued instanceof EventTask task) {
            givenUp.addAll(task.giveUp());
        } else {
            super.unpack(queued, givenUp);
        }
    }

    /** An event in the chain of its key. It is submitted to the pool once all before it have run. */
    protected final class EventTask implements Runnable {
        private final Object key;
        private final Runnable task;

        /** Null, then either the following event or {@link #end}, permanently. */
        private final AtomicReference<EventTask> next = new AtomicReference<>();

        EventTask(Object key, Runnable task) {
            this.key = key;
            this.task = task;
        }

        @Override
        public void run() {
            runHere(task);
            if (!endsChain()) {
                passOn(next.get());
            }
        }

        /** Returns whether nothing follows. If so, nothing ever will. */
        private boolean endsChain() {
            boolean isLast = compareAndSetNext(this, null, end);
            if (isLast) {
                forget();
            }
            return isLast;
        }

        /** A user's map or key may throw. The entry then stays until the key's next event replaces it. */
        private void forget() {
            try {
                map.remove(key, this);
            } catch (Throwable e) {
                logger.warn("could not remove a key of class " + key.getClass().getName(), e);
            }
        }

        private void passOn(EventTask follower) {
            try {
                doUnorderedExecute(follower);
            } catch (Throwable refused) {
                reportLoss(follower.giveUp(), refused);
            }
        }

        /** Ends the chain of events without running them; returns its tasks. */
        private List<Runnable> giveUp() {
            List<Runnable> tasks = new ArrayList<>();
            EventTask one = this;
            tasks.add(one.task);
            while (!one.endsChain()) {
                one = one.next.get();
                tasks.add(one.task);
            }
            return tasks;
        }
    }
}
