package org.freshet.handler.codec.http2;

import java.util.Arrays;

/** This side's SETTINGS frame (RFC 9113 6.5.2, RFC 8441 3, RFC 9218 2.1), and the defaults that depend on the side. Stateless. */
final class OwnSettings {
    private static final int NO_RFC7540_PRIORITIES = 0x9;

    /** The default limit for a client's windows. */
    private static final int CLIENT_MAX_WINDOW_SIZE = 16 * 1024 * 1024;

    private OwnSettings() {}

    static void write(FrameWriter writer, Http2Settings settings, boolean isServer) {
        int[] pairs = new int[12];
        int at = 0;
        at = put(
                pairs,
                at,
                isServer ? PeerSettings.MAX_CONCURRENT_STREAMS : PeerSettings.ENABLE_PUSH,
                isServer ? settings.maxConcurrentStreams() : 0);
        at = put(pairs, at, PeerSettings.INITIAL_WINDOW_SIZE, settings.initialWindowSize());
        at = put(pairs, at, PeerSettings.MAX_FRAME_SIZE, settings.maxFrameSize());
        at = put(pairs, at, PeerSettings.MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize());
        at = put(pairs, at, NO_RFC7540_PRIORITIES, 1);
        if (acceptsWebSocket(settings, isServer)) {
            at = put(pairs, at, PeerSettings.ENABLE_CONNECT_PROTOCOL, 1);
        }
        writer.writeSettings(Arrays.copyOf(pairs, at));
    }

    private static int put(int[] pairs, int at, int identifier, int value) {
        pairs[at] = identifier;
        pairs[at + 1] = value;
        return at + 2;
    }

    static boolean acceptsWebSocket(Http2Settings settings, boolean isServer) {
        return isServer && settings.webSocket();
    }

    static int maxWindowSize(Http2Settings settings, boolean isServer) {
        return isServer || settings.maxWindowSize() > 0 ? settings.maxWindowSize() : CLIENT_MAX_WINDOW_SIZE;
    }

    static Http2AbuseLimits abuseLimits(Http2Settings settings, boolean isServer) {
        Http2AbuseLimits set = settings.abuseLimits();
        return set != null ? set : isServer ? Http2AbuseLimits.defaults() : Http2AbuseLimits.none();
    }
}
