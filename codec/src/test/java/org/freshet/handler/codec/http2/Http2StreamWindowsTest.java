package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What a handler can query about its stream's flow control. */
class Http2StreamWindowsTest {
    private static final int PEERS_DEFAULT = 65_535;
    private static final int OURS = 100_000;

    private final StreamLog served = new StreamLog();
    private final FramePeer client = FramePeer.client(new Http2ServerHandler(
            served::pipeline,
            Http2Settings.defaults().toBuilder().initialWindowSize(OURS).build()));

    private Http2StreamChannel stream() {
        return (Http2StreamChannel) served.last();
    }

    @Test
    void shouldShowTheInitialWindowsOfAStream() {
        client.send(client.get(1, "/"));
        assertEquals(PEERS_DEFAULT, stream().getSendWindow());
        assertEquals(OURS, stream().getReceiveWindow());
    }

    /** It doesn't know the smaller ones yet, so what it sends within the default is no error. */
    @Test
    void shouldNotBeSmallerThanTheDefaultBeforeThePeerKnowsThem() {
        int small = 1_000;
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().initialWindowSize(small).build();
        FramePeer early = new FramePeer(new Http2ServerHandler(served::pipeline, settings));
        early.send(Http2ServerHandler.PREFACE, FramePeer.frame(FramePeer.SETTINGS, 0, 0));
        early.send(early.request(1, false, "POST", "/"));
        assertEquals(PEERS_DEFAULT, stream().getReceiveWindow());
        early.send(FramePeer.frame(FramePeer.SETTINGS, FramePeer.ACK, 0), early.request(3, false, "POST", "/"));
        assertEquals(small, stream().getReceiveWindow());
    }

    @Test
    void shouldShowWhatThePeerGrants() {
        client.send(client.request(1, false, "POST", "/"));
        client.send(FramePeer.windowUpdate(1, 1000));
        assertEquals(PEERS_DEFAULT + 1000, stream().getSendWindow());
    }

    @Test
    void shouldShowWhatThePeerHasUsed() {
        client.send(client.request(1, false, "POST", "/"));
        client.send(FramePeer.data(1, false, "twelve bytes"));
        assertEquals(OURS - 12, stream().getReceiveWindow());
    }

    @Test
    void shouldShowThatThePeerReducesItsWindows() {
        client.send(client.request(1, false, "POST", "/"));
        client.send(FramePeer.windowUpdate(1, 5));
        client.send(FramePeer.setting(PeerSettings.INITIAL_WINDOW_SIZE, 0));
        assertEquals(5, stream().getSendWindow());
    }
}
