package org.freshet.handler.ssl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.freshet.channel.ChannelEvent;

/**
 * Sends events in the order in which they were added, one thread at a time, on transports where a write may block. The monitor
 * guards the state only. It is not held while an event is sent, so handlers below and listeners may do anything.
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

        /** {@link #sender} sends everything, for a write or in the background. A close doesn't wait for it. */
        WRITING,

        /** {@link #sender} sends everything, because the channel closes. */
        CLOSING,

        /** {@link #sender} sends urgent events only. */
        URGENT,

        /** Like URGENT, then everything else: a listener, a handler below or a closing thread has left it to the sender. */
        URGENT_AND_MORE
    }

    private final Queue<ChannelEvent> events = new ConcurrentLinkedQueue<>();

    /** Sends one event; never throws. */
    private final Consumer<ChannelEvent> send;

    /** Guarded by this, like {@link #sender}. */
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
     * Sends all events before a close, unless another thread is sending.
     *
     * @param mayLeave whether another thread may do it instead, if that one isn't writing and so won't take long
     * @return false if nothing was done because another thread is sending
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
     * Sends events from the head of the queue while they are urgent. If another thread is sending, it (or a writer about to
     * send) sends them too.
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
        } while (!events.isEmpty() && tryBegin(State.WRITING)); // added by a thread that saw this one sending
    }

    // ---- the state ----

    /**
     * Whether the sender will send all events: the calling thread, or another one that isn't writing.
     *
     * @param mayBeOther whether another thread is acceptable
     */
    synchronized boolean isLeftToSender(boolean mayBeOther) {
        boolean isOther = mayBeOther && state != State.IDLE && state != State.WRITING;
        boolean isLeft = isOther || isSender();
        if (isLeft && state == State.URGENT) {
            state = State.URGENT_AND_MORE;
        }
        return isLeft;
    }

    /** Whether the calling thread is sending: it was called by a listener or a handler below. */
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

    /** Returns whether there are events that no other thread will send. */
    private synchronized boolean end() {
        boolean more = state == State.URGENT_AND_MORE;
        state = State.IDLE;
        sender = null;
        notify();
        return more;
    }
}
