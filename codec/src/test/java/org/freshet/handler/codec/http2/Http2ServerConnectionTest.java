package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.timeout.WriteTimeoutHandler;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

/** How a connection and its streams end, and what a connection answers to frames of no stream. */
class Http2ServerConnectionTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    // ---- how streams and connections end ----

    @Test
    void shouldResetAStreamThatIsClosedBeforeItsAnswer() {
        peer.send(peer.get(1, "/"));
        log.take();

        log.last().close();

        assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
        assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldCloseOnlyTheStreamWhenAnAnswerAsksForClose() {
        peer.send(peer.request(1, false, "POST", "/"), peer.get(3, "/"));

        log.channels.get(0).write(response("x")).addListener(ChannelFutureListener.CLOSE);

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x' END", "RST_STREAM 1 NO_ERROR"), peer.lines());
        assertFalse(log.channels.get(0).isOpen());
        assertTrue(log.channels.get(1).isOpen());
    }

    @Test
    void shouldFailWhatIsQueuedWhenThePeerResetsTheStream() {
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        ChannelFuture written = log.last().write(response("never sent"));
        log.take();

        peer.send(reset(1, Http2Error.CANCEL));

        Http2StreamException cause = assertInstanceOf(Http2StreamException.class, written.getCause());
        assertEquals(Http2Error.CANCEL, cause.error());
        assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
    }

    @Test
    void shouldIgnoreFramesInTransitWhenAStreamIsReset() {
        peer.send(peer.request(1, false, "POST", "/"));
        log.last().close();
        peer.lines();

        peer.send(
                data(1, false, "late"),
                peer.headers(1, true, "late", "1"),
                windowUpdate(1, 10),
                reset(1, Http2Error.CANCEL));

        assertEquals(List.of(), peer.lines());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldIgnoreFramesInTransitHoweverManyStreamsWereReset() {
        for (int id = 1; id < 1_001; id += 2) {
            peer.send(peer.request(id, false, "POST", "/"));
            log.last().close();
        }

        peer.send(data(1, false, "late"), data(999, false, "late"), peer.headers(3, true, "a", "b"));

        assertTrue(peer.channel.isOpen());
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    @Test
    void shouldEndAllStreamsWithTheConnection() {
        peer.send(setting(0x4, 0), peer.get(1, "/"), peer.get(3, "/"));
        ChannelFuture written = log.last().write(response("x"));

        peer.channel.close();

        assertInstanceOf(ClosedChannelException.class, written.getCause());
        log.channels.forEach(stream -> assertFalse(stream.isOpen()));
        assertTrue(log.take().containsAll(List.of("1 closed", "3 closed")));
    }

    @Test
    void shouldSendGoAwayBeforeTheConnectionIsClosed() {
        peer.send(peer.get(1, "/"));

        peer.channel.close();

        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
    }

    @Test
    void shouldCloseWhenTheLastStreamHasEndedAfterDraining() {
        peer.send(peer.get(1, "/"));

        peer.channel.getPipeline().get(Http2ServerHandler.class).drain();
        peer.send(peer.get(3, "/"));
        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
        assertTrue(peer.channel.isOpen());
        log.channels.get(0).write(response("x"));

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x' END"), peer.lines());
        assertFalse(peer.channel.isOpen());
    }

    // ---- the connection's frames ----

    @Test
    void shouldAnswerPingAndSettings() {
        peer.send(
                frame(PING, 0, 0, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}),
                setting(0x3, 7),
                frame(PING, ACK, 0, new byte[8]));

        assertEquals(List.of("PING ACK", "SETTINGS ACK"), peer.lines());
    }

    /** CVE-2026-50560. */
    @Test
    void shouldAnswerAPeerThatSaysItTakesNoFields() {
        peer.send(setting(0x6, 1), peer.get(1, "/"));
        peer.lines();

        assertTrue(log.last().write(response("hi")).isSuccess());

        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'hi' END"), peer.lines());
    }

    /** CVE-2026-49975: what an application adds so that a peer cannot hold an answer forever. */
    @Test
    void shouldResetAStreamWhoseAnswerIsNotReadInTime() {
        FakeTimer timer = new FakeTimer();
        FramePeer client = FramePeer.client(new Http2ServerHandler(() ->
                Channels.pipeline(new WriteTimeoutHandler(timer, 30), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        e.getChannel().write(response("hello"));
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                        e.getChannel().close();
                    }
                })));
        client.send(setting(0x4, 0), client.get(1, "/"));
        client.lines();
        timer.advanceMillis(29_999);
        assertEquals(List.of(), client.lines());

        timer.advanceMillis(1);

        assertEquals(List.of("RST_STREAM 1 CANCEL"), client.lines());
    }

    @Test
    void shouldIgnoreFramesThatItDoesNotKnow() {
        peer.send(frame(0x0b, 0xff, 1, new byte[100]), frame(0xff, 0, 0), frame(PING, 0, 0, new byte[8]));

        assertEquals(List.of("PING ACK"), peer.lines());
    }

    // ---- draining ----

    private static final byte[] DRAIN_PING_ACK = frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'});

    private ChannelDrain drainServer() {
        return ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
    }

    @Test
    void shouldServeStreamsOfAPeerThatDoesNotKnowOfTheDrainYet() {
        peer.send(peer.get(1, "/"));
        ChannelDrain drain = drainServer();
        List<String> announced = peer.lines();
        assertEquals("GOAWAY 2147483647 NO_ERROR", announced.get(0));
        assertEquals(2, announced.size());
        assertTrue(announced.get(1).startsWith("PING"), announced.get(1));

        peer.send(peer.get(3, "/"), DRAIN_PING_ACK, peer.get(5, "/"));
        assertEquals(List.of("GOAWAY 3 NO_ERROR"), peer.lines());
        log.channels.get(0).write(response("x"));
        assertTrue(peer.channel.isOpen());
        log.channels.get(1).write(response("y"));

        assertFalse(peer.channel.isOpen());
        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        assertTrue(peer.lines().contains("DATA 3 'y' END"));
    }

    @Test
    void shouldCloseConnectionWithoutStreamsOnceThePeerKnowsOfTheDrain() {
        ChannelDrain drain = drainServer();
        assertTrue(peer.channel.isOpen());

        peer.send(DRAIN_PING_ACK);

        assertFalse(peer.channel.isOpen());
        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
    }

    @Test
    void shouldNotReportAPeerAsLostThatClosesWithoutAStream() {
        ChannelDrain drain = drainServer();

        peer.channel.close();

        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
    }
}
