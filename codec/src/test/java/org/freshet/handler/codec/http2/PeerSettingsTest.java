package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a peer's SETTINGS change, and the rules of frame types. */
class PeerSettingsTest {
    private static final int HEADER_TABLE_SIZE = 1;
    private static final int ENABLE_PUSH = 2;
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int MAX_FRAME_SIZE = 5;
    private static final int ENABLE_CONNECT_PROTOCOL = 8;

    private final PeerSettings settings = new PeerSettings(true);

    /** Applies pairs of identifier and value, with other octets around them. */
    private void apply(PeerSettings settings, long... pairs) throws Http2Exception {
        ByteBuffer frame = ByteBuffer.allocate(2 + pairs.length * 3 + 6);
        frame.putShort((short) -1);
        for (int i = 0; i < pairs.length; i += 2) {
            frame.putShort((short) pairs[i]).putInt((int) pairs[i + 1]);
        }
        frame.putShort((short) MAX_CONCURRENT_STREAMS).putInt(-1);
        settings.apply(frame.array(), 2, pairs.length * 3);
    }

    private void isRefused(Http2Error error, long id, long value) {
        Http2Exception failure = assertThrows(Http2Exception.class, () -> apply(settings, id, value));
        assertEquals(error, failure.error());
        assertTrue(failure.getMessage().contains(Long.toString(value)), failure.getMessage());
    }

    @Test
    void shouldHaveTheDefaultsOfTheRfc() {
        assertEquals(4096, settings.headerTableSize());
        assertEquals(100, settings.maxConcurrentStreams());
        assertEquals(65_535, settings.initialWindowSize());
        assertEquals(16_384, settings.maxFrameSize());
        assertFalse(settings.acceptsWebSocket());
    }

    @Test
    void shouldLimitStreamsOnlyIfThePeerDoes() throws Exception {
        apply(settings);
        assertEquals(Long.MAX_VALUE, settings.maxConcurrentStreams());
        apply(settings, MAX_CONCURRENT_STREAMS, 0xffff_fffeL);
        assertEquals(0xffff_fffeL, settings.maxConcurrentStreams());
        apply(settings, MAX_CONCURRENT_STREAMS, 0x0102_0304);
        apply(settings);
        assertEquals(0x0102_0304, settings.maxConcurrentStreams());
    }

    @Test
    void shouldApplyAllSettingsOfAFrameInOrder() throws Exception {
        apply(
                settings,
                HEADER_TABLE_SIZE,
                0x8000_0001L,
                0xff03,
                7,
                ENABLE_PUSH,
                0,
                INITIAL_WINDOW_SIZE,
                1,
                INITIAL_WINDOW_SIZE,
                Integer.MAX_VALUE,
                MAX_FRAME_SIZE,
                16_777_215,
                ENABLE_CONNECT_PROTOCOL,
                0,
                ENABLE_CONNECT_PROTOCOL,
                1);
        assertEquals(0x8000_0001L, settings.headerTableSize());
        assertEquals(Integer.MAX_VALUE, settings.initialWindowSize());
        assertEquals(16_777_215, settings.maxFrameSize());
        assertTrue(settings.acceptsWebSocket());
        assertEquals(Long.MAX_VALUE, settings.maxConcurrentStreams(), "the identifier has 16 bits");
        apply(settings, MAX_FRAME_SIZE, 16_384);
        assertEquals(16_384, settings.maxFrameSize());

        PeerSettings withoutWebSocket = new PeerSettings(true);
        apply(withoutWebSocket, ENABLE_CONNECT_PROTOCOL, 0);
        assertFalse(withoutWebSocket.acceptsWebSocket());
    }

