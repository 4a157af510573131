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
 * Bounds the connections that servers accept: in all, from one address, and in a second. One guard may serve several servers, which then
 * share the bounds.
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
 * <p>A connection that is refused is reset before a pipeline is made for it. Addresses of IPv6 count by their /64 networks. The local
 * transport, whose connects cannot wait, refuses what would have to, and counts it as refused; it has no addresses and no descriptors.
 *
 * <p>Behind a load balancer, each connection counts for the balancer's address until the PROXY protocol has named the client ({@link
 * org.freshet.channel.OriginalAddress}), and for the client's address from then on. {@linkplain Builder#exempt Exempt} the balancer's network. A client
 * beyond its limit is closed once it is known.
 *
 * <p>For a limit of one server alone, the options {@code maxConnections} and {@code maxConnectionsPerAddress} will do. With both, a
 * connection needs room in the server and in the guard.
 *
 * <p>Any thread may call; limits can be changed while servers run. What is open when a limit is lowered stays open.
 */
public final class AcceptGuard {
    /** What happens to connections while as many are open as allowed, or more come in a second than allowed. */
    public enum WhenFull {
        /** They wait in the system's backlog, up to the option {@code backlog}, until there is room. */
        PAUSE,
        /** They are reset. */
        REFUSE
    }

    /** Sets a guard up. For one thread. */
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
         * The most connections open at a time; no limit by default.
         *
         * @param count 1 or more
         */
        public Builder maxConnections(int count) {
            maxConnections = positive("maxConnections", count);
            return this;
        }

        /**
         * The most connections open at a time from one address; those beyond are always reset. No limit by default.
         *
         * @param count 1 or more
         */
        public Builder perAddress(int count) {
            perAddress = positive("perAddress", count);
            return this;
        }

        /**
         * The most connections open at a time from each address of a network, in place of {@link #perAddress(int)}. Of networks that overlap,
         * the one that was given first counts.
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
         * Does not apply the limit of connections from one address to a network, such as that of a load balancer.
         *
         * @param network as in {@code "10.0.0.0/8"}
         * @throws IllegalArgumentException if it is not a network
         */
        public Builder exempt(String network) {
            exempt.add(IpNetworks.parse(network));
            return this;
        }

        /**
         * The most connections accepted in a second; no limit by default.
         *
         * @param count 1 to a million
         * @param burst how many of them may come at once, 1 or more
         */
        public Builder perSecond(int count, int burst) {
            if (positive("perSecond", count) > 1_000_000) {
                throw new IllegalArgumentException("perSecond > 1000000: " + count);
            }
            perSecond = count;
            this.burst = positive("burst", burst);
            return this;
        }

        /** What happens beyond {@link #maxConnections} and {@link #perSecond}; {@link WhenFull#PAUSE} by default. */
        public Builder whenFull(WhenFull action) {
            if (action == null) {
                throw new NullPointerException("action");
            }
            whenFull = action;
            return this;
        }

        /**
         * Whether each server keeps one file descriptor in reserve. When the process has no others left, the server gives it up to reset the
         * connections that wait, instead of leaving them without an answer. True by default.
         */
        public Builder spareDescriptor(boolean isKept) {
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

    /** Accepts nothing more, until {@link #resume}: connections wait in the backlog or are reset, as {@link WhenFull} says. */
    public void pause() {
        limits.setPaused(true);
    }

    /** Accepts again. */
    public void resume() {
        limits.setPaused(false);
    }

    /** The connections that are open now, and for a moment one more for each server that is about to accept. */
    public int getOpenConnections() {
        return limits.openConnections();
    }

    /** The connections that are open now from an address, or from its /64 network; 0 for an exempt one. */
    public int getOpenConnections(InetAddress address) {
        return limits.openConnections(address);
    }

    /** How many connections were refused so far. */
    public long getRefused() {
        return limits.counts().refused();
    }

    /**
     * How many connections were refused, by cause: {@code full}, {@code address}, {@code rate}, {@code descriptors}.
     *
     * @return all four, with 0 where there were none
     */
    public Map<String, Long> getRefusedByCause() {
        return limits.counts().refusedByCause();
    }
}
