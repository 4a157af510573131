package org.freshet.testkit.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The TCP connections of a packet capture: the bytes each side sent, in the recorded pieces and order. Reads pcap and
 * pcapng: captures by tcpdump, Wireshark and {@link org.freshet.handler.tap.WireTap}. With TLS it has the encrypted
 * bytes, unless a tap above the {@code SslHandler} recorded them. Immutable; any thread.
 *
 * <p><b>A capture contains everything that was sent</b>, including passwords and personal data. {@code WireTap}
 * replaces the values of headers that carry credentials; tcpdump replaces nothing.
 */
public final class Capture {
    /** The kind of an event. */
    public enum Kind {
        /** The client connected. */
        CONNECT,
        /** The client sent bytes. */
        REQUEST,
        /** The server sent bytes. */
        RESPONSE,
        /** The client closed its side, or reset the connection. */
        END
    }

    /**
     * One event.
     *
     * @param connection its number, from 0, in the order of the connects
     * @param bytes empty for CONNECT and END; do not change them
     */
    public record Event(int connection, Kind kind, byte[] bytes) {}

    private static final byte[] NOTHING = {};

    /** One direction of a connection. */
    private static final class Stream {
        private final int connection;
        private final Kind kind;
        private final Map<Integer, TcpSegment> early = new TreeMap<>();

        /** The sequence number expected next. */
        private int next;

        private boolean hasBegun;
        private boolean isOver;

        Stream(int connection, Kind kind) {
            this.connection = connection;
            this.kind = kind;
        }
    }

    private final Path file;
    private final List<Event> events = new ArrayList<>();
    private final List<String> clients = new ArrayList<>();

    /** Keyed by source and destination. */
    private final Map<String, Stream> streams = new HashMap<>();

    private int withoutBeginning;

    private Capture(Path file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it can't be read, is not a capture, or lacks bytes of a connection because packets were
     *     truncated or dropped
     */
    public static Capture read(Path file) throws IOException {
        Capture capture = new Capture(Objects.requireNonNull(file, "file"));
        PacketFile.read(file, capture::onPacket);
        capture.requireComplete();
        return capture;
    }

    /** Returns all events in chronological order. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    /** Returns the number of connections. */
    public int connections() {
        return clients.size();
    }

    /** Returns the client's address in hexadecimal and its port in decimal, as in {@code 7f000001:40312}. */
    public String client(int connection) {
        return clients.get(connection);
    }

    /** Returns the number of segments that were left out because their connections began before the capture. */
    public int skippedSegments() {
        return withoutBeginning;
    }

    // ---- reading ----------------------------------------------------------------------------------------------------

    private void onPacket(int linkType, ByteBuffer packet, boolean isWhole) throws IOException {
        TcpSegment segment = TcpSegment.of(linkType, packet, isWhole);
        if (segment == null) {
            return;
        }
        if (!segment.isWhole()) {
            throw new IOException("the capture " + file
                    + " has truncated packets: capture with tcpdump -s 0, or"
                    + " without WireTap's maxBytesPerMessage");
        }
        String from = segment.source() + ">" + segment.destination();
        if (segment.has(TcpSegment.SYN) && !segment.has(TcpSegment.ACK)) {
            begin(segment, from);
        }
        Stream stream = streams.get(from);
        if (stream == null) {
            withoutBeginning++;
        } else {
            onSegment(stream, segment);
        }
    }

    private void begin(TcpSegment segment, String from) {
        Stream known = streams.get(from);
        if (known != null && !known.isOver && known.next == segment.sequence() + 1) {
            return; // a duplicate
        }
        int connection = clients.size();
        clients.add(segment.source());
        streams.put(from, new Stream(connection, Kind.REQUEST));
        streams.put(segment.destination() + ">" + segment.source(), new Stream(connection, Kind.RESPONSE));
        events.add(new Event(connection, Kind.CONNECT, NOTHING));
    }

    private void onSegment(Stream stream, TcpSegment segment) {
        if (segment.has(TcpSegment.SYN)) {
            stream.next = segment.sequence() + 1;
            stream.hasBegun = true;
        } else if (segment.has(TcpSegment.RST)) {
            end(stream);
        } else if (stream.hasBegun && segment.sequence() - stream.next > 0) {
            stream.early.put(segment.sequence(), segment);
        } else if (stream.hasBegun) {
            take(stream, segment);
            takeEarly(stream);
        }
    }

    private void take(Stream stream, TcpSegment segment) {
        byte[] data = segment.dataFrom(stream.next);
        if (data.length > 0 && !stream.isOver) {
            events.add(new Event(stream.connection, stream.kind, data));
            stream.next += data.length;
        }
        if (segment.has(TcpSegment.FIN)) {
            end(stream);
        }
    }

    private void takeEarly(Stream stream) {
        boolean isFound = true;
        while (isFound) {
            isFound = false;
            for (TcpSegment early : List.copyOf(stream.early.values())) {
                if (early.sequence() - stream.next <= 0) {
                    stream.early.remove(early.sequence());
                    take(stream, early);
                    isFound = true;
                }
            }
        }
    }

    private void end(Stream stream) {
        if (!stream.isOver && stream.kind == Kind.REQUEST) {
            events.add(new Event(stream.connection, Kind.END, NOTHING));
        }
        stream.isOver = true;
    }

    private void requireComplete() throws IOException {
        for (Stream stream : streams.values()) {
            if (!stream.early.isEmpty() && !stream.isOver) {
                throw new IOException("the capture " + file + " lacks bytes of the connection from "
                        + clients.get(stream.connection) + ": packets were dropped");
            }
        }
    }
}
