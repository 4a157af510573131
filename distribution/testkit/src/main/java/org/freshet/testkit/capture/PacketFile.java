package org.freshet.testkit.capture;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
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

    /** No packet or block of a valid file is longer. */
    private static final int MAX_BYTES = 64 << 20;

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

    private final DataInputStream in;
    private final Sink sink;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;

    private PacketFile(InputStream in, Sink sink) {
        this.in = new DataInputStream(in);
        this.sink = sink;
    }

    /** @throws IOException if the file can't be read, or isn't one of these formats */
    static void read(Path file, Sink sink) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            new PacketFile(in, sink).read();
        } catch (BufferUnderflowException | EOFException e) {
            throw new IOException("it ends within a block, or has a block that is too short", e);
        }
    }

    private void read() throws IOException {
        int magic = in.readInt();
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

    /** Returns null at the end of the file. */
    private ByteBuffer nextHead(int length) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        byte[] head = new byte[length];
        head[0] = (byte) first;
        in.readFully(head, 1, length - 1);
        return ByteBuffer.wrap(head).order(order);
    }

    private ByteBuffer bytes(int length) throws IOException {
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException("invalid block length " + length + ": the file is damaged");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(order);
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
                readBlock(type, bytes(bytes(4).getInt(0) - 12), linkTypes);
                bytes(4); // the length, repeated
            }
        }
    }

    private void beginSection(List<Integer> linkTypes) throws IOException {
        linkTypes.clear();
        byte[] head = new byte[8];
        in.readFully(head);
        int magic = ByteBuffer.wrap(head).getInt(4);
        order = magic == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int length = ByteBuffer.wrap(head).order(order).getInt(0);
        bytes(length - 12);
    }

    private void readBlock(int type, ByteBuffer body, List<Integer> linkTypes) throws IOException {
        switch (type) {
            case INTERFACE -> linkTypes.add(body.getShort(0) & 0xffff);
            case ENHANCED_PACKET -> {
                int captured = body.getInt(12);
                sink.packet(
                        linkType(linkTypes, body.getInt(0)), slice(body, 20, captured), captured == body.getInt(16));
            }
            case SIMPLE_PACKET -> {
                int length = body.getInt(0);
                int captured = Math.min(length, body.capacity() - 4);
                sink.packet(linkType(linkTypes, 0), slice(body, 4, captured), captured == length);
            }
            default -> {} // names, statistics
        }
    }

    private static int linkType(List<Integer> linkTypes, int number) throws IOException {
        if (number < 0 || number >= linkTypes.size()) {
            throw new IOException("packet of interface " + number + ", but the section has " + linkTypes.size()
                    + ": the file is damaged");
        }
        return linkTypes.get(number);
    }

    private static ByteBuffer slice(ByteBuffer bytes, int from, int length) throws IOException {
        if (length < 0 || length > bytes.capacity() - from) {
            throw new IOException("packet of " + length + " bytes in a shorter block: the file is damaged");
        }
        return bytes.slice(from, length).order(ByteOrder.BIG_ENDIAN);
    }
}
