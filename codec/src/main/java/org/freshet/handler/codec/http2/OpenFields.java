package org.freshet.handler.codec.http2;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much header fields the requests of a server's connection hold, from their arrival until their channels are closed. Each connection has
 * a share for itself; what is beyond counts towards a ceiling of the whole process, so that many connections can't fill the heap together.
 *
 * <p>Belongs to the thread of its connection; the ceiling is shared by all.
 */
final class OpenFields {
    /** What connections hold beyond their shares. Any thread. Two that ask at the same time may exceed it by a request each. */
    static final class Ceiling {
        /** The 32nd part of the heap: what is counted takes up to twice as much. */
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

    /** A connection always has so many octets, or one request. */
    static final int SHARE = 64 * 1024;

    private final Ceiling ceiling;
    private final long most;
    private long octets;

    /** @param most octets of the connection */
    OpenFields(Ceiling ceiling, long most) {
        this.ceiling = ceiling;
        this.most = most;
    }

    long octets() {
        return octets;
    }

    /**
     * Whether a request with fields of so many octets can be taken.
     *
     * @param released octets of the connection's other requests that would be given up for it
     */
    boolean hasRoom(long more, long released) {
        long others = octets - released;
        return others == 0
                || others + more <= most && ceiling.hasRoom(beyondShare(others + more) - beyondShare(octets));
    }

    /** Whether the connection's own limit lets a request with fields of so many octets pass, whatever other connections hold. */
    boolean isWithinOwnLimit(long more) {
        return octets == 0 || octets + more <= most;
    }

    /** The stream's request is taken. */
    void take(Stream stream, int fieldOctets) {
        stream.setFieldOctets(fieldOctets);
        add(fieldOctets);
    }

    /** The stream's channel has ended. The second call for a stream and those after it do nothing. */
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
