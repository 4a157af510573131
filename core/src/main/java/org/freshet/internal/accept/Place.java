package org.freshet.internal.accept;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.internal.FieldHandles;
import org.freshet.internal.accept.AcceptCounts.Cause;

/**
 * What one connection takes of its server's {@link AcceptLimits}, and of those that the server shares, from before its accept to its end.
 *
 * <pre>
 *   FREE --reserve()--&gt; RESERVED --admit()--&gt; TAKEN --release()--&gt; FREE
 *     '----------------admit()----------------^
 * </pre>
 *
 * <p>Threading: the server's I/O thread, until {@link #handOver}. {@link #release} may be called by any thread, any number of times and in
 * any state, so a failed step gives its place back whatever it had taken.
 */
public final class Place implements ChannelFutureListener {
    private static final VarHandle TAKEN = FieldHandles.of(MethodHandles.lookup(), "taken", AddressCounts.Count.class);

    private final AcceptLimits limits;

    /** Null if the server shares no limits. */
    private final Place shared;

    /** Null: FREE. {@link AcceptLimits#reserved()}: RESERVED. Else TAKEN; one field, because connections may keep it. */
    private volatile AddressCounts.Count taken;

    Place(AcceptLimits limits, Place shared) {
        this.limits = limits;
        this.shared = shared;
    }

    /**
     * Reserves room, so that servers that share limits never accept more than may be open. Where connections are refused instead of
     * waiting, {@link #admit} takes the room.
     *
     * @return 0 if a connection may be accepted, nanoseconds to wait, or {@link AcceptLimits#UNTIL_ROOM}
     */
    public long reserve() {
        boolean isReserved = false;
        try {
            long waitNanos = limits.isRefusing() ? 0 : takeRoom();
            if (waitNanos == 0 && shared != null) {
                waitNanos = shared.reserve();
            }
            isReserved = waitNanos == 0;
            return waitNanos;
        } finally {
            if (!isReserved) {
                release();
            }
        }
    }

    private long takeRoom() {
        long waitNanos = limits.takeRoom();
        if (waitNanos == 0) {
            taken = limits.reserved();
        }
        return waitNanos;
    }

    /** Whether the connection may still be open. A limit may have been lowered between {@link #reserve} and the accept. */
    public boolean isWithinLimits() {
        return (taken == null || limits.isWithinLimit()) && (shared == null || shared.isWithinLimits());
    }

    /**
     * Admits an accepted connection, or refuses it and releases the place. Without {@link #reserve} it also takes the room.
     *
     * @param peer null if the connection has no such address
     * @return why the connection must be closed; null if it is admitted
     */
    public Cause admit(InetAddress peer) {
        boolean isAdmitted = false;
        try {
            Cause refusal = admitHere(peer);
            if (refusal == null && shared != null) {
                refusal = shared.admit(peer);
                if (refusal != null) {
                    limits.counts().add(refusal, 1);
                }
            }
            isAdmitted = refusal == null;
            return refusal;
        } finally {
            if (!isAdmitted) {
                release();
            }
        }
    }

    private Cause admitHere(InetAddress peer) {
        if (taken == null) {
            long waitNanos = takeRoom();
            if (waitNanos != 0) {
                return limits.refuse(waitNanos == AcceptLimits.UNTIL_ROOM ? Cause.FULL : Cause.RATE);
            }
        }
        taken = limits.uncounted(); // the rate counts what was accepted, admitted or not
        AddressCounts.Count address = limits.takeAddress(peer);
        if (address == null) {
            return limits.refuse(Cause.ADDRESS);
        }
        taken = address;
        return null;
    }

    /**
     * Has the close of the connection give back what is taken; {@link #release} is not needed any more. If this throws, nothing is handed
     * over. A server that shares no limits keeps no object for each connection.
     */
    public void handOver(ChannelFuture closeFuture) {
        if (shared == null) {
            closeFuture.addListener(taken);
            taken = null;
        } else {
            closeFuture.addListener(this);
        }
    }

    /** Gives back what is taken and was not handed over. Allocates nothing. */
    public void release() {
        AddressCounts.Count before = (AddressCounts.Count) TAKEN.getAndSet(this, null);
        if (before != null) {
            limits.giveBack(before);
        }
        if (shared != null) {
            shared.release();
        }
    }

    /** The connection is closed. */
    @Override
    public void operationComplete(ChannelFuture closed) {
        release();
    }
}
