package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no handler gets, and frames of streams that are gone: the connection and its other streams go on. */
class Http2RefusedRequestsTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = client(Http2Settings.defaults().toBuilder()
            .maxConcurrentStreams(100)
            .maxHeaderListSize(1000)
            .build());

    private FramePeer client(Http2Settings settings) {
        return FramePeer.client(new Http2ServerHandler(log::pipeline, settings));
    }

    private static HttpResponse answer(String name, String value) {
        HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        answer.headers().set(name, value);
        return answer;
    }

    private void goesOn(int id) {
        int before = log.channels.size();
        peer.send(peer.get(id, "/"));
        assertEquals(before + 1, log.channels.size());
        assertTrue(peer.channel.isOpen());
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    @Test
    void shouldAnswerARequestWithTooManyFieldsByItself() {
        peer.send(peer.get(1, "/", "a", "x".repeat(1000)));
        assertEquals(List.of("HEADERS 1 :status=431 content-length=0 END"), peer.lines());
        assertEquals(List.of(), log.channels);
        goesOn(3);
    }

    /** The client may have sent more of it already. */
    @Test
    void shouldAskForNoMoreOfARequestWithTooManyFields() {
        peer.send(peer.request(1, false, "POST", "/", "a", "x".repeat(1000)));
        assertEquals(List.of("HEADERS 1 :status=431 content-length=0 END", "RST_STREAM 1 NO_ERROR"), peer.lines());
        peer.send(data(1, false, "in transit"), peer.headers(1, true, "b", "1"));
        assertEquals(List.of(), peer.lines());
        goesOn(3);
    }

    /** As of any other request (RFC 9113 5.1). */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAcceptNothingAfterTheEndOfARequestWithTooManyFields(boolean isData) {
        peer.send(peer.get(1, "/", "a", "x".repeat(1000)));
        peer.lines();
        peer.send(isData ? data(1, false, "x") : peer.headers(1, true, "b", "1"));
        assertEquals(List.of("GOAWAY 1 STREAM_CLOSED"), peer.lines());
        assertEquals(1, peer.channel.takeCaught().size());
    }

    @Test
    void shouldRefuseOneRequestMoreThanItTakes() {
        for (int i = 0; i < 100; i++) {
            peer.send(peer.request(2 * i + 1, false, "POST", "/"));
        }
        assertEquals(100, log.channels.size());
        peer.send(peer.get(201, "/"));
        assertEquals(List.of("RST_STREAM 201 REFUSED_STREAM"), peer.lines());
        log.channels.get(0).close();
        goesOn(203);
    }

    /** Heads of answers need no window, so a client that doesn't read could have them pile up. */
    @Test
    void shouldRefuseRequestsWhileItsAnswersAreNotRead() {
        log.reaction = (stream, request) -> stream.write(answer("X-Large", log.channels.size() + "w".repeat(16_000)));
        peer.channel.holdWrites();
        int sent = 0;
        while (sent < 60 && sent == log.channels.size()) {
            peer.send(peer.get(2 * sent++ + 1, "/"));
        }
        assertTrue(sent * 16_000 > 512 * 1024 && sent < 60, "refused the answer number " + sent);
        peer.channel.completeWrites();
        List<String> lines = peer.lines();
        assertEquals("RST_STREAM " + (2 * sent - 1) + " REFUSED_STREAM", lines.get(lines.size() - 1));
        goesOn(2 * sent + 1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReturnTheCreditOfContentWhoseStreamIsGone(boolean isReset) {
        peer.send(peer.request(1, false, "POST", "/"));
        if (isReset) {
            peer.send(windowUpdate(1, Integer.MAX_VALUE));
        } else {
            log.last().close();
        }
        peer.lines();
        int octets = 0;
        String update = "";
        while (update.isEmpty()) {
            peer.send(frame(DATA, 0, 1, new byte[16_000]));
            octets += 16_000;
            update = String.join(", ", peer.lines());
        }
        assertEquals("WINDOW_UPDATE " + octets, update);
        goesOn(3);
    }

    /** The peer may allow a table of any size; what is added to it takes memory here. */
    @Test
    void shouldUseNoLargerTableThanItsOwnLimit() {
        peer.send(setting(0x1, -1), peer.get(1, "/"));
        peer.lines();
        log.last().write(answer("X-Large", "v".repeat(HpackEncoder.MAX_TABLE_SIZE)));
        assertTrue(peer.lines().get(0).startsWith("HEADERS 1 :status=200 x-large="));
    }

    /** Without a table, the same fields take as many octets again. */
    @Test
    void shouldUseNoTableIfThePeerHasNone() {
        peer.send(setting(0x1, 0));
        peer.lines();
        int[] lengths = new int[2];
        for (int i = 0; i < 2; i++) {
            peer.send(peer.get(2 * i + 1, "/"));
            log.last().write(answer("X-Long", "v".repeat(100)));
            lengths[i] = peer.frames().get(0).payload().readableBytes();
        }
        assertTrue(lengths[1] > 60, "not an index: " + lengths[1]);
    }

    /** They were in transit when its answer was. */
    @Test
    void shouldIgnoreUpdatesOfAStreamThatIsGone() {
        peer.send(peer.get(1, "/"));
        Channel stream = log.last();
        stream.write(answer("a", "b"));
        peer.lines();
        peer.send(windowUpdate(1, 100), reset(1, Http2Error.CANCEL), windowUpdate(1, Integer.MAX_VALUE));
        assertEquals(List.of(), peer.lines());
        goesOn(3);
    }
}
