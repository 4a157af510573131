package org.freshet.handler.tap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses a file written by a tap strictly: everything a reader may rely on is checked. */
final class TapFile {
    /**
     * The data sent by one side.
     *
     * @param missing bytes that the sequence numbers account for but the file lacks
     */
    record Stream(ByteArrayOutputStream bytes, int[] next, long[] missing, boolean[] ended) {
        byte[] toByteArray() {
            return bytes.toByteArray();
        }
    }

    /** By the sender's and the receiver's address and port, in order of appearance. */
    final Map<String, Stream> streams = new LinkedHashMap<>();

    final List<String> comments = new ArrayList<>();

    /** The data of each packet that has some, in the order of the file. */
    final List<byte[]> pieces = new ArrayList<>();

    private long lastNanos;

    static TapFile read(Path file) throws IOException {
        TapFile result = new TapFile();
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
        result.section(result.block(in, 0x0a0d0d0a));
        ByteBuffer description = result.block(in, 1);
        assertEquals(101, description.getShort(), "link type");
        while (in.hasRemaining()) {
            result.packet(result.block(in, 6));
        }
        return result;
    }

    private ByteBuffer block(ByteBuffer in, int type) {
        assertEquals(0, in.position() % 4, "alignment");
        assertEquals(type, in.getInt(), "type of the block");
        int length = in.getInt();
        assertEquals(0, length % 4, "length of the block");
        ByteBuffer body = in.slice(in.position(), length - 12);
        in.position(in.position() + length - 12);
        assertEquals(length, in.getInt(), "length after the block");
        return body;
    }

    private void section(ByteBuffer body) {
        assertEquals(0x1a2b3c4d, body.getInt(), "byte order");
        assertEquals(1, body.getShort(), "major version");
        assertEquals(0, body.getShort(), "minor version");
        assertEquals(-1, body.getLong(), "length of the section");
    }

    private void packet(ByteBuffer body) {
        assertEquals(0, body.getInt(), "interface");
        long nanos = body.getLong();
        assertTrue(nanos > 1_600_000_000_000_000_000L, "a plausible current time in nanoseconds");
        assertTrue(nanos >= lastNanos, "times that go back");
        lastNanos = nanos;
        int captured = body.getInt();
        int length = body.getInt();
        ip(body.slice(body.position(), captured), length);
        body.position(body.position() + (captured + 3 & ~3));
        if (body.hasRemaining()) {
            assertEquals(1, body.getShort(), "a comment");
            byte[] text = new byte[body.getShort()];
            body.get(text);
            comments.add(new String(text, StandardCharsets.UTF_8));
            body.position(body.position() + (-text.length & 3));
            assertEquals(0, body.getInt(), "the end of options");
        }
        assertEquals(0, body.remaining());
    }

    private void ip(ByteBuffer packet, int length) {
        boolean isIpv6 = packet.get(0) >>> 4 == 6;
        int header = isIpv6 ? 40 : 20;
        int addressBytes = isIpv6 ? 16 : 4;
        assertEquals(length, isIpv6 ? 40 + (packet.getShort(4) & 0xffff) : packet.getShort(2) & 0xffff, "IP length");
        assertEquals(6, packet.get(isIpv6 ? 6 : 9), "protocol");
        if (!isIpv6) {
            assertEquals(0xffff, sum(0, packet.slice(0, 20)), "checksum of IP");
        }
        int addresses = isIpv6 ? 8 : 12;
        ByteBuffer tcp = packet.slice(header, packet.capacity() - header);
        if (packet.capacity() == length) {
            int pseudo = sum(6 + tcp.capacity(), packet.slice(addresses, 2 * addressBytes));
            assertEquals(0xffff, sum(pseudo, tcp), "checksum of TCP");
        }
        String source = text(packet.slice(addresses, addressBytes)) + ":" + (tcp.getShort(0) & 0xffff);
        String target = text(packet.slice(addresses + addressBytes, addressBytes)) + ":" + (tcp.getShort(2) & 0xffff);
        tcp(source + ">" + target, target + ">" + source, tcp, length - header - 20);
    }

    private void tcp(String way, String other, ByteBuffer tcp, int dataBytes) {
        int sequence = tcp.getInt(4);
        int flags = tcp.get(13);
        if ((flags & Flow.SYN) != 0) {
            Stream before = streams.put(
                    way,
                    new Stream(new ByteArrayOutputStream(), new int[] {sequence + 1}, new long[1], new boolean[1]));
            assertTrue(before == null, "a second SYN of " + way);
            return;
        }
        Stream stream = streams.get(way);
        assertTrue(stream != null, "no SYN of " + way);
        stream.missing[0] += sequence - stream.next[0];
        assertTrue(sequence - stream.next[0] >= 0, "sequence numbers that go back");
        if (streams.containsKey(other)) {
            assertEquals(streams.get(other).next[0], tcp.getInt(8), "acknowledged");
        }
        byte[] data = new byte[tcp.capacity() - 20];
        tcp.get(20, data);
        stream.bytes.writeBytes(data);
        if (data.length > 0) {
            pieces.add(data);
        }
        stream.missing[0] += dataBytes - data.length;
        stream.next[0] = sequence + dataBytes + ((flags & Flow.FIN) != 0 ? 1 : 0);
        stream.ended[0] |= (flags & Flow.FIN) != 0;
    }

    private static String text(ByteBuffer address) {
        StringBuilder text = new StringBuilder();
        while (address.hasRemaining()) {
            text.append(text.length() == 0 ? "" : ".").append(address.get() & 0xff);
        }
        return text.toString();
    }

    private static int sum(int initial, ByteBuffer bytes) {
        long sum = initial;
        for (int i = 0; i < bytes.capacity(); i++) {
            sum += (bytes.get(i) & 0xff) << (i % 2 == 0 ? 8 : 0);
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (int) sum;
    }

    Stream stream(int index) {
        return new ArrayList<>(streams.values()).get(index);
    }
}
