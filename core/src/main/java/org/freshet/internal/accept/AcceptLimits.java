package org.freshet.internal.accept;

import static org.freshet.channel.ChannelOption.MAX_CONNECTIONS;
import static org.freshet.channel.ChannelOption.MAX_CONNECTIONS_PER_ADDRESS;

import java.net.InetAddress;
import java.util.function.Predicate;
import org.freshet.internal.accept.AcceptCounts.Cause;
import org.freshet.internal.options.OptionTable;

/**
 * Limits connections and counts them. Each server has its own limits, set by its options {@code maxConnections} and
 * {@code maxConnectionsPerAddress}; an {@code AcceptGuard} has limits that servers share. A connection needs an {@link AcceptPermit} in
 * both.
 *
 * <p>Connections are counted from the first one on, even without a limit, because a limit may be set later. Any thread may call any method;
 * none of them blocks.
 */
public final class AcceptLimits {
    /** A server channel or its config. */
    public interface Owner {
        AcceptLimits limits();
    }

    /** Determines how many connections an address may have. */
    @FunctionalInterface
    public interface AddressRule {
        /** Returned by {@link #limitOf}: the address has no limit and is not counted. */
        int EXEMPT = 0;

        /**
         * @param common the limit of addresses without a rule
         */
        int limitOf(InetAddress peer, int common);
    }

    /**
     * The fixed settings.
     *
     * @param addresses must not throw
     * @param rate null for no limit
     * @param isRefusing whether connections beyond the limits are refused rather than left waiting
     * @param keepsSpare whether a server without descriptors resets the waiting connections
     */
    public record Rules(AddressRule addresses, AcceptRate rate, boolean isRefusing, boolean keepsSpare) {
        static final Rules OF_SERVER = new Rules((peer, common) -> common, null, false, false);
    }

    /** Returned by {@link AcceptPermit#reserve}: wait for {@link #whenRoom}. */
    public static final long UNTIL_ROOM = Long.MAX_VALUE;

    /** As an option this is 0. */
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    private final Rules rules;
    private final OpenConnections open = new OpenConnections();
    private final AddressCounts addresses = new AddressCounts(this);
    private volatile int maxPerAddress = NO_LIMIT;
    private volatile AcceptCounts counts = new AcceptCounts();

    /** Null if no limits are shared. Set before the server is bound. */
    private volatile AcceptLimits shared;

    /** Creates the limits of a server. */
    public AcceptLimits() {
        this(Rules.OF_SERVER);
    }

    public AcceptLimits(Rules rules) {
        this.rules = rules;
    }

    // ---- settings ---------------------------------------------------------------------------------------------------

    public static <C extends Owner> OptionTable<C> options(OptionTable<C> table) {
        return table.with(
                        MAX_CONNECTIONS.key(),
                        MAX_CONNECTIONS::convert,
                        config -> option(config.limits().open.max()),
                        (config, count) -> config.limits().setMax(limit(count)))
                .with(
                        MAX_CONNECTIONS_PER_ADDRESS.key(),
                        MAX_CONNECTIONS_PER_ADDRESS::convert,
                        config -> option(config.limits().maxPerAddress),
                        (config, count) -> config.limits().setMaxPerAddress(limit(count)));
    }

    private static int option(int limit) {
        return limit == NO_LIMIT ? 0 : limit;
    }

    private static int limit(int option) {
        return option == 0 ? NO_LIMIT : option;
    }

    /** @param count 1 or more, or {@link #NO_LIMIT} */
    public void setMax(int count) {
        open.setMax(count);
    }

    /** @param count 1 or more, or {@link #NO_LIMIT} */
    public void setMaxPerAddress(int count) {
        maxPerAddress = count;
    }

    /** While paused, nothing is accepted. */
    public void setPaused(boolean isPaused) {
        open.setPaused(isPaused);
    }

    /** Adds the limits of a guard. Call this before the server is bound. */
    public void share(AcceptLimits guard) {
        shared = guard;
    }

    /** Sets where to count refused connections from now on. */
    public void countIn(AcceptCounts counts) {
        this.counts = counts;
    }

    // ---- current state ----------------------------------------------------------------------------------------------

    public AcceptCounts counts() {
        return counts;
    }

    public int openConnections() {
        return open.count();
    }

    public int openConnections(InetAddress peer) {
        return addresses.of(peer);
    }

