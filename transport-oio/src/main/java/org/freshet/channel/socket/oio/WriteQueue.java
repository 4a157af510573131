package org.freshet.channel.socket.oio;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.freshet.channel.socket.oio.OutgoingMessage.State;

/**
 * Lines up the messages that several threads write to one blocking socket: one thread at a time writes, in the order of
 * arrival, and the others wait for theirs to be sent. So each thread has at most one message in the queue, and a slow peer
 * slows its writers down instead of filling the heap.
 *
 * <p>Threading: any thread sends; fields marked "Writer only." belong to the thread in {@link #writer}. No lock is held while
 * the socket is written to. The writer serves what it found in the queue when it came, then passes the role on to the first
 * of those who came later: nobody is kept at work for others.
 *
 * <p>A listener of a future may write again: it runs on the writer, cannot wait for itself, and so its message is queued
 * without anybody waiting.
 */
final class WriteQueue {
    /** What messages are sent to. Called by the writer. */
    interface Target {
        /** Why nothing can be sent now, or null. */
        Exception refusal();

        /** Blocks until the message has left. */
        void send(OutgoingMessage message) throws IOException;

        /** A message broke in the middle, and has the cause already. Nothing can be sent after this. */
        void onSendFailed(Throwable cause);

        /** Everything written before the close has left. */
        void onCloseReached();
    }

    private static final VarHandle INBOX;
    private static final VarHandle WRITER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            INBOX = lookup.findVarHandle(WriteQueue.class, "inbox", OutgoingMessage.class);
            WRITER = lookup.findVarHandle(WriteQueue.class, "writer", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Target target;

    /** What has come and was not looked at, newest first. */
    private volatile OutgoingMessage inbox;

    /** Writer only. What is to be sent in this round, oldest first. */
    private OutgoingMessage round;

    /** Null while nobody writes. */
    private volatile Thread writer;

    WriteQueue(Target target) {
        this.target = target;
    }

    /** Whether the caller is writing, which means that a listener calls. */
    boolean isWriter() {
        return writer == Thread.currentThread();
    }

    /**
     * Sends a message and returns when it was sent or has failed; at once if the caller is the writer, which then sends it
     * later.
     *
     * @return the bytes that this call has sent, also for others
     */
    long send(OutgoingMessage message) {
        if (isWriter()) {
            push(message);
            return 0;
        }
        message.waiter = Thread.currentThread();
        push(message);
        return becomeWriter() || awaitTurn(message) ? write(message) : 0;
    }

    private void push(OutgoingMessage message) {
        do {
            message.next = inbox;
        } while (!INBOX.compareAndSet(this, message.next, message));
    }

    private boolean becomeWriter() {
        return WRITER.compareAndSet(this, null, Thread.currentThread());
    }

    /** Returns whether the caller has become the writer; if not, its message is done. */
    private boolean awaitTurn(OutgoingMessage message) {
        boolean interrupted = false;
        while (message.state == State.QUEUED) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return message.state == State.CHOSEN;
    }

    private long write(OutgoingMessage own) {
        long sent = 0;
        while (true) {
            takeRound();
            if (round == null) {
                writer = null;
                if (inbox == null || !becomeWriter()) {
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

    private void takeRound() {
        if (round != null) {
            return;
        }
        OutgoingMessage message = (OutgoingMessage) INBOX.getAndSet(this, null);
        while (message != null) {
            OutgoingMessage before = message.next;
            message.next = round;
            round = message;
            message = before;
        }
    }

    private void passOn(OutgoingMessage first) {
        Thread next = first.waiter;
        writer = next;
        first.state = State.CHOSEN;
        LockSupport.unpark(next);
    }

    private long sendRound() {
        long sent = 0;
        while (round != null) {
            OutgoingMessage message = round;
            round = message.next;
            message.next = null;
            sent += sendOne(message);
            message.state = State.DONE;
            if (message.waiter != null && message.waiter != Thread.currentThread()) {
                LockSupport.unpark(message.waiter);
            }
        }
        return sent;
    }

    private long sendOne(OutgoingMessage message) {
        if (message.isPlace()) {
            if (message.isClose) {
                target.onCloseReached();
            }
            return 0;
        }
        Exception refusal = target.refusal();
        if (refusal != null) {
            message.complete(refusal);
            return 0;
        }
        try {
            target.send(message);
        } catch (Throwable t) {
            message.complete(t);
            target.onSendFailed(t);
            return 0;
        }
        message.complete(null);
        return message.length();
    }
}
