package org.freshet.handler.codec.http2;

/**
 * Owns the receive windows of a connection and its streams. Every octet a stream takes is returned once: through {@link #giveBack} when
 * handlers have read it, or through {@link #giveBackAll} when the stream ends with unread content. So no stream can keep a part of the
 * connection's window for good.
 *
 * <p>Credit for the connection is returned on arrival, so an unread stream doesn't block the others. Once unread streams together hold more
 * than the limit, credit is returned only as they are read.
 *
 * <p>Belongs to the thread of its connection.
 */
final class Credit {
    private final FrameWriter writer;
    private final WindowTuner tuner;
    private final ConnectionStreams streams;

    /** The size of a stream's window. */
    private int streamWindow;

    /** The size of the connection's window. */
    private int size;

    private final int maxHeld;

    /** What the peer may still send on all streams. */
    private long left = PeerSettings.DEFAULT_WINDOW_SIZE;

    /** Octets that arrived and that handlers have not seen: the sum of what streams hold. */
    private long held;

    /** Octets of those for which the connection's credit hasn't been returned. */
    private long owed;

    /** Credit that waits for an update of its own size: less than half a window. */
    private int untold;

    /** Octets that have arrived on all streams. */
    private long received;

    /** No more updates are sent. */
    private boolean isOver;

    /** @param maximum what windows may grow to */
    Credit(FrameWriter writer, ConnectionStreams streams, Http2Settings settings, int maximum) {
        this.writer = writer;
        this.streams = streams;
        tuner = new WindowTuner(writer, this, maximum);
        streamWindow = settings.initialWindowSize();
        size = settings.connectionWindowSize();
        maxHeld = settings.maxHeldBytes();
    }

    /** Makes the connection's window as large as it is to be. */
    void enlarge() {
        int increment = size - (int) left;
        left = size;
        if (increment > 0) {
            writer.writeWindowUpdate(0, increment);
        }
    }

    /** The connection ends. */
    void end() {
        isOver = true;
    }

    /**
     * Counts what the peer is sending against the windows.
     *
     * @param stream null if it is gone
     * @return false if it is more than the windows allow
     */
    boolean take(Stream stream, int octets) {
        left -= octets;
        received += octets;
        return left >= 0 && (stream == null || stream.take(octets));
    }

    /** Octets have arrived for a stream, which holds them until it gives them back. */
    void hold(Stream stream, int octets) {
        stream.held += octets;
        held += octets;
        if (held > maxHeld) {
            owed += octets;
        } else {
            addToConnection(octets);
        }
    }

    /** Octets have arrived for a stream that is gone. */
    void drop(int octets) {
        addToConnection(octets);
    }

    /** Handlers have read so many octets of a stream. Octets that were returned before don't count again. */
    void giveBack(Stream stream, int octets) {
        int count = Math.min(octets, stream.held);
        if (count > 0) {
            stream.held -= count;
            release(count);
            tuner.onTaken(count);
            int increment = stream.consume(count, streamWindow);
            if (increment > 0 && !isOver) {
                writer.writeWindowUpdate(stream.id(), increment);
            }
        }
    }

    /** The stream's unread content is discarded. */
    void giveBackAll(Stream stream) {
        int count = stream.held;
        stream.held = 0;
        release(count);
    }

    private void release(int octets) {
        held -= octets;
        int due = (int) Math.min(owed, octets);
        owed -= due;
        addToConnection(due);
    }

    /** The peer is told once it may send no more than that: after half a window, or half of what unread content leaves of one. */
    private void addToConnection(int octets) {
        untold += octets;
        if (untold > 0 && untold >= left && !isOver) {
            writer.writeWindowUpdate(0, untold);
            left += untold;
            untold = 0;
        }
    }

    /** Octets of content, with their padding, that all streams have received. */
    long totalReceived() {
        return received;
    }

    WindowTuner tuner() {
        return tuner;
    }

    int streamWindow() {
        return streamWindow;
    }

    int connectionWindow() {
        return size;
    }

    void growConnectionWindow(int newSize) {
        if (!isOver && newSize > size) {
            writer.writeWindowUpdate(0, newSize - size);
            left += newSize - size;
            size = newSize;
        }
    }

    /** Open streams may be sent more at once, as the peer reads the setting; they're told so by the setting alone (RFC 9113 6.9.2). */
    void growStreamWindow(int newSize) {
        if (!isOver && newSize > streamWindow) {
            int change = newSize - streamWindow;
            streamWindow = newSize;
            writer.writeSettings(PeerSettings.INITIAL_WINDOW_SIZE, newSize);
            streams.forEach(stream -> stream.addReceiveWindow(change));
        }
    }

    /** Whether unread content has taken more than half of the connection's window, and is what it waits for. */
    boolean isShort() {
        return owed > 0 && (left + untold) * 2 < size;
    }

    /** Whether the connection's window keeps every stream from receiving because some aren't read. */
    boolean isWithheld() {
        return owed > 0 && left <= 0;
    }
}
