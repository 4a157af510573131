package org.freshet.internal.accept;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.internal.AddressCounter;

/** Counts the open connections per address, or per /64 network with IPv6. Any thread may call any method; none of them blocks. */
final class AddressCounts {
    /**
     * The open connections of one address: 1 or more, or 0 once it has been removed from the map. As a listener of close futures, it gives
     * back what each connection has taken.
     */
    static final class Count extends AtomicInteger implements ChannelFutureListener, AddressCounter {
        private static final long serialVersionUID = 1;

        private final transient AcceptLimits limits;

        /** Null for counts outside the map. */
        private final transient Object key;

        private Count(AcceptLimits limits, Object key) {
            super(1);
            this.limits = limits;
            this.key = key;
        }

        @Override
        public boolean countFor(InetAddress client, Predicate<AddressCounter> replacement) {
            return limits.recount(this, client, replacement::test);
        }

        @Override
        public void operationComplete(ChannelFuture closed) {
            limits.giveBack(this);
        }
    }

    /** The placeholder for the address of a connection that has not been accepted yet. */
    final Count reserved;

    /** The placeholder for peers that have no address, are exempt or were refused. */
    final Count uncounted;

    private final AcceptLimits limits;
    private final Map<Object, Count> counts = new ConcurrentHashMap<>();

    AddressCounts(AcceptLimits limits) {
        this.limits = limits;
        reserved = new Count(limits, null);
        uncounted = new Count(limits, null);
    }

    int of(InetAddress peer) {
        Count count = counts.get(key(peer));
        return count == null ? 0 : count.get();
    }

    /**
     * Counts one more connection.
     *
     * @param limit 1 or more
     * @return the count to pass to {@link #subtract}; null if the address has reached the limit
     */
    Count add(InetAddress peer, int limit) {
        Object key = key(peer);
        while (true) {
            Count count = counts.get(key);
            if (count == null) {
                Count first = new Count(limits, key);
                if (counts.putIfAbsent(key, first) == null) {
                    return first;
                }
                continue;
            }
            int before = count.get();
            if (before == 0) {
                counts.remove(key, count);
            } else if (before >= limit) {
                return null;
            } else if (count.compareAndSet(before, before + 1)) {
                return count;
            }
        }
    }

    /** Whether a connection is counted for the peer. */
    static boolean isFor(Count count, InetAddress peer) {
        return peer != null && count.key != null && count.key.equals(key(peer));
    }

    /** Undoes {@link #add}. Allocates nothing: connections also end while memory is exhausted. */
    void subtract(Count count) {
        if (count.key != null && count.decrementAndGet() == 0) {
            counts.remove(count.key, count);
        }
    }

    /** An IPv4 address is its own key, so counting a connection allocates nothing. */
    private static Object key(InetAddress address) {
        return address instanceof Inet6Address
                ? (Object) ByteBuffer.wrap(address.getAddress()).getLong()
                : address;
    }
}
