package org.freshet.testkit.capture;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * One TCP segment of a packet.
 *
 * @param source address and port
 * @param isWhole whether all its data was captured
 */
record TcpSegment(String source, String destination, int sequence, int flags, byte[] data, boolean isWhole) {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int ACK = 16;

    private static final int NULL_LINK = 0;
    private static final int ETHERNET = 1;
    private static final int RAW_IP = 101;
    private static final int LINUX_COOKED = 113;
    private static final int LINUX_COOKED_2 = 276;

    private static final int VLAN = 0x8100;
    private static final int IP_V4 = 0x0800;
    private static final int IP_V6 = 0x86dd;
    private static final int TCP = 6;

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /**
     * Finds the segment in a packet.
     *
     * @param isWhole whether the whole packet was captured
     * @return null if the packet is not TCP over IP
     */
    static TcpSegment of(int linkType, ByteBuffer packet, boolean isWhole) {
        int ip = startOfIp(linkType, packet);
        if (ip < 0 || packet.capacity() - ip < 20) {
            return null;
        }
        return (packet.get(ip) & 0xf0) == 0x40 ? ofIpV4(packet, ip, isWhole) : ofIpV6(packet, ip, isWhole);
    }

    private static int startOfIp(int linkType, ByteBuffer packet) {
        return switch (linkType) {
            case RAW_IP -> 0;
            case NULL_LINK -> 4;
            case ETHERNET -> startBehindEtherType(packet, 12);
            case LINUX_COOKED -> startBehindEtherType(packet, 14);
            case LINUX_COOKED_2 -> isIp(packet, 0) ? 20 : -1;
            default -> -1;
        };
    }

    private static int startBehindEtherType(ByteBuffer packet, int at) {
        int type = at;
        while (packet.capacity() >= type + 2 && (packet.getShort(type) & 0xffff) == VLAN) {
            type += 4;
        }
        return isIp(packet, type) ? type + 2 : -1;
    }

    private static boolean isIp(ByteBuffer packet, int at) {
        if (packet.capacity() < at + 2) {
            return false;
        }
        int type = packet.getShort(at) & 0xffff;
        return type == IP_V4 || type == IP_V6;
    }

    private static TcpSegment ofIpV4(ByteBuffer packet, int ip, boolean isWhole) {
        int head = 4 * (packet.get(ip) & 0xf);
        if (packet.get(ip + 9) != TCP) {
            return null;
        }
        int end = ip + (packet.getShort(ip + 2) & 0xffff);
        return ofTcp(packet, text(packet, ip + 12, 4), text(packet, ip + 16, 4), ip + head, end, isWhole);
    }

    /** Doesn't handle extension headers: on a normal network, TCP packets have none. */
    private static TcpSegment ofIpV6(ByteBuffer packet, int ip, boolean isWhole) {
        if (packet.capacity() < ip + 40 || packet.get(ip + 6) != TCP) {
            return null;
        }
        int end = ip + 40 + (packet.getShort(ip + 4) & 0xffff);
        return ofTcp(packet, text(packet, ip + 8, 16), text(packet, ip + 24, 16), ip + 40, end, isWhole);
    }

    private static String text(ByteBuffer packet, int at, int length) {
        byte[] address = new byte[length];
        packet.get(at, address);
        return HexFormat.of().formatHex(address);
    }

    /** @param end of the IP packet; Ethernet pads short packets */
    private static TcpSegment ofTcp(
            ByteBuffer packet, String source, String destination, int tcp, int end, boolean isWhole) {
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
                packet.get(tcp + 13) & 0xff,
                bytes,
                isWhole || end <= packet.capacity());
    }

    /** Returns the rest of the data, starting at a sequence number. */
    byte[] dataFrom(int wanted) {
        int skipped = wanted - sequence;
        return skipped <= 0
                ? data
                : skipped >= data.length ? new byte[0] : Arrays.copyOfRange(data, skipped, data.length);
    }
}
