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
 *   IDLE --&gt; SENDING &lt;--&gt; SENDING_MORE        any state that ends with its thread --&gt; IDLE
 * </pre>
 *
 * <p><b>Threading.</b> Any thread may call. Only {@link #sendAll} waits for another thread.
 */
final class SendQueue {
    private enum State {
        IDLE,

        /** {@link #sender} sends. */
        SENDING,

        /** {@link #sender} sends, and has added events from a listener or a handler below, which it has to send as well. */
        SENDING_MORE
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
        if (!isSentByCaller()) {
            awaitSender();
            drain();
        }
    }

    /** As {@link #sendAll}, but does not wait. Returns whether the events are sent by the calling thread. */
    boolean trySendAll() {
        if (isSentByCaller()) {
            return true;
        }
        boolean begun = tryBegin();
        if (begun) {
            drain();
        }
        return begun;
    }

    /**
     * Sends the first events as long as they are urgent, unless another thread sends: it, or a writer that is about to, sends
     * them too.
     */
    void trySendUrgent(Predicate<ChannelEvent> urgent) {
        while (hasUrgent(urgent) && tryBegin()) {
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
        } while (!events.isEmpty() && tryBegin()); // added by a thread that found this one sending
    }

    // ---- the state ----

    /** Whether the calling thread is the sender; if so, it will send all events before it ends. */
    private synchronized boolean isSentByCaller() {
        boolean own = isSender();
        if (own) {
            state = State.SENDING_MORE;
        }
        return own;
    }

    /** Whether the calling thread is sending, and has been called by a listener or a handler below. */
    synchronized boolean isSender() {
        return sender == Thread.currentThread();
    }

    private synchronized boolean tryBegin() {
        boolean free = state == State.IDLE;
        if (free) {
            begin();
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
        begin();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin() {
        state = State.SENDING;
        sender = Thread.currentThread();
    }

    /** Returns whether there are events that no other thread is going to send. */
    private synchronized boolean end() {
        boolean more = state == State.SENDING_MORE;
        state = State.IDLE;
        sender = null;
        notify();
        return more;
    }
}
