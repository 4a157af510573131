package org.freshet.handler.ssl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.freshet.channel.ChannelEvent;

/**
 * Sends events in the order in which they were added, one thread at a time, where a write may block. The monitor guards the
 * state alone: none is held while an event is sent, whatever the handlers below and the listeners do.
 *
 * <pre>
 *   IDLE --&gt; WRITING or CLOSING or URGENT &lt;--&gt; URGENT_AND_MORE        any state that ends with its thread --&gt; IDLE
 * </pre>
 *
 * <p><b>Threading.</b> Any thread may call. Only {@link #sendAll} waits for another thread.
 */
final class SendQueue {
    private enum State {
        IDLE,

        /** {@link #sender} sends all, for a write or in the background. A close does not wait for it. */
        WRITING,

        /** {@link #sender} sends all, because the channel closes. */
        CLOSING,

        /** {@link #sender} sends what is urgent. */
        URGENT,

        /** As URGENT, and the rest after that: a listener, a handler below or a thread that closes has left it to the sender. */
        URGENT_AND_MORE
    }

    private final Queue<ChannelEvent> events = new ConcurrentLinkedQueue<>();

    /** Sends one event; does not throw. */
    private final Consumer<ChannelEvent> send;

    /** Guarded by this, as is {@link #sender}. */
    private State state = State.IDLE;

    private Thread sender;

    SendQueue(Consumer<ChannelEvent> send) {
        this.send = send;
    }

    void add(ChannelEvent e) {
        events.add(e);
    }

    boolean contains(ChannelEvent e) {
        return events.contains(e);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }

    // ---- the sender ----

    /** Sends all events, after another thread has sent its own. */
    void sendAll() {
        if (!isLeftToSender(false)) {
            awaitSender();
            drain();
        }
    }

    /**
     * Sends all events before a close, unless another thread sends.
     *
     * @param mayLeave whether they may be left to another thread if that is not writing, and so does not take long
     * @return false if nothing is done, because another thread sends
     */
    boolean trySendAll(boolean mayLeave) {
        synchronized (this) {
            if (isLeftToSender(mayLeave)) {
                return true;
            }
            if (state != State.IDLE) {
                return false;
            }
            begin(State.CLOSING);
        }
        drain();
        return true;
    }

    /**
     * Sends the first events as long as they are urgent, unless another thread sends: it, or a writer that is about to, sends
     * them too.
     */
    void trySendUrgent(Predicate<ChannelEvent> urgent) {
        while (hasUrgent(urgent) && tryBegin(State.URGENT)) {
            boolean more = false;
            try {
                while (hasUrgent(urgent)) {
                    send.accept(events.poll());
                }
            } finally {
                more = end();
            }
            if (more) {
                sendAll();
            }
        }
    }

    private boolean hasUrgent(Predicate<ChannelEvent> urgent) {
        ChannelEvent first = events.peek();
        return first != null && urgent.test(first);
    }

    private void drain() {
        do {
            try {
                for (ChannelEvent next = events.poll(); next != null; next = events.poll()) {
                    send.accept(next);
                }
            } finally {
                end();
            }
        } while (!events.isEmpty() && tryBegin(State.WRITING)); // added by a thread that found this one sending
    }

    // ---- the state ----

    /**
     * Whether the sender is going to send all events: the calling thread, or another one that is not writing.
     *
     * @param mayBeOther whether another one will do
     */
    synchronized boolean isLeftToSender(boolean mayBeOther) {
        boolean isOther = mayBeOther && state != State.IDLE && state != State.WRITING;
        boolean isLeft = isOther || isSender();
        if (isLeft && state == State.URGENT) {
            state = State.URGENT_AND_MORE;
        }
        return isLeft;
    }

    /** Whether the calling thread is sending, and has been called by a listener or a handler below. */
    synchronized boolean isSender() {
        return sender == Thread.currentThread();
    }

    private synchronized boolean tryBegin(State as) {
        boolean free = state == State.IDLE;
        if (free) {
            begin(as);
        }
        return free;
    }

    private synchronized void awaitSender() {
        boolean interrupted = false;
        while (state != State.IDLE) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        begin(State.WRITING);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(State as) {
        state = as;
        sender = Thread.currentThread();
    }

    /** Returns whether there are events that no other thread is going to send. */
    private synchronized boolean end() {
        boolean more = state == State.URGENT_AND_MORE;
        state = State.IDLE;
        sender = null;
        notify();
        return more;
    }
}
