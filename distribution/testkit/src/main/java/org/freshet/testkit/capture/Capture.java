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
 * The TCP connections of a packet capture: what each side sent, in the pieces and the order in which it was recorded. Reads pcap and
 * pcapng, so captures of tcpdump, Wireshark and {@link org.freshet.handler.tap.WireTap}; of TLS, it has what was on the wire unless the tap
 * was above the {@code SslHandler}. Immutable; any thread.
 *
 * <p><b>A capture contains what was said</b>, passwords and personal data included. {@code WireTap} replaces the values of headers that
 * carry credentials; tcpdump replaces nothing.
 */
public final class Capture {
    /** What happened on a connection. */
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
     * @param bytes empty for CONNECT and END; not to be changed
     */
    public record Event(int connection, Kind kind, byte[] bytes) {}

    private static final byte[] NOTHING = {};

    /** One direction of a connection. */
    private static final class Stream {
        private final int connection;
        private final Kind kind;
        private final Map<Integer, TcpSegment> early = new TreeMap<>();

        /** The sequence number that comes next. */
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

    /** By source and destination. */
    private final Map<String, Stream> streams = new HashMap<>();

    private int withoutBeginning;

    private Capture(Path file) {
        this.file = file;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it can't be read, is no capture, or lacks bytes of a connection: those that were captured only in part, or
     *     dropped
     */
    public static Capture read(Path file) throws IOException {
        Capture capture = new Capture(Objects.requireNonNull(file, "file"));
        PacketFile.read(file, capture::onPacket);
        capture.requireComplete();
        return capture;
    }

    /** All events, in their order in time. */
    public List<Event> events() {
        return List.copyOf(events);
    }

    /** How many connections there are. */
    public int connections() {
        return clients.size();
    }

    /** The client's address and port, in hexadecimal and decimal, as in {@code 7f000001:40312}. */
    public String client(int connection) {
        return clients.get(connection);
    }

    /** How many segments belong to connections that began before the capture; they are left out. */
    public int segmentsLeftOut() {
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
                    + " has packets that were captured only in part: capture with tcpdump -s 0, or"
                    + " without WireTap's maxBytesAMessage");
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
            return; // the same again
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
