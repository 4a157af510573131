package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;

/**
 * The peer's settings; the RFC's defaults until they arrive. Belongs to its connection's thread; any thread may ask for the
 * number of streams.
 */
final class PeerSettings {
    // Identifiers of settings, used by both sides.
    private static final int HEADER_TABLE_SIZE = 0x1;
    static final int ENABLE_PUSH = 0x2;
    static final int MAX_CONCURRENT_STREAMS = 0x3;
    static final int INITIAL_WINDOW_SIZE = 0x4;
    static final int MAX_FRAME_SIZE = 0x5;
    static final int MAX_HEADER_LIST_SIZE = 0x6;
    static final int ENABLE_CONNECT_PROTOCOL = 0x8;

    static final int DEFAULT_WINDOW_SIZE = 65_535;

    private final boolean isFromServer;

    private long headerTableSize = 4096;

    /** Until the peer sets a limit: the minimum that RFC 9113 6.5.2 recommends. More streams might be refused. */
    private volatile long maxConcurrentStreams = 100;

    /** Actions that must wait for the settings. */
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);

    /** Whether the settings have arrived or never will. They may arrive after this side has begun to drain. */
    private boolean isSettled;

    private boolean isFirst = true;
    private boolean acceptsWebSocket;
    private int initialWindowSize = DEFAULT_WINDOW_SIZE;
    private int maxFrameSize = 16_384;

    PeerSettings(boolean isFromServer) {
        this.isFromServer = isFromServer;
    }

    long headerTableSize() {
        return headerTableSize;
    }

    long maxConcurrentStreams() {
        return maxConcurrentStreams;
    }

    int initialWindowSize() {
        return initialWindowSize;
    }

    /** Whether the server lets this side open WebSocket connections on streams. */
    boolean acceptsWebSocket() {
        return acceptsWebSocket;
    }

    int maxFrameSize() {
        return maxFrameSize;
    }

    /**
     * Runs an action once the settings have arrived or the connection has ended. Returns false, and doesn't run it, if that has
     * already happened.
     */
    boolean whenKnown(Runnable action) {
        if (!isSettled) {
            waiting.add(action);
        }
        return !isSettled;
    }

    /** The first settings have arrived, or never will. */
    void settle() {
        isSettled = true;
        for (Runnable each = waiting.poll(); each != null; each = waiting.poll()) {
            each.run();
        }
    }

    /** Applies the settings of a frame in order. The peer's limit on header lists is advisory, and we don't need it. */
    void apply(byte[] in, int offset, int length) throws Http2Exception {
        if (isFirst) {
            isFirst = false;
            maxConcurrentStreams = Long.MAX_VALUE;
        }
        for (int at = offset; at < offset + length; at += 6) {
            int id = (in[at] & 0xff) << 8 | in[at + 1] & 0xff;
            long value = (in[at + 2] & 0xffL) << 24
                    | (in[at + 3] & 0xff) << 16
                    | (in[at + 4] & 0xff) << 8
                    | in[at + 5] & 0xff;
            apply(id, value);
        }
    }

    private void apply(int id, long value) throws Http2Exception {
        switch (id) {
            case HEADER_TABLE_SIZE -> headerTableSize = value;
            case ENABLE_PUSH -> check(value <= (isFromServer ? 0 : 1), Http2Error.PROTOCOL_ERROR, "ENABLE_PUSH", value);
            case MAX_CONCURRENT_STREAMS -> maxConcurrentStreams = value;
            case INITIAL_WINDOW_SIZE -> {
                check(value <= Integer.MAX_VALUE, Http2Error.FLOW_CONTROL_ERROR, "INITIAL_WINDOW_SIZE", value);
                initialWindowSize = (int) value;
            }
            case MAX_FRAME_SIZE -> {
                check(value >= 16_384 && value <= 16_777_215, Http2Error.PROTOCOL_ERROR, "MAX_FRAME_SIZE", value);
                maxFrameSize = (int) value;
            }
            case ENABLE_CONNECT_PROTOCOL -> {
                check(
                        value == 1 || value == 0 && !acceptsWebSocket,
                        Http2Error.PROTOCOL_ERROR,
                        "ENABLE_CONNECT_PROTOCOL",
                        value);
                acceptsWebSocket = value == 1;
            }
            default -> {} // RFC 9113 6.5.2: unknown settings are ignored
        }
    }

    private static void check(boolean isRight, Http2Error error, String name, long value) throws Http2Exception {
        if (!isRight) {
            throw new Http2Exception(error, "invalid value in the peer's SETTINGS: " + name + " " + value);
        }
    }
}
