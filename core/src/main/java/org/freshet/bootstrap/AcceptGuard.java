package org.freshet.bootstrap;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.freshet.handler.ipfilter.CIDR;
import org.freshet.handler.ipfilter.IpNetworks;
import org.freshet.internal.accept.AcceptLimits;
import org.freshet.internal.accept.AcceptRate;

/**
 * Limits the connections that servers accept: in total, per address and per second. Servers that use the same guard share its limits.
 *
 * <pre>{@code
 * AcceptGuard guard = AcceptGuard.builder()
 *         .maxConnections(50_000)
 *         .perAddress(100)
 *         .exempt("10.0.0.0/8")
 *         .perSecond(2_000, 500)
 *         .build();
 * server.setAcceptGuard(guard);
 * }</pre>
 *
 * <p>A refused connection is reset before a pipeline is created for it. IPv6 addresses are counted by their /64 network. A connect of the
 * local transport cannot wait, so it is refused, and counted as refused, where a socket would wait in the backlog. The local transport has
 * no addresses and no descriptors.
 *
 * <p>Behind a load balancer, each connection counts for the balancer's address until the PROXY protocol names the client
 * ({@link org.freshet.channel.OriginalAddress}), and for the client's address from then on. {@linkplain Builder#exempt Exempt} the
 * balancer's network. If the client turns out to be over its limit, the connection is closed.
 *
 * <p>To limit a single server, the options {@code maxConnections} and {@code maxConnectionsPerAddress} are enough. With both, a connection
 * needs room in the server and in the guard.
 *
 * <p>Any thread may call any method. Limits can be changed while servers run; lowering one closes no connection.
 */
public final class AcceptGuard {
    /** What happens to new connections while the maximum number is open, or when they exceed the rate. */
    public enum WhenFull {
        /** They wait in the system's backlog, up to the option {@code backlog}, until there is room. */
        PAUSE,
        /** They are reset. */
        REFUSE
    }

    /** Builds a guard. Not thread-safe. */
    public static final class Builder {
        private int maxConnections = AcceptLimits.NO_LIMIT;
        private int perAddress = AcceptLimits.NO_LIMIT;
        private int perSecond = AcceptLimits.NO_LIMIT;
        private int burst = 1;
        private WhenFull whenFull = WhenFull.PAUSE;
        private boolean isSpareKept = true;
        private final List<CIDR> exempt = new ArrayList<>();
        private final List<NetworkRules.Limit> networkLimits = new ArrayList<>();
        private LongSupplier nanoClock = System::nanoTime;

        private Builder() {}

        /**
         * The maximum number of open connections. No limit by default.
         *
         * @param count 1 or more
         */
        public Builder maxConnections(int count) {
            maxConnections = positive("maxConnections", count);
            return this;
        }

        /**
         * The maximum number of open connections per address; further ones are always reset. No limit by default.
         *
         * @param count 1 or more
         */
        public Builder perAddress(int count) {
            perAddress = positive("perAddress", count);
            return this;
        }

        /**
         * The maximum number of open connections for each address of a network, in place of {@link #perAddress(int)}. If networks overlap,
         * the one added first applies.
         *
         * @param network as in {@code "10.0.0.0/8"}
         * @param count 1 or more
         * @throws IllegalArgumentException if it is not a network
         */
        public Builder perAddress(String network, int count) {
            networkLimits.add(new NetworkRules.Limit(IpNetworks.parse(network), positive("perAddress", count)));
            return this;
        }

        /**
         * Exempts a network, such as a load balancer's, from the limit per address.
         *
         * @param network as in {@code "10.0.0.0/8"}
         * @throws IllegalArgumentException if it is not a network
         */
        public Builder exempt(String network) {
            exempt.add(IpNetworks.parse(network));
            return this;
        }

        /**
         * The maximum number of connections accepted per second. No limit by default.
         *
         * @param count 1 to a million
         * @param burst how many of them may arrive together, 1 or more
         */
        public Builder perSecond(int count, int burst) {
            if (positive("perSecond", count) > 1_000_000) {
                throw new IllegalArgumentException("perSecond > 1000000: " + count);
            }
            perSecond = count;
            this.burst = positive("burst", burst);
            return this;
        }

        /** What to do beyond {@link #maxConnections} and {@link #perSecond}. {@link WhenFull#PAUSE} by default. */
        public Builder whenFull(WhenFull action) {
            if (action == null) {
                throw new NullPointerException("action");
            }
            whenFull = action;
            return this;
        }

        /**
         * Whether each server keeps one file descriptor in reserve. When the process has no other left, the server uses it to reset the
         * waiting connections instead of leaving them unanswered. True by default.
         */
        public Builder reserveFileDescriptor(boolean isKept) {
            isSpareKept = isKept;
            return this;
        }

        /** For tests. */
        Builder nanoClock(LongSupplier clock) {
            nanoClock = clock;
            return this;
        }

        public AcceptGuard build() {
            NetworkRules networks = new NetworkRules(List.copyOf(exempt), List.copyOf(networkLimits));
            AcceptRate rate = perSecond == AcceptLimits.NO_LIMIT ? null : new AcceptRate(perSecond, burst, nanoClock);
            AcceptLimits limits =
                    new AcceptLimits(new AcceptLimits.Rules(networks, rate, whenFull == WhenFull.REFUSE, isSpareKept));
            limits.setMax(maxConnections);
            limits.setMaxPerAddress(perAddress);
            return new AcceptGuard(limits);
        }
    }

    private final AcceptLimits limits;

    private AcceptGuard(AcceptLimits limits) {
        this.limits = limits;
    }

    public static Builder builder() {
        return new Builder();
    }

    private static int positive(String name, int count) {
        if (count < 1) {
            throw new IllegalArgumentException(name + " < 1: " + count);
        }
        return count;
    }

    AcceptLimits limits() {
        return limits;
    }

    /**
     * Changes {@link Builder#maxConnections}.
     *
     * @param count 1 or more
     */
    public void setMaxConnections(int count) {
        limits.setMax(positive("maxConnections", count));
    }

    /**
     * Changes {@link Builder#perAddress(int)}.
     *
     * @param count 1 or more
     */
    public void setMaxPerAddress(int count) {
        limits.setMaxPerAddress(positive("perAddress", count));
    }

    /** Stops accepting until {@link #resume} is called: connections wait in the backlog or are reset, depending on {@link WhenFull}. */
    public void pause() {
        limits.setPaused(true);
    }

    /** Accepts again. */
    public void resume() {
        limits.setPaused(false);
    }

    /** Returns the number of open connections. A server that is about to accept briefly counts as one more. */
    public int getOpenConnections() {
        return limits.openConnections();
    }

    /** Returns the number of open connections from an address, or from its /64 network; 0 for an exempt one. */
    public int getOpenConnections(InetAddress address) {
        return limits.openConnections(address);
    }

    /** Returns how many connections have been refused so far. */
    public long getRefused() {
        return limits.counts().refused();
    }

    /**
     * Returns how many connections were refused, by cause: {@code full}, {@code address}, {@code rate}, {@code descriptors}.
     *
     * @return all four causes, including those with 0
     */
    public Map<String, Long> getRefusedByCause() {
        return limits.counts().refusedByCause();
    }
}