    /** Returns how many servers wait for room here, not counting those that wait for the shared limits. */
    public int waitingServers() {
        return open.waiting();
    }

    /** Whether an operator has paused accepting, here or in the shared limits. */
    public boolean isPaused() {
        AcceptLimits next = shared;
        return open.isPaused() || next != null && next.isPaused();
    }

    boolean isRefusing() {
        return rules.isRefusing();
    }

    boolean isWithinLimit() {
        return open.isWithinLimit();
    }

    // ---- permits ----------------------------------------------------------------------------------------------------

    /** Returns a free permit. */
    public AcceptPermit newPermit() {
        AcceptLimits next = shared;
        return new AcceptPermit(this, next == null ? null : next.newPermit());
    }

    /** Takes room and returns 0 if there is any; otherwise returns how long to wait for it. */
    long takeRoom() {
        if (!open.tryOpen()) {
            return UNTIL_ROOM;
        }
        long waitNanos = UNTIL_ROOM;
        try {
            waitNanos = rules.rate() == null ? 0 : rules.rate().take();
        } finally {
            if (waitNanos != 0) {
                open.close();
            }
        }
        return waitNanos;
    }

    /** Returns null if the address has reached its limit. */
    AddressCounts.Count takeAddress(InetAddress peer) {
        int limit = peer == null ? AddressRule.EXEMPT : rules.addresses().limitOf(peer, maxPerAddress);
        return limit == AddressRule.EXEMPT ? addresses.uncounted : addresses.add(peer, limit);
    }

    /** The placeholder for room taken by {@link #takeRoom}, until {@link #takeAddress}. */
    AddressCounts.Count reserved() {
        return addresses.reserved;
    }

    /** The placeholder for the room of a peer that is being refused. */
    AddressCounts.Count uncounted() {
        return addresses.uncounted;
    }

    void giveBack(AddressCounts.Count taken) {
        addresses.subtract(taken);
        if (taken == addresses.reserved && rules.rate() != null) {
            rules.rate().giveBack();
        }
        open.close();
    }

    /**
     * Counts a connection for another peer, for example because its address became known late.
     *
     * @param before the count it has taken
     * @param replacement stores the new count instead; returns false if the connection has given back {@code before} in the meantime
     * @return false if the address has reached its limit; nothing is changed then
     */
    boolean recount(AddressCounts.Count before, InetAddress peer, Predicate<AddressCounts.Count> replacement) {
        AddressCounts.Count after = AddressCounts.isFor(before, peer) ? before : takeAddress(peer);
        if (after == null) {
            refuse(Cause.ADDRESS);
        } else if (after != before) {
            AddressCounts.Count unused = after;
            try {
                unused = replacement.test(after) ? before : after;
            } finally { // it may be out of memory
                addresses.subtract(unused);
            }
        }
        return after != null;
    }

    Cause refuse(Cause cause) {
        counts.add(cause, 1);
        AcceptCounts.process().add(cause, 1);
        return cause;
    }

    // ---- waiting ----------------------------------------------------------------------------------------------------

    /**
     * Wakes a server once there is room, on the thread that makes the room; wake-ups may be spurious. Only the server's I/O thread calls
     * this.
     *
     * @param wakeUp the same object for each call of a server; must not throw, block or allocate
     */
    public void whenRoom(Runnable wakeUp) {
        AcceptLimits next = shared;
        if (next == null || !open.hasRoom()) {
            open.whenRoom(wakeUp);
        } else {
            next.whenRoom(wakeUp);
        }
    }

    /** Called when the server is closed. */
    public void stopWaiting(Runnable wakeUp) {
        open.stopWaiting(wakeUp);
        AcceptLimits next = shared;
        if (next != null) {
            next.stopWaiting(wakeUp);
        }
    }

    // ---- descriptors ------------------------------------------------------------------------------------------------

    boolean keepsSpareDescriptor() {
        AcceptLimits next = shared;
        return rules.keepsSpare() || next != null && next.keepsSpareDescriptor();
    }

    /** Counts connections that were reset because the process had no descriptors left. */
    void onShortage(int refused) {
        counts.add(Cause.DESCRIPTORS, refused);
        AcceptLimits next = shared;
        if (next == null) {
            AcceptCounts.process().add(Cause.DESCRIPTORS, refused);
        } else {
            next.onShortage(refused);
        }
    }
}
