package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.Scarcity;
import org.freshet.util.Timer;
import org.junit.jupiter.api.Test;

/**
 * A client's connection that has used its last stream number: it opens no more streams, says so, and closes when the
 * last one has ended.
 */
class Http2IdentifiersTest {
    private static final int LAST = Integer.MAX_VALUE;

    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.server(new Http2ClientHandler(
            Http2Settings.defaults().toBuilder().firstStreamId(LAST - 2).build()));
    private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

    private Channel open() {
        return connection.open(log.pipeline()).getChannel();
    }

    private static ChannelFuture ask(Channel stream) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaders.Names.HOST, "example.com");
        return stream.write(request);
    }

    private static String head(int id) {
        return "HEADERS " + id + " :method=GET :scheme=http :authority=example.com :path=/ END";
    }

    @Test
    void shouldDrainTheConnectionAfterTheLastNumber() {
        Channel first = open();
        ask(first);
        assertFalse(connection.isDraining());
        Channel last = open();
        ask(last);

        assertTrue(connection.isDraining());
        assertEquals(List.of(head(LAST - 2), head(LAST), "GOAWAY 0 NO_ERROR"), peer.lines());
        peer.send(peer.headers(LAST - 2, true, ":status", "200"), peer.headers(LAST, true, ":status", "200"));
        assertEquals(CloseReason.COMPLETED, first.getCloseReason());
        assertEquals(CloseReason.COMPLETED, last.getCloseReason());
        assertFalse(peer.channel.isOpen());
    }

    /** Frames that were in transit when a stream ended must not end the others. */
    @Test
    void shouldStillKnowItsEndedStreamsAfterTheLastNumber() {
        ask(open());
        Channel last = open();
        ask(last);
        peer.send(peer.headers(LAST - 2, true, ":status", "200"));

        peer.send(windowUpdate(LAST - 2, 1), reset(LAST - 2, Http2Error.NO_ERROR));

        assertEquals(List.of(), peer.channel.takeCaught());
        peer.send(peer.headers(LAST, true, ":status", "200"));
        assertEquals(CloseReason.COMPLETED, last.getCloseReason());
    }

    @Test
    void shouldRefuseStreamsAfterTheLastNumber() {
        ask(open());
        ask(open());

        ChannelFuture third = connection.open(log.pipeline());

        assertTrue(third.isDone());
        assertFalse(third.isSuccess());
    }

    /** Otherwise its stream would keep the connection from closing. */
    @Test
    void shouldRefuseAStreamWithoutANumberWhileItDrains() {
        Channel first = open();
        Channel second = open();
        Channel third = open();
        connection.drain();
        ask(first);
        ask(second);

        ChannelFuture late = ask(third);

        assertFalse(late.isSuccess());
        assertFalse(third.isOpen());
        peer.send(peer.headers(LAST - 2, true, ":status", "200"), peer.headers(LAST, true, ":status", "200"));
        assertEquals(CloseReason.COMPLETED, second.getCloseReason());
        assertFalse(peer.channel.isOpen());
    }

    @Test
    void shouldRefuseStreamsWithoutANumber() {
        peer.send(setting(0x3, 3));
        Channel first = open();
        Channel second = open();
        Channel third = open();
        ChannelFuture waiting = connection.open(log.pipeline());
        ask(first);
        ask(third);

        assertFalse(second.isOpen());
        Http2StreamException cause = assertInstanceOf(
                Http2StreamException.class, second.getCloseReason().cause());
        assertEquals(Http2Error.REFUSED_STREAM, cause.error());
        assertInstanceOf(Http2StreamException.class, waiting.getCause());
        assertTrue(first.isOpen() && third.isOpen());
    }

    /** A client's connection whose first stream number is its last. */
    private Http2ClientConnection withOneNumber(Timer timer) {
        return Http2ClientConnection.of(FramePeer.server(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                        .firstStreamId(LAST)
                        .timer(timer)
                        .build()))
                .channel);
    }

    /** A request whose content runs out of memory at one of its methods. */
    private static HttpRequest starved(Scarcity scarcity) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.setContent(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[1])) {
            @Override
            public int readerIndex() {
                scarcity.step();
                return super.readerIndex();
            }
        });
        return request;
    }

    /** The number is used, although its stream fails. */
    @Test
    void shouldDrainTheConnectionIfMemoryRunsOutForTheLastStream() {
        boolean isReached = true;
        for (int n = 0; isReached; n++) {
            Scarcity scarcity = Scarcity.later(n);
            Http2ClientConnection once = withOneNumber(null);
            Http2StreamChannel last =
                    (Http2StreamChannel) once.open(log.pipeline()).getChannel();
            HttpRequest request = starved(scarcity);
            scarcity.begin();
            Scarcity.survive(() -> last.write(request));
            isReached = scarcity.wasReached();
            assertEquals(last.getStreamId() != 0, once.isDraining(), "without memory at step " + n);
        }
    }

    /** The request isn't to blame. */
    @Test
    void shouldDrainTheConnectionOnceThereIsMemoryForThat() {
        Scarcity scarcity = Scarcity.later(0);
        Http2ClientConnection once = withOneNumber(scarcity.timer(new FakeTimer()));
        Channel last = once.open(log.pipeline()).getChannel();
        scarcity.begin();
        ChannelFuture written = ask(last);
        assertTrue(scarcity.wasReached());
        assertTrue(written.isSuccess());
        assertTrue(last.isOpen());
        Await.until(once::isDraining, "the drain");
    }
}
