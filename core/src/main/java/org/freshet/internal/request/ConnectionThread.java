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
 * when the outermost unit of work there is done.
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

    /** I/O thread only. Begins a unit of work, after running all requests in the inbox. */
    public void enter() {
        depth++;
        runInbox();
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

    /** Runs the task on the I/O thread: immediately if that is the calling thread. */
    public void execute(Runnable task) {
        if (isCurrent()) {
            enter();
            try {
                run(task);
            } finally {
                leave();
            }
        } else if (inbox.push(new Task(task))) {
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
        if (!executed.isSuccess() && !channel.isOpen()) {
            runInbox(); // the connection is gone, so its requests fail on any thread
        }
    }

    private void runQueued() {
        enter();
        leave();
    }

    private void runInbox() {
        for (ChannelRequest each = inbox.takeInbox(); each != null; ) {
            ChannelRequest next = each.next;
            run(((Task) each).action);
            each = next;
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
            runInbox();
            flush.run();
        }
        return bound.onAwaitBegins(isDone);
    }
}
