package org.freshet.testkit.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
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

    /** Estimates of the heap taken by a segment's objects besides its data, and by a connection's. */
    private static final int SEGMENT_BYTES = 150;

    /** What a segment takes in addition while it is kept because of a gap: with its addresses and its place in a map. */
    private static final int EARLY_BYTES = 350;

    private static final int CONNECTION_BYTES = 1_000;

    /** One direction of a connection. */
    private static final class Stream {
        private final int connection;
        private final Kind kind;

        /** Segments after a gap, by sequence number. Numbers wrap, so only their distance has an order. */
        private final TreeMap<Integer, TcpSegment> early = new TreeMap<>((a, b) -> Integer.compare(a - b, 0));

        /** The sequence number of the SYN. */
        private int first;

        /** The sequence number expected next. */
        private int next;

        /** The highest number that the other end has acknowledged. */
        private int acknowledged;

        private boolean hasBegun;
        private boolean isOver;

        Stream(int connection, Kind kind) {
            this.connection = connection;
            this.kind = kind;
        }
    }

    private final List<Event> events = new ArrayList<>();
    private final List<String> clients = new ArrayList<>();

    /** Keyed by source and destination. */
    private final Map<String, Stream> streams = new HashMap<>();

    private int withoutBeginning;

    /** An estimate of the heap taken, and how much may be taken. */
    private long usedBytes;

    private final long maxBytes;

    private Capture(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it can't be read, is not a capture, has a link type other than Ethernet, Linux cooked, raw IP or
     *     loopback, lacks bytes of a connection because packets were truncated or dropped, has TCP in IP fragments, or
     *     needs more than a quarter of the heap
     */
    public static Capture read(Path file) throws IOException {
        return read(Objects.requireNonNull(file, "file"), Runtime.getRuntime().maxMemory() / 4);
    }

    /** @param maxBytes how much heap to take */
    static Capture read(Path file, long maxBytes) throws IOException {
        Capture capture = new Capture(maxBytes);
        try {
            PacketFile.read(file, capture::onPacket);
            for (Stream stream : capture.streams.values()) {
                capture.requireComplete(stream);
            }
        } catch (FileSystemException e) {
            throw e; // names the file
        } catch (IOException e) {
            throw new IOException("the capture " + file + ": " + e.getMessage(), e);
        }
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
        String from = segment.source() + ">" + segment.destination();
        if (segment.has(TcpSegment.SYN) && !segment.has(TcpSegment.ACK)) {
            begin(segment, from);
        }
        Stream stream = streams.get(from);
        if (stream == null) {
            withoutBeginning++;
        } else {
            use(segment.data().length == 0 ? 0 : segment.data().length + SEGMENT_BYTES);
            onSegment(stream, segment);
            acknowledge(streams.get(segment.destination() + ">" + segment.source()), segment);
        }
    }

    private void begin(TcpSegment segment, String from) throws IOException {
        Stream known = streams.get(from);
        if (known != null && !known.isOver && known.first == segment.sequence()) {
            return; // a duplicate
        }
        use(CONNECTION_BYTES);
        replaced(known);
        replaced(streams.get(segment.destination() + ">" + segment.source()));
        int connection = clients.size();
        clients.add(segment.source());
        streams.put(from, new Stream(connection, Kind.REQUEST));
        streams.put(segment.destination() + ">" + segment.source(), new Stream(connection, Kind.RESPONSE));
        events.add(new Event(connection, Kind.CONNECT, NOTHING));
    }

    /** @param stream of an earlier connection with the same addresses and ports; null for none */
    private void replaced(Stream stream) throws IOException {
        if (stream != null) {
            requireComplete(stream);
        }
    }

    private void use(long bytes) throws IOException {
        usedBytes += bytes;
        if (usedBytes > maxBytes) {
            throw new IOException("its connections take more than " + (maxBytes >> 20)
                    + " MiB, a quarter of the heap: raise -Xmx, or cut the file with a filter or editcap");
        }
    }

    private void onSegment(Stream stream, TcpSegment segment) throws IOException {
        if (segment.has(TcpSegment.SYN)) {
            onSyn(stream, segment);
        } else if (segment.has(TcpSegment.RST)) {
            end(stream);
        } else if (stream.hasBegun && segment.sequence() - stream.next > 0) {
            addEarly(stream, segment);
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

    /** The first SYN counts; later ones are duplicates. */
    private void onSyn(Stream stream, TcpSegment segment) {
        if (!stream.hasBegun) {
            stream.first = segment.sequence();
            stream.next = segment.sequence() + 1;
            stream.acknowledged = stream.next;
            stream.hasBegun = true;
        }
        if (segment.sequence() == stream.first) {
            take(stream, segment.afterSyn());
            takeEarly(stream);
        }
    }

    private static void acknowledge(Stream stream, TcpSegment segment) {
        boolean isNews = stream.hasBegun && segment.has(TcpSegment.ACK);
        if (isNews && segment.acknowledgement() - stream.acknowledged > 0) {
            stream.acknowledged = segment.acknowledgement();
        }
    }

    /** A segment may be sent again with fewer bytes, and one without bytes says nothing new. */
    private void addEarly(Stream stream, TcpSegment segment) throws IOException {
        if (segment.data().length > 0 || segment.has(TcpSegment.FIN)) {
            if (!stream.early.containsKey(segment.sequence())) {
                use(EARLY_BYTES);
            }
            stream.early.merge(segment.sequence(), segment, (a, b) -> a.data().length > b.data().length ? a : b);
        }
    }

    private void takeEarly(Stream stream) {
        while (!stream.early.isEmpty() && stream.early.firstKey() - stream.next <= 0) {
            usedBytes -= EARLY_BYTES;
            take(stream, stream.early.pollFirstEntry().getValue());
        }
    }

    private void end(Stream stream) {
        if (!stream.isOver && stream.kind == Kind.REQUEST) {
            events.add(new Event(stream.connection, Kind.END, NOTHING));
        }
        stream.isOver = true;
    }

    private void requireComplete(Stream stream) throws IOException {
        boolean isShort = !stream.early.isEmpty() || stream.acknowledged - stream.next > 0;
        if (isShort && !stream.isOver) {
            throw new IOException("bytes of the connection from " + clients.get(stream.connection)
                    + " are missing: packets were dropped");
        }
    }
}
