package org.freshet.internal.transport;

import static org.freshet.channel.ChannelOption.MAX_CONNECTIONS;
import static org.freshet.channel.ChannelOption.MAX_CONNECTIONS_PER_ADDRESS;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.freshet.channel.Channel;
import org.freshet.internal.options.OptionTable;
import org.freshet.internal.transport.AcceptCounts.Cause;

/**
 * What bounds the connections of one server: its options {@code maxConnections} and {@code maxConnectionsPerAddress}, whether it is paused,
 * and a guard that other servers may share. Any thread.
 *
 * <p>Until one of them is used, the server neither asks nor counts. From then on it asks for each connection, and has {@link #countPresent}
 * count those that it has accepted before.
 */
public final class ServerLimits implements Admission {
    /** A config that has such options. */
    public interface Config {
        ServerLimits limits();
    }

    /** As an option this is 0. */
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final OpenConnections open = new OpenConnections(NO_LIMIT, NO_LIMIT);

    /** Those of the bootstrap. */
    private volatile AcceptCounts counts = new AcceptCounts();

    /** Null for none. Set before the server is bound. */
    private volatile Admission guard;

    private volatile boolean isUsed;

    // ---- settings ---------------------------------------------------------------------------------------------------

    public static <C extends Config> OptionTable<C> options(OptionTable<C> table) {
        return table.with(
                        MAX_CONNECTIONS.key(),
                        MAX_CONNECTIONS::convert,
                        config -> option(config.limits().open.max()),
                        (config, count) -> config.limits().setMaxConnections(count))
                .with(
                        MAX_CONNECTIONS_PER_ADDRESS.key(),
                        MAX_CONNECTIONS_PER_ADDRESS::convert,
                        config -> option(config.limits().open.maxPerAddress()),
                        (config, count) -> config.limits().setMaxPerAddress(count));
    }

    private static int option(int limit) {
        return limit == NO_LIMIT ? 0 : limit;
    }

    private void setMaxConnections(int option) {
        open.setMax(option == 0 ? NO_LIMIT : option);
        useIf(option != 0);
    }

    private void setMaxPerAddress(int option) {
        open.setMaxPerAddress(option == 0 ? NO_LIMIT : option);
        useIf(option != 0);
    }

    /** While paused nothing is accepted. */
    public void setPaused(boolean isPaused) {
        open.setPaused(isPaused);
        useIf(isPaused);
    }

    private void useIf(boolean isWanted) {
        if (isWanted) {
            isUsed = true;
        }
    }

    /** Asks a guard, too. Before the server is bound. */
    public void setGuard(Admission guard) {
        this.guard = guard;
        isUsed = true;
    }

    /** Has what the server refuses counted there from now on, too. */
    public void countIn(AcceptCounts counts) {
        this.counts = counts;
    }

    /** Whether the server is to ask for each connection. */
    public boolean isUsed() {
        return isUsed;
    }

    /**
     * Counts connections that were accepted before {@link #isUsed()}, and none of those since.
     *
     * @return completes when they are counted
     */
    public CompletableFuture<Void> countPresent(CompletableFuture<List<Channel>> accepted) {
        return accepted.thenAccept(children -> children.forEach(this::countPresent));
    }

    private void countPresent(Channel child) {
        InetAddress peer = child.getRemoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
        open.add(peer);
        child.getCloseFuture().addListener(closed -> leaveOwn(peer));
    }

    // ---- admission --------------------------------------------------------------------------------------------------

    @Override
    public long reserve() {
        if (!open.tryOpen()) {
            return UNTIL_ROOM;
        }
        Admission next = guard;
        long waitNanos = next == null ? 0 : next.reserve();
        if (waitNanos != 0) {
            open.close();
        }
        return waitNanos;
    }

    /** Why {@link #reserve} returned this. */
    public String whyWait(long waitNanos) {
        if (waitNanos != UNTIL_ROOM) {
            return "rate";
        }
        return isPaused() ? "paused" : "full";
    }

    @Override
    public boolean isPaused() {
        Admission next = guard;
        return open.isPaused() || next != null && next.isPaused();
    }

    @Override
    public void cancelReservation() {
        open.close();
        Admission next = guard;
        if (next != null) {
            next.cancelReservation();
        }
    }

    @Override
    public Cause admit(InetAddress peer) {
        Admission next = guard;
        Cause refusal = null;
        if (!open.tryOpenFrom(peer)) {
            refusal = refuseOwn(Cause.ADDRESS);
            if (next != null) {
                next.cancelReservation();
            }
        } else if (next != null) {
            refusal = closeIf(next.admit(peer), peer);
        }
        return refusal;
    }

    @Override
    public Cause admitAtOnce(InetAddress peer) {
        if (!open.tryOpen()) {
            counts.add(Cause.FULL, 1);
            AcceptCounts.process().add(Cause.FULL, 1);
            return Cause.FULL;
        }
        if (!open.tryOpenFrom(peer)) {
            return refuseOwn(Cause.ADDRESS);
        }
        Admission next = guard;
        return next == null ? null : closeIf(next.admitAtOnce(peer), peer);
    }

    private Cause refuseOwn(Cause cause) {
        open.close();
        counts.add(cause, 1);
        AcceptCounts.process().add(cause, 1);
        return cause;
    }

    /** @param refusal of the guard, which has counted it; may be null */
    private Cause closeIf(Cause refusal, InetAddress peer) {
        if (refusal != null) {
            leaveOwn(peer);
            counts.add(refusal, 1);
        }
        return refusal;
    }

    @Override
    public void leave(InetAddress peer) {
        leaveOwn(peer);
        Admission next = guard;
        if (next != null) {
            next.leave(peer);
        }
    }

    private void leaveOwn(InetAddress peer) {
        open.closeFrom(peer);
        open.close();
    }

    @Override
    public void whenRoom(Runnable action) {
        Admission next = guard;
        if (next == null || !open.hasRoom()) {
            open.whenRoom(action);
        } else {
            next.whenRoom(action);
        }
    }

    // ---- descriptors ------------------------------------------------------------------------------------------------

    @Override
    public boolean keepsSpareDescriptor() {
        Admission next = guard;
        return next != null && next.keepsSpareDescriptor();
    }

    @Override
    public void onShortage(int refused) {
        counts.add(Cause.DESCRIPTORS, refused);
        Admission next = guard;
        if (next != null) {
            next.onShortage(refused);
        }
    }
}
