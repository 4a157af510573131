package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames, drains and streams that come once a connection has ended. They change nothing about its end. */
class Http2LateEventsTest {
    private static final byte[] ON_NO_STREAM = frame(DATA, 0, 0);

    private final StreamLog log = new StreamLog();

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

        private void close() {
            connection.close(Http2Error.NO_ERROR, "enough");
        }

        @Test
        void shouldAnswerNoFrameAfterTheGoodbye() {
            peer.channel.holdWrites();
            close();
            peer.send(frame(PING, 0, 0, new byte[8]));
            peer.channel.completeWrites();
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
        }

        /** They arrive together with the answer whose handler closes the connection. */
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void shouldEndOnceWhateverFollowsInTheSameRead(boolean isGoodbye) {
            peer.ask(log.pipeline());
            log.reaction = (stream, message) -> close();
            peer.channel.holdWrites();
            byte[] next = isGoodbye ? frame(GOAWAY, 0, 0, ints(1, 0)) : ON_NO_STREAM;
            peer.send(peer.headers(1, true, ":status", "200"), next);
            assertEquals(2, peer.channel.unansweredWrites(), "the goodbye, and the empty message that closes");
            peer.channel.completeWrites();
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
            assertEquals(List.of(), peer.channel.takeCaught());
            assertEquals("enough", peer.channel.getCloseReason().detail());
        }

        /** For example, because the connect has failed. Such a channel is neither unbound nor disconnected when it closes. */
        @Test
        void shouldFailAStreamWhoseConnectionWasNeverConnected() {
            MemoryChannel unconnected = MemoryChannel.open(new Http2ClientHandler());
            ChannelFuture stream = Http2ClientConnection.of(unconnected).open(log.pipeline());
            unconnected.close();
            assertTrue(stream.isDone() && !stream.isSuccess());
            assertFalse(stream.getChannel().isOpen());
        }
    }

    @Nested
    class OfAServer {
        private final FakeTimer timer = new FakeTimer();
        private final Http2Settings settings =
                Http2Settings.defaults().toBuilder().timer(timer).build();

        /** A client that doesn't close when the server has ended its output. */
        private final MemoryChannel lingering =
                MemoryChannel.connected(new Http2ServerHandler(log::pipeline, settings));

        private void receive(byte[]... frames) {
            lingering.receive(ChannelBuffers.wrappedBuffer(frames));
        }

        /** The drain may last longer than the two seconds that the client has to close. */
        @Test
        void shouldNotWaitLongerForTheClientBecauseOfADrain() {
            receive(Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), ON_NO_STREAM);
            lingering.takeCaught();
            lingering.takeWritten();
            DrainEvent event = new DrainEvent(lingering, () -> {});
            lingering.getPipeline().sendUpstream(event);
            assertFalse(event.isClaimed() || event.isHeld());
            assertEquals(List.of(), lingering.takeWritten());
            timer.advanceMillis(2_000);
            assertFalse(lingering.isOpen());
            assertEquals(CloseReason.Kind.PROTOCOL, lingering.getCloseReason().kind());
            assertEquals(0, timer.pendingTimeouts());
        }

        /** What follows the wrong byte is dropped, even if it looks like frames. */
        @Test
        void shouldReadNothingAfterAWrongPreface() {
            byte[] wrong = Http2ServerHandler.PREFACE.clone();
            wrong[wrong.length - 1] ^= 1;
            receive(wrong, frame(SETTINGS, 0, 0), frame(PING, 0, 0, new byte[8]));
            assertEquals(1, lingering.takeCaught().size());
            lingering.close();
            assertEquals(CloseReason.Kind.PROTOCOL, lingering.getCloseReason().kind());
            assertEquals(0, timer.pendingTimeouts());
        }
    }
}
