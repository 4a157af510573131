package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How long streams may continue after a GOAWAY: as long as they make progress, or as the drain of the channel
 * determines.
 */
class Http2DrainTest {
    private static final int PIECE = 4 * 1024;

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final Http2Settings settings = Http2Settings.defaults().toBuilder()
            .timer(timer)
            .timeouts(Http2Timeouts.defaults().withWriteStall(Duration.ZERO))
            .build();

    @Nested
    class OfAServer {
        private final Http2ServerHandler handler = new Http2ServerHandler(log::pipeline, settings);
        private final FramePeer peer = FramePeer.client(handler);

        private void download() {
            peer.send(setting(0x4, PIECE), peer.get(1, "/"));
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setContent(ChannelBuffers.wrappedBuffer(new byte[10 * PIECE]));
            log.last().write(response);
        }

        private void drainChannel() {
            peer.channel.getPipeline().sendUpstream(new DrainEvent(peer.channel, () -> {}));
            peer.send(frame(PING, ACK, 0, pingOfDrain()));
        }

        private byte[] pingOfDrain() {
            byte[] data = new byte[8];
            peer.frames().stream()
                    .filter(each -> each.type() == PING)
                    .forEach(ping -> ping.payload().readBytes(data));
            return data;
        }

        @Test
        void shouldNotCutOffADownloadThatMakesProgress() {
            download();
            handler.drain();
            for (int i = 0; i < 9; i++) {
                timer.advanceMillis(20_000);
                peer.send(windowUpdate(1, PIECE));
            }

            assertEquals(CloseReason.COMPLETED, log.last().getCloseReason());
            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldNotCutOffAnUploadThatMakesProgress() {
            peer.send(peer.request(1, false, "POST", "/"));
            handler.drain();
            for (int i = 0; i < 10; i++) {
                timer.advanceMillis(20_000);
                peer.send(frame(DATA, 0, 1, new byte[PIECE]));
            }

            assertTrue(log.last().isOpen());
        }

        @Test
        void shouldNotCutOffStreamsWhileOthersEnd() {
            for (int id = 1; id < 20; id += 2) {
                peer.send(peer.get(id, "/"));
            }
            handler.drain();
            for (Channel channel : log.channels) {
                timer.advanceMillis(20_000);
                channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            }

            log.channels.forEach(channel -> assertEquals(CloseReason.COMPLETED, channel.getCloseReason()));
        }

        @Test
        void shouldCutOffADownloadThatIsHardlyRead() {
            download();
            handler.drain();
            for (int i = 0; i < 6; i++) {
                timer.advanceMillis(10_000);
                peer.send(windowUpdate(1, 10));
            }

            assertFalse(peer.channel.isOpen());
        }

        /** For example, data held by a shaper. */
        @Test
        void shouldSendItsLastFramesBeforeItWaitsForThePeerToClose() {
            peer.send(peer.get(1, "/"));
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            peer.channel.holdWrites();
            drainChannel();
            timer.advanceMillis(60_000);
            assertTrue(peer.channel.isOpen());

            peer.channel.completeWrites();

            assertFalse(peer.channel.isOpen());
        }

        /** Unless the client takes some of them meanwhile. */
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void shouldGiveUpItsLastFramesOnceNothingIsTakenForTheWriteStall(boolean takesSome) {
            int timeOutsOfOthers = timer.pendingTimeouts();
            FramePeer other = FramePeer.client(new Http2ServerHandler(
                    log::pipeline,
                    Http2Settings.defaults().toBuilder().timer(timer).build()));
            other.channel.holdWrites();
            other.channel.getPipeline().sendUpstream(new DrainEvent(other.channel, () -> {}));
            other.send(frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}));
            assertTrue(other.channel.unansweredWrites() > 1);
            if (takesSome) {
                timer.advanceMillis(20_000);
                other.channel.completeWrites(1);
            }
            timer.advanceMillis(30_000);
            assertTrue(other.channel.isOpen());
            timer.advanceMillis(4_000);
            assertFalse(other.channel.isOpen());
            assertEquals(timeOutsOfOthers, timer.pendingTimeouts());
        }

        @Test
        void shouldLeaveTheDeadlineToTheDrainOfItsChannel() {
            download();
            drainChannel();

            timer.advanceMillis(1_000_000);

            assertTrue(log.last().isOpen());
        }

        @Test
        void shouldLeaveTheDeadlineToADrainOfItsChannelThatFollows() {
            download();
            handler.drain();
            drainChannel();

            timer.advanceMillis(1_000_000);

            assertTrue(log.last().isOpen());
        }

