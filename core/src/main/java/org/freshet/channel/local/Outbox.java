package org.freshet.channel.local;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.OutputShutdownException;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;

/**
 * The messages that one end has written and the other has not taken, oldest first.
 *
 * <p>Any thread may call any method. The first thread to change a message's state completes its future, so each future is completed once,
 * whether the message is taken, handed over by a close, or failed.
 */
final class Outbox {
    enum State {
        PENDING,
        SENT,
        FAILED
    }

    /** A message, with its charge in the channel's account. */
    static final class Message {
        private static final VarHandle STATE;

        static {
            try {
                STATE = MethodHandles.lookup().findVarHandle(Message.class, "state", State.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final MessageEvent event;
        private final long bytes;

        private volatile State state = State.PENDING;

        private Message(MessageEvent event, long bytes) {
            this.event = event;
            this.bytes = bytes;
        }

        /** Whether this is the end of the output. */
        boolean isEnd() {
            return event.getMessage() == OutputShutdown.INSTANCE;
        }

        Object content() {
            return event.getMessage();
        }

        private boolean leaves(State reached) {
            return STATE.compareAndSet(this, State.PENDING, reached);
        }
    }

    private final ConcurrentLinkedQueue<Message> queue = new ConcurrentLinkedQueue<>();
    private final LongConsumer release;

    /** Whether the end of the output has been taken. */
    private volatile boolean isEnded;

    /**
     * @param release releases a message's charge from the channel's account
     */
    Outbox(LongConsumer release) {
        this.release = release;
    }

    /**
     * Adds a message after the others. If there is no memory for it, its charge is released.
     *
     * @param bytes the size charged to the account
     */
    Message add(MessageEvent event, long bytes) {
        Message message;
        try {
            message = new Message(event, bytes);
            queue.add(message);
        } catch (Throwable t) {
            release.accept(bytes);
            throw t;
        }
        if (isEnded) {
            queue.remove(message);
            refuse(message, new OutputShutdownException());
        }
        return message;
    }

    /** Called when the other end has taken the end of the output: nothing written after it is delivered. */
    void end() {
        isEnded = true;
        if (!queue.isEmpty()) {
            Exception cause = new OutputShutdownException();
            for (Message message = queue.poll(); message != null; message = queue.poll()) {
                refuse(message, cause);
            }
        }
    }

    private void refuse(Message message, Exception cause) {
        if (message.isEnd()) {
            succeed(message);
        } else if (message.leaves(State.FAILED)) {
            complete(message, cause);
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Returns the oldest message; null if the outbox is empty. */
    Message peek() {
        return queue.peek();
    }

    /** Removes and returns the oldest message that has not failed, even if it counts as sent; null if no such message is left. */
    Message take() {
        Message message = queue.poll();
        while (message != null && message.state == State.FAILED) {
            message = queue.poll();
        }
        return message;
    }

    /** Completes a message with success; returns false if it was already completed. */
    boolean succeed(Message message) {
        if (!message.leaves(State.SENT)) {
            return false;
        }
        complete(message, null);
        return true;
    }

    /** Fails a message, so that it is not delivered, unless it was already completed. */
    void fail(Message message, Throwable cause) {
        if (message.leaves(State.FAILED)) {
            queue.remove(message);
            complete(message, cause);
        }
    }

    /** @param cause null for success */
    private void complete(Message message, Throwable cause) {
        try {
            release.accept(message.bytes);
        } finally { // even without memory for the consequences
            if (cause != null) {
                UnsentMessage.release(message.event.getMessage());
            }
            Holding.complete(message.event, cause);
        }
    }

    /** Completes all messages with success but leaves them in the queue; returns how many. */
    int succeedAll() {
        int count = 0;
        for (Message message : queue) {
            count += succeed(message) && !message.isEnd() ? 1 : 0;
        }
        return count;
    }

    /** Drops all messages and fails those that have not been sent. Allocates nothing for each. */
    void failAll(CloseReason reason) {
        if (queue.isEmpty()) {
            return;
        }
        Throwable cause = UnsentMessage.causeOfClosed(reason);
        for (Message message = queue.poll(); message != null; message = queue.poll()) {
            if (message.leaves(State.FAILED)) {
                complete(message, cause);
            }
        }
    }
}
