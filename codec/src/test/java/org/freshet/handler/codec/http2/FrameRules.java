package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.HEADERS;
import static org.freshet.handler.codec.http2.FramePeer.RST_STREAM;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a peer may rely on: content stays within the connection's window, and nothing follows the end of a stream's message but a reset. */
final class FrameRules {
    private FrameRules() {}

    static void check(List<FramePeer.Frame> frames, int window) {
        Set<Integer> ended = new HashSet<>();
        Set<Integer> reset = new HashSet<>();
        int sent = 0;
        for (FramePeer.Frame frame : frames) {
            boolean isContent = frame.type() == DATA || frame.type() == HEADERS;
            assertFalse(reset.contains(frame.streamId()), () -> "frame after a reset: " + frame);
            assertFalse(isContent && ended.contains(frame.streamId()), () -> "frame after the end: " + frame);
            sent += frame.type() == DATA ? frame.payload().readableBytes() : 0;
            if (frame.type() == RST_STREAM) {
                reset.add(frame.streamId());
            } else if (isContent && (frame.flags() & END_STREAM) != 0) {
                ended.add(frame.streamId());
            }
        }
        assertTrue(sent <= window, sent + " octets of " + window);
    }
}