        /** A client that doesn't receive the GOAWAY can't know which of its requests were served. */
        @Test
        void shouldCloseTheChannelWhenItsGoAwayWasSent() {
            peer.channel.holdWrites();
            handler.drain();
            assertTrue(peer.channel.isOpen());

            peer.channel.completeWrites();

            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldCloseTheChannelEvenIfItsGoAwayIsNotRead() {
            peer.channel.holdWrites();
            handler.drain();
            timer.advanceMillis(2_000);

            assertFalse(peer.channel.isOpen());
            assertEquals(0, timer.pendingTimeouts());
        }

        /** Announces the drain, and has the client confirm it. */
        private DrainEvent drainBehindUnsentAnswer(boolean closes) {
            peer.send(peer.get(1, "/"));
            DrainEvent event = new DrainEvent(peer.channel, () -> {});
            peer.channel.getPipeline().sendUpstream(event);
            byte[] confirmation = pingOfDrain();
            peer.channel.holdWrites();
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            if (closes) {
                log.last().close();
            }
            peer.send(frame(PING, ACK, 0, confirmation));
            return event;
        }

        @Test
        void shouldNotTakeAnAnswerForAGoodbyeThatItsHandlerHasWrittenBeforeItClosedTheStream() {
            DrainEvent event = drainBehindUnsentAnswer(true);
            assertFalse(log.last().isOpen());
            assertFalse(event.isComplete());

            peer.channel.close();

            assertFalse(event.isComplete());
        }

        @Test
        void shouldNotTakeAnAnswerForAGoodbyeThatCouldNotBeSent() {
            DrainEvent event = drainBehindUnsentAnswer(false);

            peer.channel.failWrites(new IOException("Broken pipe"));
            peer.channel.close();

            assertFalse(event.isComplete());
            assertEquals(
                    CloseReason.Kind.PEER_RESET, log.last().getCloseReason().kind());
        }

        @ParameterizedTest
        @ValueSource(booleans = {false, true})
        void shouldSayThatOnlyItsGoodbyeIsLeftOnceAnswersHaveBeenSent(boolean closes) {
            DrainEvent event = drainBehindUnsentAnswer(closes);

            peer.channel.completeWrites(closes ? peer.channel.unansweredWrites() - 1 : 1);

            assertTrue(event.isComplete());
            assertTrue(peer.channel.unansweredWrites() > 0);
        }

        @Test
        void shouldNotMissWhatAClientHasCancelled() {
            DrainEvent event = drainBehindUnsentAnswer(false);
            peer.send(reset(1, Http2Error.CANCEL));

            peer.channel.close();

            assertTrue(event.isComplete());
        }

        @Test
        void shouldApplyNoDeadlineAfterAClientsGoAway() {
            download();
            peer.send(frame(GOAWAY, 0, 0, ints(0, 0)));

            timer.advanceMillis(1_000_000);

            assertTrue(log.last().isOpen());
        }
    }

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler(settings));
        private final Channel stream = ask();

        private Channel ask() {
            ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(peer.channel));
            streams.setPipelineFactory(log::pipeline);
            Channel channel = streams.connect(new LocalAddress("ignored")).getChannel();
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            request.headers().set(HttpHeaders.Names.HOST, "example.com");
            channel.write(request);
            return channel;
        }

        @Test
        void shouldNotCutOffAResponseThatMakesProgress() {
            peer.send(peer.headers(1, false, ":status", "200"));
            Http2ClientConnection.of(peer.channel).drain();
            for (int i = 0; i < 10; i++) {
                timer.advanceMillis(20_000);
                peer.send(frame(DATA, 0, 1, new byte[PIECE]));
            }
            assertTrue(stream.isOpen());

            peer.send(data(1, true, "end"));

            assertEquals(CloseReason.COMPLETED, stream.getCloseReason());
            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldCloseTheChannelWhenItsReasonWasSent() {
            peer.channel.holdWrites();
            Http2ClientConnection.of(peer.channel).close(Http2Error.NO_ERROR, "enough");
            assertTrue(peer.channel.isOpen());
            assertFalse(stream.isOpen());

            peer.channel.completeWrites();

            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldCutOffAResponseThatDoesNotArrive() {
            Http2ClientConnection.of(peer.channel).drain();

            timer.advanceMillis(30_000);

            assertFalse(stream.isOpen());
        }

        @Test
        void shouldApplyNoDeadlineAfterAServersGoAway() {
            peer.send(frame(GOAWAY, 0, 0, ints(1, 0)));

            timer.advanceMillis(1_000_000);

            assertTrue(stream.isOpen());
        }
    }
}
