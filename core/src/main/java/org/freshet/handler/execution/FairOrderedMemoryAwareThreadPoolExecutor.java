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
 * An {@link OrderedMemoryAwareThreadPoolExecutor} whose threads run one event of a channel and submit its next one at the end of
 * the pool's queue: channels share few threads fairly, at the cost of one pass through that queue for each event.
 *
 * <p>The order of a channel's events, the limits and the end are the same. {@link #getKey} chooses another key. An event that
 * waits for others of its key cannot be {@linkplain #remove removed}.
 */
public class FairOrderedMemoryAwareThreadPoolExecutor extends MemoryAwareThreadPoolExecutor {
    private static final InternalLogger logger =
            InternalLoggerFactory.getInstance(FairOrderedMemoryAwareThreadPoolExecutor.class);

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

    /** Without limits. */
    FairOrderedMemoryAwareThreadPoolExecutor(
            int corePoolSize, long keepAliveTime, TimeUnit unit, ThreadFactory threadFactory) {
        super(corePoolSize, keepAliveTime, unit, threadFactory);
    }

    /** Makes {@link #map}; called by the constructor, before that of the subclass. Compares by equality. */
    protected ConcurrentMap<Object, EventTask> newMap() {
        return new ConcurrentHashMap<>();
    }

    /**
     * Events of equal keys run one after another; the event's channel by default. Called on the thread that submits the
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
        if (!follows(last)) {
            submit(last);
        }
    }

    /** Appends an event to the chain of its key. Returns false if there is none, so that it is to be submitted. */
    private boolean follows(EventTask last) {
        try {
            EventTask before = map.put(last.key, last);
            return before != null && compareAndSetNext(before, null, last);
        } catch (RuntimeException | Error refused) { // from a map or a key of the user's
            abandon(last, refused);
            throw refused;
        }
    }

    private void submit(EventTask task) {
        try {
            doUnorderedExecute(task);
        } catch (RuntimeException | Error refused) {
            abandon(task, refused);
            throw refused;
        }
    }

    /** The caller learns that its own event was refused by the exception; those that follow are reported. */
    private void abandon(EventTask refusedTask, Throwable refused) {
        List<Runnable> followers = refusedTask.giveUp();
        followers.remove(0);
        reportLoss(followers, refused);
    }

    private void reportLoss(List<Runnable> lost, Throwable cause) {
        lost.forEach(this::decreaseCounter);
        LostEvents.report(lost, new RejectedExecutionException(cause));
    }

    /** Sets what follows an event, if that was {@code expect}; null stands for nothing yet. */
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

    /** An event in the chain of its key. It is submitted to the pool when all before it have run. */
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
            if (!endsChain()) {
                passOn(next.get());
            }
        }

        /** Whether nothing follows; nothing ever will then. */
        private boolean endsChain() {
            boolean isLast = compareAndSetNext(this, null, end);
            if (isLast) {
                forget();
            }
            return isLast;
        }

        /** A map or a key of the user's may throw. The entry then stays until the key's next event replaces it. */
        private void forget() {
            try {
                map.remove(key, this);
            } catch (RuntimeException | Error e) {
                logger.warn("a key could not be removed: " + key.getClass().getName(), e);
            }
        }

        private void passOn(EventTask follower) {
            try {
                doUnorderedExecute(follower);
            } catch (RuntimeException | Error refused) {
                reportLoss(follower.giveUp(), refused);
            }
        }

        /** Ends the chain of events without running it; returns its tasks. */
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
