package org.freshet.testkit.capture;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads packet files: pcap (tcpdump) and pcapng (Wireshark, {@link org.freshet.handler.tap.WireTap}), of either byte
 * order. Used by one thread.
 */
final class PacketFile {
    private static final int PCAP_MICROS = 0xa1b2c3d4;
    private static final int PCAP_NANOS = 0xa1b23c4d;
    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    /** No packet of a valid file is longer, nor a block with one. Only as much is allocated as the file really has. */
    private static final int MAX_BYTES = 4 << 20;

    private static final int MAX_INTERFACES = 65_536;

    /** Receives the packets one by one. */
    @FunctionalInterface
    interface Sink {
        /**
         * @param linkType from libpcap's list
         * @param packet the captured part
         * @param isWhole whether the whole packet was captured
         */
        void packet(int linkType, ByteBuffer packet, boolean isWhole) throws IOException;
    }

    private final InputStream in;
    private final Sink sink;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;

    /** The position in the file, and where the current packet or block begins. */
    private long position;

    private long start;

    private PacketFile(InputStream in, Sink sink) {
        this.in = in;
        this.sink = sink;
    }

    /** @throws IOException if the file can't be read, or isn't one of these formats */
    static void read(Path file, Sink sink) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            new PacketFile(in, sink).readAll();
        }
    }

    private void readAll() throws IOException {
        try {
            read();
        } catch (IndexOutOfBoundsException | EOFException e) {
            throw new IOException("it ends within the block at byte " + start + ", or that block is too short", e);
        }
    }

    private void read() throws IOException {
        int magic = bytes(4).getInt(0);
        if (magic == SECTION_HEADER) {
            readSections();
            return;
        }
        if (!isPcap(magic)) {
            order = ByteOrder.LITTLE_ENDIAN;
            magic = Integer.reverseBytes(magic);
        }
        if (!isPcap(magic)) {
            throw new IOException("neither pcap nor pcapng: it begins with 0x"
                    + Integer.toHexString(Integer.reverseBytes(magic)) + "; unpack a compressed file first");
        }
        readPcap();
    }

    private static boolean isPcap(int magic) {
        return magic == PCAP_MICROS || magic == PCAP_NANOS;
    }

    // ---- pcap -------------------------------------------------------------------------------------------------------

    private void readPcap() throws IOException {
        int linkType = bytes(20).getInt(16) & 0xffff;
        for (ByteBuffer head = nextHead(16); head != null; head = nextHead(16)) {
            int captured = head.getInt(8);
            ByteBuffer packet = bytes(captured).order(ByteOrder.BIG_ENDIAN); // the network's order, not the file's
            sink.packet(linkType, packet, captured == head.getInt(12));
        }
    }

    /** Begins a packet or block. Returns null at the end of the file. */
    private ByteBuffer nextHead(int length) throws IOException {
        start = position;
        byte[] head = in.readNBytes(length);
        if (head.length == 0) {
            return null;
        }
        return complete(head, length);
    }

    private ByteBuffer bytes(int length) throws IOException {
        if (length < 0 || length > MAX_BYTES) {
            throw damaged("invalid length " + length);
        }
        return complete(in.readNBytes(length), length);
    }

    private void skip(int length) throws IOException {
        if (length < 0) {
            throw damaged("invalid length " + length);
        }
        in.skipNBytes(length);
        position += length;
    }

    private ByteBuffer complete(byte[] bytes, int length) throws IOException {
        position += bytes.length;
        if (bytes.length < length) {
            throw new EOFException();
        }
        return ByteBuffer.wrap(bytes).order(order);
    }

    private IOException damaged(String what) {
        return new IOException(what + " in the block at byte " + start + ": the file is damaged");
    }

    // ---- pcapng -----------------------------------------------------------------------------------------------------

    /** The first block is a section header whose type has already been read. */
    private void readSections() throws IOException {
        List<Integer> linkTypes = new ArrayList<>();
        beginSection(linkTypes);
        for (ByteBuffer head = nextHead(4); head != null; head = nextHead(4)) {
            int type = head.getInt(0);
            if (type == SECTION_HEADER) {
                beginSection(linkTypes);
            } else {
                readBlock(type, bytes(4).getInt(0) - 12, linkTypes);
                bytes(4); // the length, repeated
            }
        }
    }

    private void beginSection(List<Integer> linkTypes) throws IOException {
        linkTypes.clear();
        ByteBuffer head = bytes(8).order(ByteOrder.BIG_ENDIAN);
        order = head.getInt(4) == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        bytes(head.order(order).getInt(0) - 12);
    }

    private void readBlock(int type, int length, List<Integer> linkTypes) throws IOException {
        if (type == INTERFACE || type == ENHANCED_PACKET || type == SIMPLE_PACKET) {
            onBlock(type, bytes(length), linkTypes);
        } else { // names, statistics, secrets
            skip(length);
        }
    }

    private void onBlock(int type, ByteBuffer body, List<Integer> linkTypes) throws IOException {
        switch (type) {
            case INTERFACE -> addInterface(linkTypes, body.getShort(0) & 0xffff);
            case ENHANCED_PACKET -> {
                int captured = body.getInt(12);
                sink.packet(
                        linkType(linkTypes, body.getInt(0)), slice(body, 20, captured), captured == body.getInt(16));
            }
            default -> {
                int length = body.getInt(0);
                int captured = Math.min(length, body.capacity() - 4);
                sink.packet(linkType(linkTypes, 0), slice(body, 4, captured), captured == length);
            }
        }
    }

    private void addInterface(List<Integer> linkTypes, int linkType) throws IOException {
        if (linkTypes.size() == MAX_INTERFACES) {
            throw damaged("more than " + MAX_INTERFACES + " interfaces in a section");
        }
        linkTypes.add(linkType);
    }

    private int linkType(List<Integer> linkTypes, int number) throws IOException {
        if (number < 0 || number >= linkTypes.size()) {
            throw damaged("packet of interface " + number + ", but the section has " + linkTypes.size() + ",");
        }
        return linkTypes.get(number);
    }

    private ByteBuffer slice(ByteBuffer bytes, int from, int length) throws IOException {
        if (length < 0 || length > bytes.capacity() - from) {
            throw damaged("packet of " + length + " bytes, more than there are,");
        }
        return bytes.slice(from, length).order(ByteOrder.BIG_ENDIAN);
    }
}
