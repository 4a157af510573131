package org.freshet.testkit.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * One TCP segment of a packet.
 *
 * @param source address and port
 */
record TcpSegment(String source, String destination, int sequence, int acknowledgement, int flags, byte[] data) {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int ACK = 16;

    private static final int NULL_LINK = 0;
    private static final int ETHERNET = 1;
    private static final int RAW_IP_OF_BSD = 12;
    private static final int RAW_IP_OF_OPENBSD = 14;
    private static final int RAW_IP = 101;
    private static final int LOOP = 108;
    private static final int LINUX_COOKED = 113;
    private static final int RAW_IP_V4 = 228;
    private static final int RAW_IP_V6 = 229;
    private static final int LINUX_COOKED_2 = 276;

    private static final int VLAN = 0x8100;
    private static final int PROVIDER_VLAN = 0x88a8;
    private static final int IP_V4 = 0x0800;
    private static final int IP_V6 = 0x86dd;
    private static final int TCP = 6;

    /** The low bits of the field are the fragment's offset, the bit above them says that more fragments follow. */
    private static final int FRAGMENT = 0x3fff;

    // IPv6 extension headers
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT_HEADER = 44;
    private static final int DESTINATION_OPTIONS = 60;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /**
     * Finds the segment in a packet.
     *
     * @param isWhole whether the whole packet was captured
     * @return null if the packet is not TCP over IP
     * @throws IOException if the segment can't be read: the link type is unknown, the IP packet is a fragment, or its end is
     *     missing
     */
    static TcpSegment of(int linkType, ByteBuffer packet, boolean isWhole) throws IOException {
        int ip = startOfIp(linkType, packet);
        if (ip < 0) {
            return null;
        }
        if (packet.capacity() - ip < 20) {
            if (!isWhole) {
                throw truncated();
            }
            return null;
        }
        return (packet.get(ip) & 0xf0) == 0x40 ? ofIpV4(packet, ip, isWhole) : ofIpV6(packet, ip, isWhole);
    }

    private static IOException truncated() {
        return new IOException(
                "packets are truncated: capture with tcpdump -s 0, or without WireTap's maxBytesPerMessage");
    }

    /** Returns -1 if it is not an IP packet. */
    private static int startOfIp(int linkType, ByteBuffer packet) throws IOException {
        return switch (linkType) {
            case RAW_IP, RAW_IP_OF_BSD, RAW_IP_OF_OPENBSD, RAW_IP_V4, RAW_IP_V6 -> 0;
            case NULL_LINK, LOOP -> 4;
            case ETHERNET -> startBehindEtherType(packet, 12);
            case LINUX_COOKED -> startBehindEtherType(packet, 14);
            case LINUX_COOKED_2 -> isIp(packet, 0) ? 20 : -1;
            default ->
                throw new IOException("link type " + linkType
                        + " is not supported: capture on an Ethernet, loopback or \"any\" interface");
        };
    }

    private static int startBehindEtherType(ByteBuffer packet, int at) {
        int type = at;
        while (isVlan(packet, type)) {
            type += 4;
        }
        return isIp(packet, type) ? type + 2 : -1;
    }

    private static boolean isVlan(ByteBuffer packet, int at) {
        if (packet.capacity() < at + 2) {
            return false;
        }
        int type = packet.getShort(at) & 0xffff;
        return type == VLAN || type == PROVIDER_VLAN;
    }

    private static boolean isIp(ByteBuffer packet, int at) {
        if (packet.capacity() < at + 2) {
            return false;
        }
        int type = packet.getShort(at) & 0xffff;
        return type == IP_V4 || type == IP_V6;
    }

    private static TcpSegment ofIpV4(ByteBuffer packet, int ip, boolean isWhole) throws IOException {
        int head = 4 * (packet.get(ip) & 0xf);
        if (packet.get(ip + 9) != TCP) {
            return null;
        }
        if ((packet.getShort(ip + 6) & FRAGMENT) != 0) {
            throw inFragments();
        }
        int length = packet.getShort(ip + 2) & 0xffff;
        int end = length == 0 ? packet.capacity() : ip + length; // 0 if the network card cuts it into segments
        return ofTcp(packet, text(packet, ip + 12, 4), text(packet, ip + 16, 4), ip + head, end, isWhole);
    }

    private static IOException inFragments() {
        return new IOException("an IP packet with TCP is in fragments: capture at one end of the connection");
    }

    private static TcpSegment ofIpV6(ByteBuffer packet, int ip, boolean isWhole) throws IOException {
        int tcp = packet.capacity() < ip + 40 ? -1 : startOfTcp(packet, ip);
        if (tcp < 0) {
            return null;
        }
        int length = packet.getShort(ip + 4) & 0xffff;
        int end = length == 0 ? packet.capacity() : ip + 40 + length;
        return ofTcp(packet, text(packet, ip + 8, 16), text(packet, ip + 24, 16), tcp, end, isWhole);
    }

    /** Skips IPv6 extension headers. Returns -1 if there is no TCP behind them. */
    private static int startOfTcp(ByteBuffer packet, int ip) throws IOException {
        int type = packet.get(ip + 6);
        int at = ip + 40;
        while (type != TCP) {
            if (type == FRAGMENT_HEADER && packet.capacity() > at && packet.get(at) == TCP) {
                throw inFragments();
            }
            boolean isKnown = type == HOP_BY_HOP || type == ROUTING || type == DESTINATION_OPTIONS;
            if (!isKnown || packet.capacity() < at + 2) {
                return -1;
            }
            type = packet.get(at);
            at += 8 * (1 + (packet.get(at + 1) & 0xff));
        }
        return at;
    }

    private static String text(ByteBuffer packet, int at, int length) {
        byte[] address = new byte[length];
        packet.get(at, address);
        return HexFormat.of().formatHex(address);
    }

    /** @param end of the IP packet; Ethernet pads short packets */
    private static TcpSegment ofTcp(
            ByteBuffer packet, String source, String destination, int tcp, int end, boolean isWhole)
            throws IOException {
        if (!isWhole && end > packet.capacity()) {
            throw truncated();
        }
        if (packet.capacity() < tcp + 20) {
            return null;
        }
        int data = tcp + 4 * (packet.get(tcp + 12) >> 4 & 0xf);
        int to = Math.min(end, packet.capacity());
        byte[] bytes = new byte[Math.max(0, to - data)];
        packet.get(Math.min(data, to), bytes);
        return new TcpSegment(
                source + ":" + (packet.getShort(tcp) & 0xffff),
                destination + ":" + (packet.getShort(tcp + 2) & 0xffff),
                packet.getInt(tcp + 4),
                packet.getInt(tcp + 8),
                packet.get(tcp + 13) & 0xff,
                bytes);
    }

    /** Returns what follows a SYN, which itself takes one sequence number: data, with TCP Fast Open. */
    TcpSegment afterSyn() {
        return new TcpSegment(source, destination, sequence + 1, acknowledgement, flags & ~SYN, data);
    }

    /** Returns the rest of the data, starting at a sequence number. */
    byte[] dataFrom(int wanted) {
        int skipped = wanted - sequence;
        return skipped <= 0
                ? data
                : skipped >= data.length ? new byte[0] : Arrays.copyOfRange(data, skipped, data.length);
    }
}