    @Test
    void shouldRefuseValuesOutOfRange() throws Exception {
        isRefused(Http2Error.PROTOCOL_ERROR, ENABLE_PUSH, 1);
        isRefused(Http2Error.FLOW_CONTROL_ERROR, INITIAL_WINDOW_SIZE, 0x8000_0000L);
        isRefused(Http2Error.PROTOCOL_ERROR, MAX_FRAME_SIZE, 16_383);
        isRefused(Http2Error.PROTOCOL_ERROR, MAX_FRAME_SIZE, 16_777_216);
        isRefused(Http2Error.PROTOCOL_ERROR, ENABLE_CONNECT_PROTOCOL, 2);
        apply(settings, ENABLE_CONNECT_PROTOCOL, 1);
        isRefused(Http2Error.PROTOCOL_ERROR, ENABLE_CONNECT_PROTOCOL, 0);

        PeerSettings ofClient = new PeerSettings(false);
        apply(ofClient, ENABLE_PUSH, 1);
        assertThrows(Http2Exception.class, () -> apply(ofClient, ENABLE_PUSH, 2));
    }

    @Test
    void shouldRunActionsOnceTheSettingsAreKnown() {
        List<String> run = new ArrayList<>();
        assertTrue(settings.whenKnown(() -> run.add("a")));
        assertTrue(settings.whenKnown(() -> run.add("b")));
        assertEquals(List.of(), run);
        settings.settle();
        assertEquals(List.of("a", "b"), run);
        assertFalse(settings.whenKnown(() -> run.add("c")), "known already");
        settings.settle();
        assertEquals(List.of("a", "b"), run);
    }

    @Test
    void shouldKnowTheTypesOfFrames() {
        for (FrameType type : FrameType.values()) {
            assertEquals(type, FrameType.of(type.code));
        }
        assertNull(FrameType.of(0xa));
        assertNull(FrameType.of(0x11));
        assertNull(FrameType.of(0xff));
    }

    @Test
    void shouldCheckTheLengthAndTheStreamOfAFrame() throws Exception {
        FrameType.DATA.check(1, 0);
        FrameType.WINDOW_UPDATE.check(0, 4);
        FrameType.WINDOW_UPDATE.check(1, 4);
        FrameType.PING.check(0, 8);
        FrameType.GOAWAY.check(0, 8);
        FrameType.GOAWAY.check(0, 9);
        assertEquals(Http2Error.PROTOCOL_ERROR, refusal(FrameType.DATA, 0, 0));
        assertEquals(Http2Error.PROTOCOL_ERROR, refusal(FrameType.PING, 1, 8));
        assertEquals(Http2Error.FRAME_SIZE_ERROR, refusal(FrameType.PING, 0, 7));
        assertEquals(Http2Error.FRAME_SIZE_ERROR, refusal(FrameType.PING, 0, 9));
        assertEquals(Http2Error.FRAME_SIZE_ERROR, refusal(FrameType.GOAWAY, 0, 7));
    }

    private static Http2Error refusal(FrameType type, int streamId, int length) {
        return assertThrows(Http2Exception.class, () -> type.check(streamId, length))
                .error();
    }

    @Test
    void shouldParseAPriority() {
        assertEquals(Http2Priority.DEFAULT, Http2Priority.parse(null));
        assertEquals(new Http2Priority(3, false), Http2Priority.parse(""));
        assertEquals(new Http2Priority(0, true), Http2Priority.parse("u=0, i"));
        assertEquals(new Http2Priority(7, true), Http2Priority.parse(" i=?1 ,u=7"));
        assertEquals(new Http2Priority(3, false), Http2Priority.parse("i, i=?0"));
        assertEquals(new Http2Priority(1, false), Http2Priority.parse("u=1, u=8, u=/, u=22, U=2, u, u=, x"));
        assertEquals(new Http2Priority(3, true), Http2Priority.parse("i, x, u=?"));
        assertEquals("u=5, i", new Http2Priority(5, true).toField());
        assertEquals("u=0", new Http2Priority(0, false).toField());
        assertThrows(IllegalArgumentException.class, () -> new Http2Priority(-1, true));
        assertThrows(IllegalArgumentException.class, () -> new Http2Priority(8, true));
    }
}
