package org.freshet.internal.accept;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.util.function.Predicate;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.internal.AddressCounter;
import org.freshet.internal.accept.AcceptCounts.Cause;

/**
 * The share of one connection in its server's {@link AcceptLimits} and in the limits shared by the server, from before the accept until the
 * connection ends.
 *
 * <pre>
 *   FREE --reserve()--&gt; RESERVED --admit()--&gt; TAKEN --release()--&gt; FREE
 *     '----------------admit()----------------^
 * </pre>
 *
 * <p>Threading: belongs to the server's I/O thread until {@link #handOver}, and to the connection's from then on. Any thread may call
 * {@link #release}, any number of times and in any state, so a failed step gives its permit back whatever it had taken.
 */
public final class AcceptPermit implements ChannelFutureListener, AddressCounter {
    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(AcceptPermit.class, "taken", AddressCounts.Count.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AcceptLimits limits;

    /** Null if the server shares no limits. */
    private final AcceptPermit shared;

    /** Null: FREE. {@link AcceptLimits#reserved()}: RESERVED. Otherwise TAKEN. A single field, because connections may keep this object. */
    private volatile AddressCounts.Count taken;

    AcceptPermit(AcceptLimits limits, AcceptPermit shared) {
        this.limits = limits;
        this.shared = shared;
    }

    /**
     * Reserves room, so that servers with shared limits together never accept more than the maximum. If connections are refused instead of
     * waiting, {@link #admit} takes the room.
     *
     * @return 0 if a connection may be accepted, the nanoseconds to wait, or {@link AcceptLimits#UNTIL_ROOM}
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

    /** Whether the connection may still be open: a limit may have been lowered between {@link #reserve} and the accept. */
    public boolean isWithinLimits() {
        return (taken == null || limits.isWithinLimit()) && (shared == null || shared.isWithinLimits());
    }

    /**
     * Admits an accepted connection, or refuses it and releases the permit. Without {@link #reserve} it also takes the room.
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
        taken = limits.uncounted(); // the rate counts accepted connections, admitted or not
        AddressCounts.Count address = limits.takeAddress(peer);
        if (address == null) {
            return limits.refuse(Cause.ADDRESS);
        }
        taken = address;
        return null;
    }

    /**
     * Makes the close of the connection give back the permit, so that {@link #release} is no longer needed. If this throws, nothing is
     * handed over. If the server shares no limits, no object is kept per connection.
     */
    public void handOver(ChannelFuture closeFuture) {
        if (shared == null) {
            closeFuture.addListener(taken);
            taken = null;
        } else {
            closeFuture.addListener(this);
        }
    }

    /** Whether nothing is taken and no connection keeps this object, so it can serve for the next attempt. */
    public boolean isReusable() {
        return shared == null && taken == null;
    }

    /** Counts in the shared limits, too; this permit stays the listener. */
    @Override
    public boolean countFor(InetAddress client, Predicate<AddressCounter> replacement) {
        boolean isCounted = countHere(client);
        if (isCounted && shared != null && !shared.countHere(client)) {
            limits.counts().add(Cause.ADDRESS, 1);
            isCounted = false;
        }
        return isCounted;
    }

    private boolean countHere(InetAddress client) {
        AddressCounts.Count before = taken;
        if (before == null) {
            return true; // released: the connection has ended
        }
        return limits.recount(before, client, after -> TAKEN.compareAndSet(this, before, after));
    }

    /** Gives back what was taken and not handed over. Allocates nothing. */
    public void release() {
        AddressCounts.Count before = (AddressCounts.Count) TAKEN.getAndSet(this, null);
        if (before != null) {
            limits.giveBack(before);
        }
        if (shared != null) {
            shared.release();
        }
    }

    /** Called when the connection is closed. */
    @Override
    public void operationComplete(ChannelFuture closed) {
        release();
    }
}
