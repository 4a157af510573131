package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/**
 * Header fields of requests that wait for their answers. Connections that are each within their limits can't fill the
 * heap together.
 */
class Http2OpenFieldsTest {
    private static final int MIB = 1 << 20;

    /** The limit for a heap of 64 MiB. */
    private final OpenFields.Ceiling ceiling = new OpenFields.Ceiling(2 * MIB);

    private final StreamLog log = new StreamLog();
    private final List<Http2ServerHandler> handlers = new ArrayList<>();
    private final List<FramePeer> peers = new ArrayList<>();

    private FramePeer connect() {
        return connect(Http2AbuseLimits.none());
    }

    private FramePeer connect(Http2AbuseLimits limits) {
        Http2ServerHandler handler = new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .fieldCeiling(ceiling)
                        .abuseLimits(limits)
                        .build());
        FramePeer peer = FramePeer.client(handler);
        handlers.add(handler);
        peers.add(peer);
        return peer;
    }

    private static void ask(FramePeer peer, int id) {
        peer.send(peer.get(id, "/", "x-large", "v".repeat(12_000)));
    }

    private void fillConnections(int count) {
        for (int i = 0; i < count; i++) {
            FramePeer peer = connect();
            for (int id = 1; id < 200; id += 2) {
                ask(peer, id);
            }
        }
    }

    private long held() {
        return handlers.stream()
                .mapToLong(handler -> handler.connection().streams().fieldOctets())
                .sum();
    }

    @Test
    void shouldStayBelowACeilingSharedByAllConnections() {
        fillConnections(40);

        assertTrue(held() <= 2 * MIB + 40 * OpenFields.SHARE, "octets: " + held());
        for (Http2ServerHandler handler : handlers) {
            assertTrue(handler.connection().streams().fieldOctets() >= OpenFields.SHARE - 12_200, "each has its share");
        }
    }

    @Test
    void shouldStillApplyAConnectionsOwnLimit() {
        fillConnections(1);

        assertTrue(held() > MIB - 12_200 && held() <= MIB, "octets: " + held());
    }

    @Test
    void shouldRefuseARequestWithoutRoomAndAcceptItLater() {
        fillConnections(3);
        FramePeer peer = peers.get(2);
        peer.lines();
        ask(peer, 201);
        assertEquals(List.of("RST_STREAM 201 REFUSED_STREAM"), peer.lines());

        peers.get(0).channel.close();
        ask(peer, 203);

        assertEquals(List.of(), peer.lines());
    }

    /** Sends more requests than any limit of resets allows. */
    private static void askAgainAndAgain(FramePeer peer, int firstId) {
        for (int id = firstId; id < firstId + 1_000 && peer.channel.isOpen(); id += 2) {
            ask(peer, id);
        }
    }

    @Test
    void shouldNotCountRefusalsThatOtherConnectionsCause() {
        fillConnections(6);
        FramePeer innocent = connect(Http2AbuseLimits.defaults());

        askAgainAndAgain(innocent, 1);

        assertTrue(
                innocent.channel.isOpen(), () -> innocent.channel.takeCaught().toString());
        List<String> lines = innocent.lines();
        assertTrue(lines.contains("RST_STREAM 999 REFUSED_STREAM"), lines.toString());
        peers.get(0).channel.close();
        ask(innocent, 1_001);
        assertEquals(List.of(), innocent.lines());
    }

    @Test
    void shouldCountRefusalsThatTheConnectionCausesItself() {
        FramePeer greedy = connect(Http2AbuseLimits.defaults());

        askAgainAndAgain(greedy, 1);

        assertFalse(greedy.channel.isOpen());
        assertTrue(greedy.channel.takeCaught().get(0).getMessage().contains("refused"));
    }

    @Test
    void shouldLimitUnsentRefusalsThatOtherConnectionsCause() {
        fillConnections(6);
        FramePeer deaf = connect();
        deaf.channel.holdWrites();

        ask(deaf, 1);
        for (int id = 3; id < 20_000 && log.last().isOpen(); id += 2) {
            ask(deaf, id);
        }

        List<Throwable> caught = deaf.channel.takeCaught();
        assertTrue(caught.get(0).getMessage().contains("does not read"), caught.toString());
    }

    /** A request that was answered, but whose content its handler has not read. */
    private Channel askUnread(FramePeer peer, String... fields) {
        peer.send(peer.request(1, false, "POST", "/", fields));
        Channel stream = log.last();
        stream.setReadable(false);
        peer.send(data(1, true, "content"));
        stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        return stream;
    }

    @Test
    void shouldKeepUnreadStreamsThatLeaveTheCeilingExceeded() {
        fillConnections(6);
        FramePeer peer = connect();
        Channel unread = askUnread(peer);
        for (int id = 3; id < 13; id += 2) {
            ask(peer, id);
        }
        peer.lines();

        ask(peer, 13);

        assertEquals(List.of("RST_STREAM 13 REFUSED_STREAM"), peer.lines());
        assertTrue(unread.isOpen());
    }

    @Test
    void shouldDropAnUnreadStreamIfThatMakesRoom() {
        fillConnections(6);
        FramePeer peer = connect();
        Channel unread = askUnread(peer, "x-large", "v".repeat(12_000));
        for (int id = 3; id < 11; id += 2) {
            ask(peer, id);
        }
        peer.lines();

        ask(peer, 11);

        assertEquals(List.of(), peer.lines());
        assertFalse(unread.isOpen());
    }

    @Test
    void shouldForgetEndedRequestsHoweverTheyEnded() {
        fillConnections(6);
        log.channels.forEach(channel -> {
            switch (log.channels.indexOf(channel) % 3) {
                case 0 -> channel.close();
                case 1 -> channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
                default -> {}
            }
        });
        peers.get(0).send(reset(5, Http2Error.CANCEL));
        peers.forEach(peer -> peer.channel.close());

        assertEquals(0, held());
        assertEquals(0, ceiling.octets());
    }
}
