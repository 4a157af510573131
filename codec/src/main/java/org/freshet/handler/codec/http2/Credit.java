package org.freshet.handler.codec.http2;

/**
 * Owns the receive windows of a connection and its streams. Each received octet is returned as credit exactly once: through
 * {@link #giveBack} when handlers have read it, or through {@link #giveBackAll} when the stream ends with unread content. So no
 * stream can keep part of the connection's window for good.
 *
 * <p>Credit for the connection is returned on arrival, so an unread stream doesn't block the others. Once unread streams
 * together hold more than the limit, credit is returned only as they are read.
 *
 * <p>Belongs to its connection's thread.
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

    /** Octets that the peer may still send on all streams. */
    private long left = PeerSettings.DEFAULT_WINDOW_SIZE;

    /** Octets that have arrived but that no handler has seen: the total of what streams hold. */
    private long held;

    /** The part of {@link #held} whose connection credit hasn't been returned. */
    private long owed;

    /** Credit not yet announced: less than half a window, so not worth an update. */
    private int unannounced;

    /** Octets received on all streams. */
    private long received;

    /** No more updates are sent. */
    private boolean isOver;

    /** @param maximum the largest size that windows may grow to */
    Credit(FrameWriter writer, ConnectionStreams streams, Http2Settings settings, int maximum) {
        this.writer = writer;
        this.streams = streams;
        tuner = new WindowTuner(writer, this, maximum);
        streamWindow = settings.initialWindowSize();
        size = settings.connectionWindowSize();
        maxHeld = settings.maxUnreadBytes();
    }

    /** Grows the connection's window to its configured size. */
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
     * Counts octets that the peer is sending against the windows.
     *
     * @param stream null if it is gone
     * @return false if they exceed a window
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

    /** Handlers have read this many octets of a stream. Octets returned earlier don't count again. */
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

    /** Returns the credit for a stream's unread content, which is discarded. */
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

    /**
     * Announces the credit once the peer may send no more than that: after half a window, or half of what unread content leaves
     * of it.
     */
    private void addToConnection(int octets) {
        unannounced += octets;
        if (unannounced > 0 && unannounced >= left && !isOver) {
            writer.writeWindowUpdate(0, unannounced);
            left += unannounced;
            unannounced = 0;
        }
    }

    /** Octets of content and padding received on all streams. */
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

    /** Lets the peer send more on each open stream. The setting alone announces it, without window updates (RFC 9113 6.9.2). */
    void growStreamWindow(int newSize) {
        if (!isOver && newSize > streamWindow) {
            int change = newSize - streamWindow;
            streamWindow = newSize;
            writer.writeSettings(PeerSettings.INITIAL_WINDOW_SIZE, newSize);
            streams.forEach(stream -> stream.addReceiveWindow(change));
        }
    }

    /** Whether unread content occupies more than half of the connection's window, and so is what blocks it. */
    boolean isShort() {
        return owed > 0 && (left + unannounced) * 2 < size;
    }

    /** Whether unread streams have exhausted the connection's window, so that no stream can receive. */
    boolean isWithheld() {
        return owed > 0 && left <= 0;
    }
}
