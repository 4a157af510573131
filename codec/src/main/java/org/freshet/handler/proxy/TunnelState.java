package org.freshet.handler.proxy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.freshet.channel.ChannelEvent;
import org.freshet.internal.handler.HeldWrite;

/**
 * The progress of a connection through a proxy, and the requests that wait for the tunnel. Any thread may call. The monitor
 * guards both, and is never held while other code runs.
 *
 * <pre>
 * IDLE --&gt; CONNECTING --&gt; ASKING --&gt; ESTABLISHED --&gt; OPEN
 *   |            |           |
 *   +------------+-----------+--&gt; FAILED
 * </pre>
 */
final class TunnelState {
    enum Phase {
        /** No connect was requested yet. */
        IDLE,

        /** Connecting to the proxy. */
        CONNECTING,

        /** Asking the proxy for the target. */
        ASKING,

        /** The tunnel is established; the waiting requests are being sent. */
        ESTABLISHED,

        /** Nothing waits, and everything passes. */
        OPEN,
        FAILED
    }

    private Phase phase = Phase.IDLE;
    private final Queue<ChannelEvent> waiting = new ArrayDeque<>();

    /** The failure of requests; null unless the phase is FAILED. */
    private Throwable failure;

    synchronized Phase phase() {
        return phase;
    }

    /** Changes the phase. Returns false, and changes nothing, unless the phase was {@code from}. */
    synchronized boolean enter(Phase from, Phase to) {
        boolean entered = phase == from;
        if (entered) {
            phase = to;
        }
        return entered;
    }

    /** Whether writes wait. */
    synchronized boolean isHolding() {
        return phase == Phase.CONNECTING || phase == Phase.ASKING || phase == Phase.ESTABLISHED;
    }

    /** Returns false if the request must be passed on now. */
    synchronized boolean holdWrite(HeldWrite write) {
        boolean held = isHolding();
        if (held) {
            waiting.add(write);
        }
        return held;
    }

    /**
     * Like {@link #holdWrite}, for a request to suspend or resume reading, which would keep the proxy's answer from being read.
     */
    synchronized boolean holdInterest(ChannelEvent request) {
        boolean held = phase != Phase.OPEN && phase != Phase.FAILED;
        if (held) {
            waiting.add(request);
        }
        return held;
    }

    /** The next request to pass on while ESTABLISHED. Returns null if all have been passed on; the tunnel is then OPEN. */
    synchronized ChannelEvent next() {
        if (phase != Phase.ESTABLISHED) {
            return null;
        }
        ChannelEvent next = waiting.poll();
        if (next == null) {
            phase = Phase.OPEN;
        }
        return next;
    }

    /** Why there will be no tunnel; null if there may be one. */
    synchronized Throwable failure() {
        return failure;
    }

    /** Returns the requests that fail. Returns null, and changes nothing, if the tunnel is established or has already failed. */
    synchronized List<ChannelEvent> fail(Throwable cause) {
        if (phase == Phase.ESTABLISHED || phase == Phase.OPEN || phase == Phase.FAILED) {
            return null;
        }
        List<ChannelEvent> failed = new ArrayList<>(waiting); // do this first: it may run out of memory
        phase = Phase.FAILED;
        failure = cause;
        waiting.clear();
        return failed;
    }
}
