package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is still said on a connection that ends, why its channel is closed, and what has no effect any more. */
class Http2ConnectionEndsTest {
    private static final byte[] ON_NO_STREAM = frame(DATA, 0, 0);

    private final StreamLog log = new StreamLog();

    private CloseReason.Kind reason(FramePeer peer) {
        assertFalse(peer.channel.isOpen());
        return peer.channel.getCloseReason().kind();
    }

    @Nested
    class OfAServer {
        private final Http2ServerHandler handler = new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .initialWindowSize(65_535)
                        .connectionWindowSize(65_535)
                        .maxUnreadBytes(0)
                        .build());
        private FramePeer peer = FramePeer.client(handler);

        private void answer() {
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        }

        private DrainEvent drain() {
            DrainEvent event = new DrainEvent(peer.channel, () -> {});
            peer.channel.getPipeline().sendUpstream(event);
            return event;
        }

        private void confirmDrain() {
            peer.send(frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}));
        }

        @Test
        void shouldSayGoodbyeIfAHandlerOfAStreamClosesTheConnection() {
            log.reaction = (stream, request) -> stream.getParent().close();
            peer.send(peer.get(1, "/"));
            assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
        }

        /** The peer sends no more, so credit would only delay what it waits for. */
        @Test
        void shouldReturnNoCreditOnceItHasEnded() {
            log.reaction = (stream, request) -> stream.setReadable(false);
            peer.send(peer.request(1, false, "POST", "/"));
            for (int i = 0; i < 4; i++) {
                peer.send(frame(DATA, 0, 1, new byte[10_000]));
            }
            peer.send(ON_NO_STREAM);
            assertFalse(log.last().isOpen());
            assertEquals(List.of("GOAWAY 1 PROTOCOL_ERROR"), peer.lines());
            assertEquals(CloseReason.Kind.PROTOCOL, reason(peer));
        }

        @Test
        void shouldCloseIfItsOutputCannotEnd() {
            ChannelDownstreamHandler stuck = (ctx, e) -> {
                if (e instanceof MessageEvent write && write.getMessage() == OutputShutdown.INSTANCE) {
                    e.getFuture().setFailure(new IOException("planned"));
                } else {
                    ctx.sendDownstream(e);
                }
            };
            FramePeer other = new FramePeer(stuck, new Http2ServerHandler(log::pipeline));
            other.send(Http2ServerHandler.PREFACE, ON_NO_STREAM);
            assertFalse(other.channel.isOpen());
        }

        @Test
        void shouldBeClosedByItsPeerIfThePeerLeaves() {
            peer.send(peer.get(1, "/"), frame(GOAWAY, 0, 0, ints(0, 0)));
            answer();
            assertEquals(List.of("HEADERS 1 :status=200 END", "GOAWAY 1 NO_ERROR"), peer.lines());
            assertEquals(CloseReason.Kind.PEER_CLOSED, reason(peer));
        }

        @Test
        void shouldBeClosedRightAwayIfThePeerLeavesWithoutAStream() {
            peer.send(frame(GOAWAY, 0, 0, ints(0, 0)));
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
            assertEquals(CloseReason.Kind.PEER_CLOSED, reason(peer));
        }

        @Test
        void shouldBeClosedHereIfAUserDrainsIt() {
            peer.send(peer.get(1, "/"));
            handler.drain();
            handler.drain();
            answer();
            assertEquals(List.of("GOAWAY 1 NO_ERROR", "HEADERS 1 :status=200 END"), peer.lines());
            assertEquals(CloseReason.Kind.LOCAL, reason(peer));
        }

        // ---- a drain of its channel ----

        @Test
        void shouldHoldTheDrainUntilThePeerKnowsAndTheLastStreamHasEnded() {
            DrainEvent event = drain();
            assertTrue(event.isClaimed() && event.isHeld());
            peer.send(peer.get(1, "/"));
            confirmDrain();
            assertEquals(List.of("GOAWAY 2147483647 NO_ERROR", "PING", "GOAWAY 1 NO_ERROR"), peer.lines());
            assertTrue(event.isHeld());
            assertFalse(event.isComplete());
            answer();
            assertEquals(List.of("HEADERS 1 :status=200 END"), peer.lines());
            assertTrue(event.isComplete());
            assertFalse(event.isHeld());
            assertEquals(CloseReason.Kind.DRAINED, reason(peer));
        }

        @Test
        void shouldAnnounceADrainOnce() {
            drain();
            drain();
            assertEquals(List.of("GOAWAY 2147483647 NO_ERROR", "PING"), peer.lines());
            confirmDrain();
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
            assertEquals(CloseReason.Kind.DRAINED, reason(peer));
        }

        /** An answer that was sent before the announcement says nothing about it. */
        @Test
        void shouldTakeNoOtherAnswerForTheConfirmationOfADrain() {
            confirmDrain();
            drain();
            assertEquals(List.of("GOAWAY 2147483647 NO_ERROR", "PING"), peer.lines());
            peer.send(frame(PING, ACK, 0, new byte[8]), peer.get(1, "/"));
            assertEquals(List.of(), peer.lines());
            assertTrue(log.last().isOpen());
        }

        @Test
        void shouldNotAnnounceADrainAfterItHasEnded() {
            peer.channel.holdWrites();
            peer.send(ON_NO_STREAM);
            DrainEvent event = drain();
            assertFalse(event.isHeld());
            peer.channel.completeWrites();
            assertEquals(List.of("GOAWAY 0 PROTOCOL_ERROR"), peer.lines());
        }

        /** Nothing was asked for, so nothing is missing. */
        @Test
        void shouldReleaseADrainWhosePeerCloses() {
            DrainEvent event = drain();
            peer.channel.close();
            assertFalse(event.isHeld());
            assertTrue(event.isComplete());
        }

        /** A drain's report has such a channel among the lost ones. */
        @Test
        void shouldReportARequestAsLostWhosePeerClosesBeforeItsAnswer() {
            peer.send(peer.get(1, "/"));
            DrainEvent event = drain();
            peer.channel.close();
            assertFalse(event.isComplete());
            assertTrue(event.isHeld());
            peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
            peer.send(peer.get(1, "/"));
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
        }

        /** Its client still sends content, but has what it asked for. */
        @Test
        void shouldNotReportAnAnsweredRequestAsLostThatHasNotEnded() {
            peer.send(peer.request(1, false, "POST", "/"));
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            answer();
            assertEquals("HEADERS 1 :status=200 END", peer.lines().get(2), "after GOAWAY and PING");
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        }

        /** The stream stays open for its handlers only: its client has the whole answer. */
        @Test
        void shouldNotReportAnAnsweredRequestAsLostWhoseContentIsUnread() {
            log.reaction = (stream, request) -> stream.setReadable(false);
            peer.send(peer.request(1, false, "POST", "/"), data(1, true, "unread"));
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            answer();
            assertTrue(log.last().isOpen());
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        }
    }

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

        private Channel asked() {
            return peer.ask(log.pipeline());
        }

        @Test
        void shouldReportARequestAsLostWhoseServerClosesBeforeItsAnswerIsComplete() {
            asked();
            peer.send(peer.headers(1, false, ":status", "200"));
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
        }

        @Test
        void shouldNotReportARequestAsLostThatWasAnsweredBeforeItsEnd() {
            HttpRequest begun = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
            begun.setChunked(true);
            connection.open(log.pipeline()).getChannel().write(begun);
            peer.send(peer.headers(1, true, ":status", "200"));
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        }

        /** The server can open no streams, so there is nothing to wait for. */
        @Test
        void shouldDrainWithoutAnAnnouncement() {
            Channel stream = asked();
            DrainEvent event = new DrainEvent(peer.channel, () -> {});
            peer.channel.getPipeline().sendUpstream(event);
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
            assertTrue(event.isClaimed() && event.isHeld());
            peer.send(peer.headers(1, true, ":status", "200"));
            assertEquals(CloseReason.COMPLETED, stream.getCloseReason());
            assertFalse(event.isHeld());
            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldBeClosedByItsServerIfTheServerLeaves() {
            asked();
            peer.send(frame(GOAWAY, 0, 0, ints(1, 0)), peer.headers(1, true, ":status", "200"));
            assertEquals(CloseReason.Kind.PEER_CLOSED, reason(peer));
        }

        @Test
        void shouldEndOnce() {
            peer.channel.holdWrites();
            connection.close(Http2Error.NO_ERROR, "first");
            connection.close(Http2Error.INTERNAL_ERROR, "second");
            connection.drain();
            peer.send(ON_NO_STREAM, windowUpdate(0, 0));
            assertEquals(List.of(), peer.channel.takeCaught());
            peer.channel.completeWrites();
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
            assertEquals("first", peer.channel.getCloseReason().detail());
        }

        @Test
        void shouldReportOneErrorHoweverManyFollow() {
            peer.channel.holdWrites();
            peer.send(ON_NO_STREAM);
            assertEquals(1, peer.channel.takeCaught().size());
            peer.send(windowUpdate(0, 0));
            peer.send(ON_NO_STREAM);
            assertEquals(List.of(), peer.channel.takeCaught());
            peer.channel.completeWrites();
            assertEquals(List.of("GOAWAY 0 PROTOCOL_ERROR"), peer.lines());
            assertEquals(CloseReason.Kind.PROTOCOL, reason(peer));
        }

        @Test
        void shouldMeasureNoRoundTripBeforeItIsConnected() {
            MemoryChannel open = MemoryChannel.open(new Http2ClientHandler());
            Http2ClientConnection early = Http2ClientConnection.of(open);
            CompletableFuture<Duration> lost = early.ping().toCompletableFuture();
            assertTrue(lost.isCompletedExceptionally());
            assertEquals(List.of(), open.takeWritten());
            open.connect(new InetSocketAddress("localhost", 1));
            CompletableFuture<Duration> measured = early.ping().toCompletableFuture();
            assertFalse(measured.isDone(), "the server's SETTINGS need not have come");
            assertEquals(2, open.takeWritten().size());
            open.close();
            assertTrue(measured.isCompletedExceptionally());
        }
    }
}
