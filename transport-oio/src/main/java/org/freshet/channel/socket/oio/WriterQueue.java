package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.socket.oio.QueuedWrite.State;
import org.freshet.internal.LastWords;
import org.freshet.internal.request.RequestInbox;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Orders the messages that several threads write to one blocking socket: one thread at a time writes, in the order of the
 * calls, and the other threads wait until theirs are sent. So each thread has at most one message in the queue, and a slow peer
 * slows its writers down instead of filling the heap.
 *
 * <p>Threading: any thread sends; fields marked "Writer only." belong to the thread in {@link #writer}. No lock is held while
 * the socket is written to. The writer sends what was queued when it started, then makes the next waiting thread the writer, so
 * that no thread sends other threads' messages for ever.
 *
 * <p>Two kinds of callers do not wait; the writer sends their messages later: a listener of a future, which runs on the writer
 * itself, and a time-out that has borrowed the channel's event executor from a thread that waits here.
 */
final class WriterQueue extends RequestInbox {
    /** What messages are sent to. Called by the writer. */
    interface Target {
        /** Why the message cannot be sent now, or null. */
        Exception refusal(OutgoingMessage message);

        /** The message is queued no longer: its charge is released. Called before the message is completed. */
        void onLeft(OutgoingMessage message);

        /** Blocks until the message is sent, or ends the output if it asks for that. */
        void send(OutgoingMessage message) throws IOException;

        /** A message failed half sent; its future has the cause already. Nothing can be sent after this. */
        void onSendFailed(Throwable cause);
    }

    private static final LastWords ENTRY_THREW = LastWords.error(
            InternalLoggerFactory.getInstance(WriterQueue.class),
            "an entry of a queue of writes threw; the others still run");

    private static final VarHandle WRITER;

    static {
        try {
            WRITER = MethodHandles.lookup().findVarHandle(WriterQueue.class, "writer", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Target target;

    /** The thread that holds it lends it while waiting here. */
    private final SerialExecutor executor;

    /** Writer only. What is to be sent in this round, oldest first. */
    private QueuedWrite round;

    /** Null while no thread writes. */
    private volatile Thread writer;

    WriterQueue(Target target, SerialExecutor executor) {
        this.target = target;
        this.executor = executor;
    }

    /** Whether the caller is writing, which means that a listener calls. */
    boolean isWriter() {
        return writer == Thread.currentThread();
    }

    /**
     * Sends a message and returns when it was sent or has failed; at once if the caller must not wait.
     *
     * @return the bytes that this call sent, other threads' messages included
     */
    long send(QueuedWrite entry) {
        if (isWriter() || executor.isBorrowedByCurrentThread()) {
            push(entry);
            return 0;
        }
        entry.waiter = Thread.currentThread();
        push(entry);
        if (becomeWriter() || isChosenAfterWaiting(entry)) {
            return write(entry);
        }
        return isInboxEmpty() || !becomeWriter() ? 0 : write(entry); // what was queued on a loan of the executor
    }

    /** Queues an entry without waiting for it: the writer reaches it, or the caller if there is none. */
    void enqueue(QueuedWrite entry) {
        push(entry);
        if (!isWriter() && becomeWriter()) {
            write(entry);
        }
    }

    private boolean becomeWriter() {
        return WRITER.compareAndSet(this, null, Thread.currentThread());
    }

    /** Returns whether the caller has become the writer; if not, its message is done. */
    private boolean isChosenAfterWaiting(QueuedWrite entry) {
        boolean lent = executor.lend();
        boolean interrupted = false;
        while (entry.state == State.QUEUED) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (lent) {
            executor.reclaim();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return entry.state == State.CHOSEN;
    }

    private long write(QueuedWrite own) {
        long sent = 0;
        while (true) {
            if (round == null) {
                round = (QueuedWrite) takeInbox();
            }
            if (round == null) {
                writer = null;
                if (isInboxEmpty() || !becomeWriter()) {
                    return sent;
                }
            } else if (own.state == State.DONE && round.waiter != null) {
                passOn(round);
                return sent;
            } else {
                sent += sendRound();
            }
        }
    }

    private void passOn(QueuedWrite first) {
        Thread next = first.waiter;
        writer = next;
        first.state = State.CHOSEN;
        LockSupport.unpark(next);
    }

    private long sendRound() {
        long sent = 0;
        while (round != null) {
            QueuedWrite entry = round;
            round = entry.following();
            entry.next = null;
            sent += reach(entry);
            entry.state = State.DONE;
            if (entry.waiter != null && entry.waiter != Thread.currentThread()) {
                LockSupport.unpark(entry.waiter);
            }
        }
        return sent;
    }

    private long reach(QueuedWrite entry) {
        try {
            if (entry.message != null) {
                return sendOne(entry.message);
            }
            entry.action.run();
        } catch (Throwable t) { // the queue must go on
            ENTRY_THREW.say(null, t);
        }
        return 0;
    }

    private long sendOne(OutgoingMessage message) {
        Exception refusal = target.refusal(message);
        if (refusal != null) {
            complete(message, refusal);
            return 0;
        }
        try {
            target.send(message);
        } catch (Throwable t) {
            complete(message, t);
            target.onSendFailed(t);
            return 0;
        }
        complete(message, null);
        return message.length();
    }

    private void complete(OutgoingMessage message, Throwable cause) {
        target.onLeft(message);
        message.complete(cause);
    }
}
