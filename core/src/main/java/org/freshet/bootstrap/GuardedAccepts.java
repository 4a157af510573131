package org.freshet.bootstrap;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.AcceptGuard.WhenFull;
import org.freshet.handler.ipfilter.CIDR;
import org.freshet.internal.transport.AcceptCounts;
import org.freshet.internal.transport.AcceptCounts.Cause;
import org.freshet.internal.transport.Admission;

/**
 * The counts of an {@link AcceptGuard}. Any thread.
 *
 * <p>Where connections wait, room is reserved before one is accepted, so that servers that share the guard never accept more than may be
 * open. Where they are refused it is taken afterwards.
 */
final class GuardedAccepts implements Admission {
    private final List<CIDR> exempt;

    /** Null for no limit. */
    private final AcceptRate rate;

    private final WhenFull whenFull;
    private final boolean isSpareKept;
    private final AcceptCounts counts = new AcceptCounts();
    private final AtomicInteger open = new AtomicInteger();

    /** By address, or the first half of one of IPv6. Without those that have none open. */
    private final Map<Object, Integer> openByAddress = new ConcurrentHashMap<>();

    /** What waits for room. */
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    private volatile int maxConnections;
    private volatile int maxPerAddress;
    private volatile boolean isPaused;

    GuardedAccepts(
            int maxConnections,
            int maxPerAddress,
            List<CIDR> exempt,
            AcceptRate rate,
            WhenFull whenFull,
            boolean isSpareKept) {
        this.maxConnections = maxConnections;
        this.maxPerAddress = maxPerAddress;
        this.exempt = exempt;
        this.rate = rate;
        this.whenFull = whenFull;
        this.isSpareKept = isSpareKept;
    }

    // ---- settings and counts ----------------------------------------------------------------------------------------

    void setMaxConnections(int count) {
        maxConnections = count;
        tellOfRoom();
    }

    void setMaxPerAddress(int count) {
        maxPerAddress = count;
    }

    void setPaused(boolean isWanted) {
        isPaused = isWanted;
        tellOfRoom();
    }

    int open() {
        return open.get();
    }

    int open(InetAddress address) {
        return openByAddress.getOrDefault(key(address), 0);
    }

    AcceptCounts counts() {
        return counts;
    }

    // ---- admission --------------------------------------------------------------------------------------------------

    @Override
    public long reserve() {
        if (whenFull == WhenFull.REFUSE) {
            return 0;
        }
        if (!tryOpen()) {
            return UNTIL_ROOM;
        }
        long waitNanos = rate == null ? 0 : rate.take();
        if (waitNanos > 0) {
            close();
        }
        return waitNanos;
    }

    @Override
    public void cancelReservation() {
        if (whenFull == WhenFull.PAUSE) {
            if (rate != null) {
                rate.giveBack();
            }
            close();
        }
    }

    @Override
    public boolean admit(InetAddress peer) {
        if (whenFull == WhenFull.REFUSE && !takeRoom()) {
            return false;
        }
        if (isLimited(peer) && !tryOpenFrom(key(peer))) {
            close();
            counts.add(Cause.ADDRESS, 1);
            return false;
        }
        return true;
    }

    private boolean takeRoom() {
        if (!tryOpen()) {
            counts.add(Cause.FULL, 1);
            return false;
        }
        if (rate != null && rate.take() > 0) {
            close();
            counts.add(Cause.RATE, 1);
            return false;
        }
        return true;
    }

    @Override
    public void leave(InetAddress peer) {
        if (isLimited(peer)) {
            openByAddress.computeIfPresent(key(peer), (address, count) -> count == 1 ? null : count - 1);
        }
        close();
    }

    private boolean tryOpen() {
        while (!isPaused) {
            int now = open.get();
            if (now >= maxConnections) {
                return false;
            }
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    private void close() {
        open.decrementAndGet();
        tellOfRoom();
    }

    // ---- addresses --------------------------------------------------------------------------------------------------

    /** The same for a connection's whole life. Connections are counted even while no limit is set, for one may be set later. */
    private boolean isLimited(InetAddress peer) {
        if (peer == null) {
            return false;
        }
        for (CIDR network : exempt) {
            if (network.contains(peer)) {
                return false;
            }
        }
        return true;
    }

    private boolean tryOpenFrom(Object address) {
        boolean[] isOpened = {false};
        openByAddress.compute(address, (same, count) -> {
            int before = count == null ? 0 : count;
            isOpened[0] = before < maxPerAddress;
            return isOpened[0] ? Integer.valueOf(before + 1) : count;
        });
        return isOpened[0];
    }

    private static Object key(InetAddress address) {
        return address instanceof Inet6Address
                ? ByteBuffer.wrap(address.getAddress()).getLong()
                : address;
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    @Override
    public void whenRoom(Runnable action) {
        waiting.add(action);
        tellOfRoom();
    }

    private void tellOfRoom() {
        if (waiting.isEmpty() || isPaused || open.get() >= maxConnections) {
            return;
        }
        for (Runnable action = waiting.poll(); action != null; action = waiting.poll()) {
            action.run();
        }
    }

    // ---- descriptors ------------------------------------------------------------------------------------------------

    @Override
    public boolean keepsSpareDescriptor() {
        return isSpareKept;
    }

    @Override
    public void onShortage(int refused) {
        counts.add(Cause.DESCRIPTORS, refused);
    }
}
