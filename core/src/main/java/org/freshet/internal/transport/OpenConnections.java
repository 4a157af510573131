package org.freshet.internal.transport;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many connections are open, in all and from each address, and how many may be. Any thread; none of the methods blocks.
 *
 * <p>Connections are counted while no limit is set, too, for one may be set later.
 */
public final class OpenConnections {
    private final AtomicInteger open = new AtomicInteger();

    /** By address, or the first half of one of IPv6. Without those that have none open. */
    private final Map<Object, Integer> openByAddress = new ConcurrentHashMap<>();

    /** What waits for room. */
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    private volatile int max;
    private volatile int maxPerAddress;
    private volatile boolean isPaused;

    /** @param max {@link Integer#MAX_VALUE} for no limit, as for the other */
    public OpenConnections(int max, int maxPerAddress) {
        this.max = max;
        this.maxPerAddress = maxPerAddress;
    }

    public int max() {
        return max;
    }

    public void setMax(int count) {
        max = count;
        tellOfRoom();
    }

    public int maxPerAddress() {
        return maxPerAddress;
    }

    public void setMaxPerAddress(int count) {
        maxPerAddress = count;
    }

    public boolean isPaused() {
        return isPaused;
    }

    /** While paused there is no room. */
    public void setPaused(boolean isWanted) {
        isPaused = isWanted;
        tellOfRoom();
    }

    // ---- in all -----------------------------------------------------------------------------------------------------

    public int count() {
        return open.get();
    }

    public boolean hasRoom() {
        return !isPaused && open.get() < max;
    }

    /** Counts one more; returns false if there is no room. */
    public boolean tryOpen() {
        while (!isPaused) {
            int now = open.get();
            if (now >= max) {
                return false;
            }
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Undoes {@link #tryOpen}. */
    public void close() {
        open.decrementAndGet();
        tellOfRoom();
    }

    // ---- from one address -------------------------------------------------------------------------------------------

    public int count(InetAddress peer) {
        return openByAddress.getOrDefault(key(peer), 0);
    }

    /**
     * Counts one more of an address; returns false if it has as many as it may have.
     *
     * @param peer null if it has no address, and always room
     */
    public boolean tryOpenFrom(InetAddress peer) {
        return tryOpenFrom(peer, maxPerAddress);
    }

    /** As the other, with a limit in place of {@link #maxPerAddress}. */
    public boolean tryOpenFrom(InetAddress peer, int limit) {
        return peer == null || increment(peer, limit);
    }

    /** Undoes {@link #tryOpenFrom}. */
    public void closeFrom(InetAddress peer) {
        if (peer != null) {
            openByAddress.computeIfPresent(key(peer), (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Counts a connection that is open already, beyond the limits if need be. */
    public void add(InetAddress peer) {
        open.incrementAndGet();
        if (peer != null) {
            increment(peer, Integer.MAX_VALUE);
        }
    }

    private boolean increment(InetAddress peer, int limit) {
        boolean[] isOpened = {false};
        openByAddress.compute(key(peer), (same, count) -> {
            int before = count == null ? 0 : count;
            isOpened[0] = before < limit;
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

    /** Runs a short action once, as soon as there is room, on whichever thread makes it. */
    public void whenRoom(Runnable action) {
        waiting.add(action);
        tellOfRoom();
    }

    private void tellOfRoom() {
        if (waiting.isEmpty() || !hasRoom()) {
            return;
        }
        for (Runnable action = waiting.poll(); action != null; action = waiting.poll()) {
            action.run();
        }
    }
}
