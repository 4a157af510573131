package org.freshet.bootstrap;

import java.net.InetAddress;
import java.util.List;
import org.freshet.bootstrap.AcceptGuard.WhenFull;
import org.freshet.handler.ipfilter.CIDR;
import org.freshet.internal.transport.AcceptCounts;
import org.freshet.internal.transport.AcceptCounts.Cause;
import org.freshet.internal.transport.Admission;
import org.freshet.internal.transport.OpenConnections;

/**
 * What an {@link AcceptGuard} admits, and counts. Any thread.
 *
 * <p>Where connections wait, room is reserved before one is accepted, so that servers that share the guard never accept more than may be
 * open. Where they are refused it is taken afterwards.
 */
final class GuardedAccepts implements Admission {
    /** So many connections from each address of a network. */
    record NetworkLimit(CIDR network, int perAddress) {}

    private final OpenConnections open;
    private final List<CIDR> exempt;

    /** The first one that matches counts. */
    private final List<NetworkLimit> networkLimits;

    /** Null for no limit. */
    private final AcceptRate rate;

    private final WhenFull whenFull;
    private final boolean isSpareKept;
    private final AcceptCounts counts = new AcceptCounts();

    GuardedAccepts(
            OpenConnections open,
            List<CIDR> exempt,
            List<NetworkLimit> networkLimits,
            AcceptRate rate,
            WhenFull whenFull,
            boolean isSpareKept) {
        this.open = open;
        this.exempt = exempt;
        this.networkLimits = networkLimits;
        this.rate = rate;
        this.whenFull = whenFull;
        this.isSpareKept = isSpareKept;
    }

    OpenConnections open() {
        return open;
    }

    AcceptCounts counts() {
        return counts;
    }

    @Override
    public boolean isPaused() {
        return open.isPaused();
    }

    // ---- admission --------------------------------------------------------------------------------------------------

    @Override
    public long reserve() {
        if (whenFull == WhenFull.REFUSE) {
            return 0;
        }
        if (!open.tryOpen()) {
            return UNTIL_ROOM;
        }
        long waitNanos = rate == null ? 0 : rate.take();
        if (waitNanos > 0) {
            open.close();
        }
        return waitNanos;
    }

    @Override
    public void cancelReservation() {
        if (whenFull == WhenFull.PAUSE) {
            if (rate != null) {
                rate.giveBack();
            }
            open.close();
        }
    }

    @Override
    public Cause admit(InetAddress peer) {
        Cause refusal = whenFull == WhenFull.REFUSE ? takeRoom() : null;
        return refusal == null ? takeRoomOf(peer) : refusal;
    }

    @Override
    public Cause admitAtOnce(InetAddress peer) {
        Cause refusal = takeRoom();
        return refusal == null ? takeRoomOf(peer) : refusal;
    }

    private Cause takeRoom() {
        if (!open.tryOpen()) {
            return refuse(Cause.FULL);
        }
        if (rate != null && rate.take() > 0) {
            open.close();
            return refuse(Cause.RATE);
        }
        return null;
    }

    private Cause takeRoomOf(InetAddress peer) {
        if (open.tryOpenFrom(limited(peer), limitOf(peer))) {
            return null;
        }
        open.close();
        return refuse(Cause.ADDRESS);
    }

    private Cause refuse(Cause cause) {
        count(cause, 1);
        return cause;
    }

    private void count(Cause cause, int refused) {
        counts.add(cause, refused);
        AcceptCounts.process().add(cause, refused);
    }

    @Override
    public void leave(InetAddress peer) {
        open.closeFrom(limited(peer));
        open.close();
    }

    /** Null for a peer without an address, or of an exempt network; the same for a connection's whole life. */
    private InetAddress limited(InetAddress peer) {
        if (peer != null) {
            for (CIDR network : exempt) {
                if (network.contains(peer)) {
                    return null;
                }
            }
        }
        return peer;
    }

    private int limitOf(InetAddress peer) {
        if (peer != null) {
            for (NetworkLimit limit : networkLimits) {
                if (limit.network.contains(peer)) {
                    return limit.perAddress;
                }
            }
        }
        return open.maxPerAddress();
    }

    @Override
    public void whenRoom(Runnable action) {
        open.whenRoom(action);
    }

    // ---- descriptors ------------------------------------------------------------------------------------------------

    @Override
    public boolean keepsSpareDescriptor() {
        return isSpareKept;
    }

    @Override
    public void onShortage(int refused) {
        count(Cause.DESCRIPTORS, refused);
    }
}
