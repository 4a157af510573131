package org.freshet.testkit.capture;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Packets of one connection over IPv4, and pcap files made of them. */
final class Packets {
    static final int FIN = 1;
    static final int SYN = 2;
    static final int RST = 4;
    static final int ACK = 16;

    /** The first sequence numbers. */
    private final int client;

    private final int server;

    private final List<byte[]> packets = new ArrayList<>();

    Packets(int client, int server) {
        this.client = client;
        this.server = server;
    }

    /** A connection with a request of two pieces and an answer; packets 3, 4 and 5 have the bytes. */
    static Packets conversation() {
        return conversation(1000, 5000);
    }

    static Packets conversation(int client, int server) {
        return new Packets(client, server)
                .request(0, SYN, 0, "")
                .answer(0, SYN | ACK, 1, "")
                .request(1, ACK, 1, "")
                .request(1, ACK, 1, "hel")
                .request(4, ACK, 1, "lo")
                .answer(1, ACK, 6, "HELLO")
                .request(6, FIN | ACK, 6, "")
                .answer(6, FIN | ACK, 7, "")
                .request(7, ACK, 7, "");
    }

    /** Adds a packet of the client. Sequence numbers count from the first. */
    Packets request(int sequence, int flags, int acknowledged, String data) {
        packets.add(ip(1, 2, segment(40000, 80, client + sequence, server + acknowledged, flags, data)));
        return this;
    }

    Packets answer(int sequence, int flags, int acknowledged, String data) {
        packets.add(ip(2, 1, segment(80, 40000, server + sequence, client + acknowledged, flags, data)));
        return this;
    }

    Packets without(int number) {
        packets.remove(number);
        return this;
    }

    /** Adds copies of packets at the given place. */
    Packets repeat(int at, int... numbers) {
        List<byte[]> copies = new ArrayList<>();
        for (int number : numbers) {
            copies.add(packets.get(number));
        }
        packets.addAll(at, copies);
        return this;
    }

    Packets each(UnaryOperator<byte[]> change) {
        packets.replaceAll(change);
        return this;
    }

    private static byte[] segment(int from, int to, int sequence, int acknowledged, int flags, String data) {
        byte[] bytes = data.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(20 + bytes.length)
                .putShort((short) from)
                .putShort((short) to)
                .putInt(sequence)
                .putInt(acknowledged)
                .put((byte) 0x50)
                .put((byte) flags)
                .putShort((short) 65535)
                .putInt(0)
                .put(bytes)
                .array();
    }

    private static byte[] ip(int from, int to, byte[] segment) {
        return ByteBuffer.allocate(20 + segment.length)
                .putShort((short) 0x4500)
                .putShort((short) (20 + segment.length))
                .putInt(0)
                .putShort((short) (64 << 8 | 6))
                .putShort((short) 0)
                .putInt(10 << 24 | from)
                .putInt(10 << 24 | to)
                .put(segment)
                .array();
    }

    /** Turns an IPv4 packet into one of IPv6 with the given extension headers. */
    static byte[] ipV6(byte[] packet, int next, int... extensions) {
        ByteBuffer v6 = ByteBuffer.allocate(20 + packet.length + extensions.length)
                .putInt(0x60000000)
                .putShort((short) (packet.length - 20 + extensions.length))
                .put((byte) next)
                .put((byte) 64);
        v6.position(20).put(packet, 12, 4).position(36).put(packet, 16, 4);
        for (int extension : extensions) {
            v6.put((byte) extension);
        }
        return v6.put(packet, 20, packet.length - 20).array();
    }

    /** Puts bytes, given in hexadecimal, before a packet. */
    static byte[] after(String head, byte[] packet) {
        byte[] bytes = java.util.HexFormat.of().parseHex(head);
        return ByteBuffer.allocate(bytes.length + packet.length)
                .put(bytes)
                .put(packet)
                .array();
    }

    static byte[] ethernet(byte[] packet) {
        return after("020202020202" + "040404040404" + "0800", packet);
    }

    Path pcap(Path file, int linkType) throws IOException {
        return pcap(file, linkType, 0xa1b2c3d4, ByteOrder.LITTLE_ENDIAN, Integer.MAX_VALUE);
    }

    Path pcap(Path file, int linkType, int magic, ByteOrder order, int maxBytes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ints(order, magic, order == ByteOrder.BIG_ENDIAN ? 0x00020004 : 0x00040002, 0, 0, maxBytes));
        bytes.writeBytes(ints(order, linkType));
        for (byte[] packet : packets) {
            int captured = Math.min(packet.length, maxBytes);
            bytes.writeBytes(ints(order, 1, 0, captured, packet.length));
            bytes.write(packet, 0, captured);
        }
        return Files.write(file, bytes.toByteArray());
    }

    /** One section with one interface; the packets are of the given interface. */
    Path pcapng(Path file, ByteOrder order, int interfaceNumber) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ints(order, 0x0a0d0d0a, 28, 0x1a2b3c4d, 1, -1, -1, 28));
        int linkType = order == ByteOrder.BIG_ENDIAN ? 1 << 16 : 1;
        bytes.writeBytes(ints(order, 1, 20, linkType, 0, 20));
        for (byte[] packet : packets) {
            int padded = packet.length + 3 & -4;
            bytes.writeBytes(ints(order, 6, 32 + padded, interfaceNumber, 0, 0, packet.length, packet.length));
            bytes.writeBytes(java.util.Arrays.copyOf(packet, padded));
            bytes.writeBytes(ints(order, 32 + padded));
        }
        return Files.write(file, bytes.toByteArray());
    }

    private static byte[] ints(ByteOrder order, int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(order);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }
}
