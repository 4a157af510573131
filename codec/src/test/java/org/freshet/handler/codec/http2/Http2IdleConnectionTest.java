package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

/** Which connections a server takes for unused, and how many answered streams it keeps for handlers that have to read. */
class Http2IdleConnectionTest {
    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
            log::pipeline,
            Http2Settings.defaults().toBuilder()
                    .timer(timer)
                    .maxConcurrentStreams(2)
                    .build()));

    /** Answered, with content that its handler has not read. */
    private Channel unread(int id) {
        peer.send(peer.request(id, false, "POST", "/"));
        Channel stream = log.last();
        stream.setReadable(false);
        peer.send(data(id, false, "x".repeat(2_000)), data(id, false, "x".repeat(2_000)), data(id, true, "x"));
        stream.write(response());
        assertTrue(stream.isOpen());
        return stream;
    }

    private void assertDrainsWhenUnused() {
        timer.advanceMillis(100_000);
        assertFalse(peer.channel.isOpen());
    }

    @Test
    void shouldNotTakeAConnectionWithShortStreamsForUnused() {
        for (int i = 0; i < 10; i++) {
            peer.send(peer.get(2 * i + 1, "/"));
            log.last().write(response());
            timer.advanceMillis(20_000);
        }
        assertTrue(peer.channel.isOpen());
        assertDrainsWhenUnused();
    }

    @Test
    void shouldNotTakeAConnectionWhoseStreamsAreStillReadForUnused() {
        Channel stream = unread(1);
        log.reaction = (channel, message) -> channel.setReadable(false);
        for (int i = 0; i < 2; i++) {
            timer.advanceMillis(25_000);
            stream.setReadable(true);
        }
        timer.advanceMillis(25_000);
        assertTrue(peer.channel.isOpen() && stream.isOpen());
        log.reaction = (channel, message) -> {};
        stream.setReadable(true);
        assertFalse(stream.isOpen());
        assertDrainsWhenUnused();
    }

    @Test
    void shouldKeepAsManyUnreadStreamsAsMayBeOpen() {
        List<Channel> streams = List.of(unread(1), unread(3));
        assertEquals(List.of(true, true), streams.stream().map(Channel::isOpen).toList());
        Channel third = unread(5);
        assertEquals(List.of(false, true), streams.stream().map(Channel::isOpen).toList(), "the oldest is dropped");
        assertTrue(third.isOpen());
    }
}
