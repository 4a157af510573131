package org.freshet.handler.codec.http2;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the header fields held by the requests of a server's connection, from their arrival until their channels are closed.
 * Each connection has a share of its own. Anything above it counts towards a ceiling for the whole process, so many connections
 * can't fill the heap together.
 *
 * <p>Belongs to its connection's thread; all connections share the ceiling.
 */
final class OpenFields {
    /**
     * The total that connections hold above their shares. Any thread. Two concurrent callers may exceed it by one request each.
     */
    static final class Ceiling {
        /** A 32nd of the heap: the counted fields take up to twice their size. */
        static final Ceiling OF_PROCESS =
                new Ceiling(Math.max(1 << 20, Runtime.getRuntime().maxMemory() / 32));

        private final long most;
        private final AtomicLong octets = new AtomicLong();

        Ceiling(long most) {
            this.most = most;
        }

        private boolean hasRoom(long more) {
            return more <= 0 || octets.get() + more <= most;
        }

        private void add(long change) {
            if (change != 0) {
                octets.addAndGet(change);
            }
        }

        long octets() {
            return octets.get();
        }
    }

    /** Octets a connection may always hold. One request is always allowed. */
    static final int SHARE = 64 * 1024;

    private final Ceiling ceiling;
    private final long most;
    private long octets;

    /** @param most the limit of the connection, in octets */
    OpenFields(Ceiling ceiling, long most) {
        this.ceiling = ceiling;
        this.most = most;
    }

    long octets() {
        return octets;
    }

    /**
     * Whether there is room for a request with this many octets of fields.
     *
     * @param released octets of the connection's other requests that would be given up for it
     */
    boolean hasRoom(long more, long released) {
        long others = octets - released;
        return others == 0
                || others + more <= most && ceiling.hasRoom(beyondShare(others + more) - beyondShare(octets));
    }

    /** Whether the connection's own limit allows a request with this many octets of fields, regardless of other connections. */
    boolean isWithinOwnLimit(long more) {
        return octets == 0 || octets + more <= most;
    }

    /** Counts the request of a stream. */
    void take(Stream stream, int fieldOctets) {
        stream.setFieldOctets(fieldOctets);
        add(fieldOctets);
    }

    /** The stream's channel has ended. Only the first call for a stream has an effect. */
    void release(Stream stream) {
        add(-stream.fieldOctets());
        stream.setFieldOctets(0);
    }

    private void add(int change) {
        long before = beyondShare(octets);
        octets += change;
        ceiling.add(beyondShare(octets) - before);
    }

    private static long beyondShare(long octets) {
        return Math.max(0, octets - SHARE);
    }
}
