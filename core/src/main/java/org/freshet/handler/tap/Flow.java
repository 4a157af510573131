package org.freshet.handler.tap;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One tapped connection, as packets: TCP segments in IPv4, or in IPv6 if an address is IPv6. The transport does not
 * reveal the real packets, so these are synthesized, with the bytes in their order.
 *
 * <p>The writer's thread makes packets; {@link #lost} may be called by any thread.
 */
final class Flow {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int PSH = 8;
    static final int ACK = 16;

    /** Maximum bytes per segment: with its headers it fits into a packet. */
    static final int MAX_SEGMENT_BYTES = 60_000;

    private static final int TCP = 6;
    private static final int IPV4_HEADER_BYTES = 20;
    private static final int IPV6_HEADER_BYTES = 40;
    private static final int TCP_HEADER_BYTES = 20;
    private static final int TIME_TO_LIVE = 64;
    private static final int WINDOW = 65_535;

    /** Whether bytes go to this side or come from it. */
    enum Direction {
        RECEIVED,
        SENT
    }

    private final boolean isIpv6;
    private final byte[] local;
    private final byte[] remote;

    /** The addresses' part of checksums. */
    private final long addressSum;

    private final int localPort;
    private final int remotePort;

    /** The next sequence number in each direction; they wrap around. */
    private int nextReceived;

    private int nextSent;

    /** Bytes dropped in each direction because the queue was full. */
    private final AtomicLong[] lost = {new AtomicLong(), new AtomicLong()};

    private final HeaderMask[] masks;

    /**
     * @param firstSequence for both directions
     * @param maskedHeaders in lower case
     */
    Flow(SocketAddress local, SocketAddress remote, int channelId, int firstSequence, Set<String> maskedHeaders) {
        masks = new HeaderMask[] {new HeaderMask(maskedHeaders), new HeaderMask(maskedHeaders)};
        InetSocketAddress here = inet(local, 1 + (channelId & 0x7fff));
        InetSocketAddress there = inet(remote, 0x8000 | channelId & 0x7fff);
        isIpv6 = !(here.getAddress() instanceof Inet4Address && there.getAddress() instanceof Inet4Address);
        this.local = bytes(here.getAddress());
        this.remote = bytes(there.getAddress());
        addressSum = sum(ByteBuffer.wrap(this.local), 0, this.local.length)
                + sum(ByteBuffer.wrap(this.remote), 0, this.remote.length);
        localPort = here.getPort();
        remotePort = there.getPort();
        nextReceived = firstSequence;
        nextSent = firstSequence;
    }

    /** Invents an address for channels without one, such as those within one JVM. */
    private static InetSocketAddress inet(SocketAddress address, int port) {
        return address instanceof InetSocketAddress inet && !inet.isUnresolved()
                ? inet
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private byte[] bytes(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!isIpv6 || bytes.length == 16) {
            return bytes;
        }
        return ByteBuffer.allocate(16).putShort(10, (short) -1).put(12, bytes).array(); // ::ffff:a.b.c.d
    }

    AtomicLong lost(Direction direction) {
        return lost[direction.ordinal()];
    }

    /** Used on the writer's thread only. */
    HeaderMask mask(Direction direction) {
        return masks[direction.ordinal()];
    }

    /** Leaves a gap in the sequence numbers for bytes missing from the file. */
    void skip(Direction direction, long bytes) {
        advance(direction, (int) bytes);
    }

    private void advance(Direction direction, int bytes) {
        if (direction == Direction.SENT) {
            nextSent += bytes;
        } else {
            nextReceived += bytes;
        }
    }

    /** Returns the bytes of a packet without data. */
    int headerBytes() {
        return (isIpv6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES) + TCP_HEADER_BYTES;
    }

    /**
     * Puts the next packet of a direction: its headers and the captured data.
     *
     * @param length of the data; more than {@code captured} if it was cut off
     */
    void putPacket(ByteBuffer out, Direction direction, int flags, byte[] data, int from, int captured, int length) {
        boolean isSent = direction == Direction.SENT;
        byte[] source = isSent ? local : remote;
        byte[] target = isSent ? remote : local;
        if (isIpv6) {
            putIpv6(out, source, target, length);
        } else {
            putIpv4(out, source, target, length);
        }
        int begin = out.position();
        out.putShort((short) (isSent ? localPort : remotePort))
                .putShort((short) (isSent ? remotePort : localPort))
                .putInt(isSent ? nextSent : nextReceived)
                .putInt((flags & ACK) == 0 ? 0 : isSent ? nextReceived : nextSent)
                .put((byte) (TCP_HEADER_BYTES / 4 << 4))
                .put((byte) flags)
                .putShort((short) WINDOW)
                .putInt(0)
                .put(data, from, captured);
        if (captured == length) {
            long sum = addressSum + TCP + TCP_HEADER_BYTES + length;
            out.putShort(begin + 16, checksum(sum + sum(out, begin, out.position())));
        }
        advance(direction, length + ((flags & (SYN | FIN)) == 0 ? 0 : 1));
    }

    private static void putIpv4(ByteBuffer out, byte[] source, byte[] target, int length) {
        int begin = out.position();
        out.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) (IPV4_HEADER_BYTES + TCP_HEADER_BYTES + length))
                .putInt(0x4000) // no identification, don't fragment
                .put((byte) TIME_TO_LIVE)
                .put((byte) TCP)
                .putShort((short) 0)
                .put(source)
                .put(target);
        out.putShort(begin + 10, checksum(sum(out, begin, out.position())));
    }

    private static void putIpv6(ByteBuffer out, byte[] source, byte[] target, int length) {
        out.putInt(6 << 28)
                .putShort((short) (TCP_HEADER_BYTES + length))
                .put((byte) TCP)
                .put((byte) TIME_TO_LIVE)
                .put(source)
                .put(target);
    }

    /** Adds 16-bit words as in RFC 1071, but in 32-bit steps: folding gives the same sum. */
    private static long sum(ByteBuffer bytes, int from, int to) {
        long sum = 0;
        int at = from;
        for (; at + 4 <= to; at += 4) {
            sum += bytes.getInt(at) & 0xffff_ffffL;
        }
        for (; at < to; at += 2) {
            sum += (bytes.get(at) & 0xff) << 8 | (at + 1 < to ? bytes.get(at + 1) & 0xff : 0);
        }
        return sum;
    }

    private static short checksum(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (short) ~folded;
    }
}
