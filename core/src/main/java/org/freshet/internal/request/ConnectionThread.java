package org.freshet.internal.request;

import java.util.function.BooleanSupplier;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.time.SafetyTimer;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Moves requests for the protocol on a connection to the connection's I/O thread, in the order in which they were made, and flushes writes
 * when the outermost unit of work there is done. While that thread runs requests of others, its own are queued behind them, so that they
 * don't overtake any.
 *
 * <p>Any thread may call the methods that don't say otherwise.
 */
public final class ConnectionThread {
    private static final class Task extends ChannelRequest {
        private final Runnable action;

        Task(Runnable action) {
            this.action = action;
        }
    }

    private static final class Inbox extends RequestInbox {}

    private static final FailsafeLogMessage TASK_FAILED = FailsafeLogMessage.error(
            InternalLoggerFactory.getInstance(ConnectionThread.class),
            "a task of a connection threw; its other tasks still run");

    private final Channel channel;

    // The channel's view of its thread; each is null if the channel is of another kind. Every write of a stream uses
    // them.
    private final SerialChannel serial;
    private final IoThreadBound bound;

    private final Runnable flush;
    private final Inbox inbox = new Inbox();

    /** Created early, for when there is no memory. */
    private final SafetyTimer.Pending askAgain = SafetyTimer.spare(this::askForRun);

    /** I/O thread only. How many nested units of work are in progress. */
    private int depth;

    /** I/O thread only. The oldest request taken from the inbox that has not run; null for none. */
    private ChannelRequest rest;

    /** I/O thread only. Whether that thread has put a request behind the {@link #rest}. */
    private boolean hasOwnRequest;

    /**
     * @param flush sends what was written; called on the I/O thread
     */
    public ConnectionThread(Channel channel, Runnable flush) {
        this.channel = channel;
        serial = channel instanceof SerialChannel of ? of : null;
        bound = channel instanceof IoThreadBound to ? to : null;
        this.flush = flush;
    }

    /** Whether the caller is the I/O thread, or runs the channel's events in its place. Always true for a channel without an I/O thread. */
    public boolean isCurrent() {
        if (serial != null) {
            return serial.serialExecutor().isHeldByCurrentThread();
        }
        return bound == null || bound.inIoThread();
    }

    /** Whether the caller is the I/O thread, and no earlier request waits for the end of the one that it runs. */
    public boolean mayRun() {
        return isCurrent() && rest == null;
    }

    /** I/O thread only. Begins a unit of work. Runs the requests in the inbox first, unless the unit is part of one of them. */
    public void enter() {
        depth++;
        if (rest == null) {
            runInbox();
        }
    }

    /** I/O thread only. Must follow {@link #enter}, even if the work threw. */
    public void leave() {
        try {
            if (depth == 1) {
                flush.run();
            }
        } finally {
            depth--;
        }
    }

    /** Runs the task on the I/O thread, after that thread's current work. */
    public void executeLater(Runnable task) {
        if (bound != null) {
            bound.runLater(() -> execute(task));
        } else {
            execute(task);
        }
    }

    /** Runs the task on the I/O thread: immediately if that is the calling thread, even before earlier requests. */
    public void execute(Runnable task) {
        if (isCurrent()) {
            runNow(task);
        } else {
            push(task);
        }
    }

    /** Runs the task on the I/O thread after all earlier requests: immediately if the caller {@link #mayRun}. */
    public void request(Runnable task) {
        if (mayRun()) {
            runNow(task);
        } else {
            push(task);
        }
    }

    private void runNow(Runnable task) {
        enter();
        try {
            run(task);
        } finally {
            leave();
        }
    }

    private void push(Runnable task) {
        boolean isFirst = inbox.push(new Task(task));
        if (isCurrent()) {
            hasOwnRequest = true; // the run that is in progress comes to it
        } else if (isFirst) {
            askForRun();
        }
    }

    /** Makes the I/O thread run the inbox. If there is no memory for that, asks again later: no other push will ask. */
    private void askForRun() {
        try {
            channel.getPipeline().execute(this::runQueued).addListener(this::onRunAsked);
        } catch (VirtualMachineError noMemory) {
            HeapReserve.onFailure(noMemory);
            askAgain.retry();
        }
    }

    private void onRunAsked(ChannelFuture executed) {
        if (!executed.isSuccess() && !channel.isOpen()) { // the connection is gone, so its requests fail on any thread
            for (ChannelRequest each = inbox.takeInbox(); each != null; each = each.next) {
                run(((Task) each).action);
            }
        }
    }

    private void runQueued() {
        enter();
        leave();
    }

    private void runInbox() {
        do {
            hasOwnRequest = false;
            rest = inbox.takeInbox();
            runRest();
        } while (hasOwnRequest);
    }

    private void runRest() {
        while (rest != null) {
            ChannelRequest next = rest;
            rest = next.next;
            run(((Task) next).action);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable t) {
            TASK_FAILED.log(null, t);
        }
    }

    /** Called before a thread waits for a future of a stream; see {@link IoThreadBound}. */
    public boolean onAwaitBegins(BooleanSupplier isDone) {
        if (bound == null) {
            return false;
        }
        if (isCurrent()) {
            runRest();
            runInbox();
            flush.run();
        }
        return bound.onAwaitBegins(isDone);
    }
}
