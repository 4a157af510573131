package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.socket.oio.QueuedWrite.State;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.request.RequestInbox;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Orders the messages that several threads write to one blocking socket. One thread at a time writes, in call order,
 * and the others wait until theirs are sent. So each thread has at most one message in the queue, and a slow peer slows
 * its writers down instead of filling the heap.
 *
 * <p>Threading: any thread sends; fields marked "Writer only." belong to the thread in {@link #writer}. No lock is held
 * while writing to the socket. The writer sends the messages that were queued when it started, then makes the next
 * waiting thread the writer, so no thread sends other threads' messages forever.
 *
 * <p>Two kinds of callers do not wait; the writer sends their messages later: a listener of a future, which runs on the
 * writer itself, and a time-out that has borrowed the channel's event executor from a thread waiting here.
 */
final class WriterQueue extends RequestInbox {
    /** The destination of the messages. Called by the writer. */
    interface Target {
        /** Returns the reason why the message cannot be sent now, or null. */
        Exception refusal(OutgoingMessage message);

        /** Called when the message leaves the queue, before it is completed: releases its charge. */
        void onLeft(OutgoingMessage message);

        /** Blocks until the message is sent. If it is a request to end the output, ends the output. */
        void send(OutgoingMessage message) throws IOException;

        /**
         * Called when a message failed, possibly half sent; its future already has the cause. Nothing can be sent after
         * this.
         */
        void onSendFailed(Throwable cause);
    }

    private static final FailsafeLogMessage ENTRY_THREW = FailsafeLogMessage.error(
            InternalLoggerFactory.getInstance(WriterQueue.class),
            "an entry of the write queue threw; later entries still run");

    private static final VarHandle WRITER;

    static {
        try {
            WRITER = MethodHandles.lookup().findVarHandle(WriterQueue.class, "writer", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Target target;

    /** A thread that holds it lends it while waiting here. */
    private final SerialExecutor executor;

    /** Writer only. The messages to send in this round, oldest first. */
    private QueuedWrite round;

    /** Null while no thread is writing. */
    private volatile Thread writer;

    WriterQueue(Target target, SerialExecutor executor) {
        this.target = target;
        this.executor = executor;
    }

    /** Returns whether the caller is writing, and so is a listener called by the writer. */
    boolean isWriter() {
        return writer == Thread.currentThread();
    }

    /**
     * Sends a message and returns when it was sent or has failed. Returns immediately if the caller must not wait.
     *
     * @return the bytes sent by this call, including other threads' messages
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
        return isInboxEmpty() || !becomeWriter()
                ? 0
                : write(entry); // sends entries queued by a borrower of the executor
    }

    /** Queues an entry without waiting for it. The writer will process it, or the caller if nothing is writing. */
    void enqueue(QueuedWrite entry) {
        push(entry);
        if (!isWriter() && becomeWriter()) {
            write(entry);
        }
    }

    private boolean becomeWriter() {
        return WRITER.compareAndSet(this, null, Thread.currentThread());
    }

    /** Returns whether the caller has become the writer. If not, its message is done. */
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
        } catch (Throwable t) { // the queue must continue
            ENTRY_THREW.log(null, t);
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
