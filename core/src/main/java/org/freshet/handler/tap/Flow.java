package org.freshet.handler.tap;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * One tapped connection, as packets: TCP segments in IPv4, or in IPv6 if an address is IPv6. The transport does not
 * reveal the real packets, so these are synthesized, with the bytes in their order. Guarded by its lane.
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
        SENT;

        Direction other() {
            return this == RECEIVED ? SENT : RECEIVED;
        }
    }

    /** One direction. */
    private static final class Way {
        /** What the headers of all its packets have in common. */
        final byte[] headers;

        final HeaderMask mask;

        /** The next sequence number; wraps around. */
        int next;

        /** Bytes dropped since the last packet. */
        long lost;

        Way(byte[] headers, HeaderMask mask, int firstSequence) {
            this.headers = headers;
            this.mask = mask;
            next = firstSequence;
        }
    }

    private final Lane lane;

    /** The side that connected. */
    private final Direction opener;

    private final boolean isIpv6;
    private final Way received;
    private final Way sent;

    /** The parts of checksums that are the same in each packet. */
    private final long ipSum;

    private final long tcpSum;

    /** The comment of the handshake; null once that is in the lane. */
    private String beginning;

    /**
     * @param firstSequence for both directions
     * @param maskedHeaders as for {@link HeaderMask}
     */
    Flow(
            Lane lane,
            Direction opener,
            SocketAddress local,
            SocketAddress remote,
            int channelId,
            int firstSequence,
            byte[][] maskedHeaders,
            String beginning) {
        this.lane = lane;
        this.opener = opener;
        this.beginning = beginning;
        InetSocketAddress here = inet(local, 1 + (channelId & 0x7fff));
        InetSocketAddress there = inet(remote, 0x8000 | channelId & 0x7fff);
        isIpv6 = !(here.getAddress() instanceof Inet4Address && there.getAddress() instanceof Inet4Address);
        received = new Way(headers(there, here), new HeaderMask(maskedHeaders), firstSequence);
        sent = new Way(headers(here, there), new HeaderMask(maskedHeaders), firstSequence);
        byte[] common = sent.headers;
        int addresses = isIpv6 ? 8 : 12;
        ipSum = isIpv6 ? 0 : sum(common, 0, IPV4_HEADER_BYTES);
        tcpSum = sum(common, addresses, ipBytes()) + TCP + sum(common, ipBytes(), common.length);
    }

    /** Invents an address for channels without one, such as those within one JVM. */
    private static InetSocketAddress inet(SocketAddress address, int port) {
        return address instanceof InetSocketAddress inet && !inet.isUnresolved()
                ? inet
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private int ipBytes() {
        return isIpv6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES;
    }

    /** Without lengths, sequence numbers, flags and checksums. */
    private byte[] headers(InetSocketAddress source, InetSocketAddress target) {
        ByteBuffer out = ByteBuffer.allocate(ipBytes() + TCP_HEADER_BYTES);
        if (isIpv6) {
            out.putInt(6 << 28).putShort((short) 0).put((byte) TCP).put((byte) TIME_TO_LIVE);
        } else {
            out.putInt(0x4500 << 16)
                    .putInt(0x4000) // no identification, don't fragment
                    .put((byte) TIME_TO_LIVE)
                    .put((byte) TCP)
                    .putShort((short) 0);
        }
        out.put(bytes(source.getAddress())).put(bytes(target.getAddress()));
        return out.putShort((short) source.getPort())
                .putShort((short) target.getPort())
                .putLong(0)
                .putShort((short) (TCP_HEADER_BYTES / 4 << 12))
                .putShort((short) WINDOW)
                .putInt(0)
                .array();
    }

    private byte[] bytes(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!isIpv6 || bytes.length == 16) {
            return bytes;
        }
        return ByteBuffer.allocate(16).putShort(10, (short) -1).put(12, bytes).array(); // ::ffff:a.b.c.d
    }

    /** Any thread may call this. */
    Lane lane() {
        return lane;
    }

    Direction opener() {
        return opener;
    }

    private Way way(Direction direction) {
        return direction == Direction.SENT ? sent : received;
    }

    /** Returns the comment for the handshake; null if the lane has that. */
    String beginning() {
        return beginning;
    }

    void onBegun() {
        beginning = null;
    }

    HeaderMask mask(Direction direction) {
        return way(direction).mask;
    }

    /** Counts bytes that are dropped. */
    void addLost(Direction direction, long bytes) {
        way(direction).lost += bytes;
    }

    /** Returns how many bytes were dropped since the last packet. */
    long lost(Direction direction) {
        return way(direction).lost;
    }

    /** Leaves a gap in the sequence numbers, and in header lines, for bytes that were dropped. */
    void skipLost(Direction direction) {
        Way way = way(direction);
        if (way.lost > 0) {
            way.next += (int) way.lost;
            way.lost = 0;
            way.mask.onGap();
        }
    }

    /** Returns the bytes of a packet without data. */
    int headerBytes() {
        return sent.headers.length;
    }

    /**
     * Puts the headers of the next packet of a direction before its data.
     *
     * @param at where the packet begins; the captured data is there already, after the place for the headers
     * @param length of the data; more than {@code captured} if it was cut off
     */
    void putHeaders(byte[] out, int at, Direction direction, int flags, int captured, int length) {
        Way way = way(direction);
        System.arraycopy(way.headers, 0, out, at, way.headers.length);
        int tcp = at + ipBytes();
        int segmentBytes = TCP_HEADER_BYTES + length;
        if (isIpv6) {
            Octets.putShort(out, at + 4, segmentBytes);
        } else {
            int total = IPV4_HEADER_BYTES + segmentBytes;
            Octets.putShort(out, at + 2, total);
            Octets.putShort(out, at + 10, checksum(ipSum + total));
        }
        int acknowledged = (flags & ACK) == 0 ? 0 : way(direction.other()).next;
        Octets.putInts(out, tcp + 4, way.next, acknowledged);
        out[tcp + 13] = (byte) flags;
        if (captured == length) {
            long sum = tcpSum + segmentBytes + flags + (way.next & 0xffff_ffffL) + (acknowledged & 0xffff_ffffL);
            int data = tcp + TCP_HEADER_BYTES;
            Octets.putShort(out, tcp + 16, checksum(sum + sum(out, data, data + captured)));
        }
        way.next += length + ((flags & (SYN | FIN)) == 0 ? 0 : 1);
    }

    /** Adds 16-bit words as in RFC 1071, but in larger steps: folding gives the same sum. */
    private static long sum(byte[] bytes, int from, int to) {
        long sum = 0;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            long next = Octets.getLong(bytes, at);
            sum += (next >>> 32) + (next & 0xffff_ffffL);
        }
        for (; at < to; at += 2) {
            sum += (bytes[at] & 0xff) << 8 | (at + 1 < to ? bytes[at + 1] & 0xff : 0);
        }
        return sum;
    }

    private static int checksum(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (int) ~folded;
    }
}
