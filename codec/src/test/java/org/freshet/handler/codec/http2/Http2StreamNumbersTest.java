package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.RST_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.drain.ChannelDrain;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames on streams that have ended, haven't begun, or were refused by a GOAWAY. */
class Http2StreamNumbersTest {
    private final StreamLog log = new StreamLog();

    private static String last(FramePeer peer) {
        List<String> lines = peer.lines();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    private static HttpResponse ok() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    @Nested
    class OfAServer {
        private final Http2ServerHandler handler = new Http2ServerHandler(log::pipeline);
        private final FramePeer peer = FramePeer.client(handler);

        /** The client has sent these before it knew. */
        @Test
        void shouldIgnoreFramesOnStreamsBeyondItsGoAway() {
            peer.send(peer.get(1, "/"));
            handler.drain();
            assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
            peer.send(peer.request(3, false, "POST", "/"), data(3, false, "x"), windowUpdate(3, 1));
            peer.send(peer.headers(3, true, "check", "1"), reset(3, Http2Error.CANCEL));
            assertEquals(List.of(), peer.lines());
            assertTrue(peer.channel.isOpen());
            assertEquals(1, log.channels.size());
        }

        @Test
        void shouldRefuseFramesOnAnEarlierStreamThatHasEnded() {
            peer.send(peer.get(1, "/"), peer.get(3, "/"));
            log.channels.get(0).write(ok());
            handler.drain();
            peer.send(data(1, false, "x"));
            assertEquals("GOAWAY 3 STREAM_CLOSED", last(peer));
        }

        @Test
        void shouldRefuseFramesOnAStreamThatHasNotBegun() {
            handler.drain();
            FramePeer other = FramePeer.client(new Http2ServerHandler(log::pipeline));
            other.send(other.get(1, "/"));
            other.send(data(3, false, "x"));
            assertEquals("GOAWAY 1 PROTOCOL_ERROR", last(other));
        }

        @Test
        void shouldServeStreamsAfterTheClientsGoAway() {
            peer.send(peer.get(1, "/"), frame(GOAWAY, 0, 0, ints(0, 0)), peer.get(3, "/"));
            assertEquals(2, log.channels.size());
            log.channels.forEach(stream -> assertTrue(stream.isOpen()));
            log.channels.forEach(stream -> stream.write(ok()));
            assertFalse(peer.channel.isOpen());
        }

        /** It can't tell the client that it will stop before the client has begun. */
        @Test
        void shouldDrainWithoutAnnouncementBeforeTheClientHasBegun() {
            FramePeer silent = new FramePeer(new Http2ServerHandler(log::pipeline));
            silent.send(Http2ServerHandler.PREFACE);
            silent.lines();
            ChannelDrain.start(silent.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            assertEquals(
                    List.of("GOAWAY 0 NO_ERROR"),
                    silent.lines().stream()
                            .filter(line -> line.startsWith("GOAWAY"))
                            .toList());
        }

        @Test
        void shouldWaitForTheAnswerToItsOwnPing() {
            ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            assertEquals(List.of("GOAWAY 2147483647 NO_ERROR", "PING"), peer.lines());
            peer.send(frame(PING, ACK, 0, new byte[8]));
            assertEquals(List.of(), peer.lines());
            assertTrue(peer.channel.isOpen());
            peer.send(frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}));
            assertFalse(peer.channel.isOpen());
        }

        /** A handler may close the stream when it gets the exception. */
        @Test
        void shouldResetOnceEvenIfTheHandlerCloses() {
            FramePeer other =
                    FramePeer.client(new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            HttpResponse head = ok();
                            HttpHeaders.setContentLength(head, 8);
                            ctx.getChannel().write(head);
                            ctx.getChannel().write(new Unreadable());
                        }

                        @Override
                        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                            ctx.getChannel().close();
                        }
                    })));
            other.send(other.get(1, "/"));
            List<String> lines = other.lines();
            assertEquals(
                    1,
                    lines.stream().filter(line -> line.startsWith("RST_STREAM")).count(),
                    lines.toString());
            assertTrue(other.channel.isOpen());
        }

        /** What waits is lost, so the client must not take it for the whole. */
        @Test
        void shouldResetATunnelThatIsClosedBeforeItsContentIsSent() {
            peer.send(setting(0x4, 0), peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
            log.last().write(ok());
            ChannelFuture lost = log.last().write(org.freshet.buffer.ChannelBuffers.wrappedBuffer(new byte[3]));
            peer.lines();
            log.last().close();
            assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
            assertInstanceOf(ClosedChannelException.class, lost.getCause());
        }

        /** Its client would go on sending, because only the server's direction has ended. */
        @Test
        void shouldResetATunnelThatIsClosedBeforeItsClientHasEnded() {
            peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:80"));
            log.last().write(ok());
            peer.lines();
            log.last().close();
            assertEquals(List.of("DATA 1 '' END", "RST_STREAM 1 NO_ERROR"), peer.lines());
        }
    }

    /** A file that fails when it is read. */
    private static final class Unreadable implements FileRegion {
        @Override
        public long getPosition() {
            return 0;
        }

        @Override
        public long getCount() {
            return 8;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position) {
            throw new IllegalStateException("planned");
        }

        @Override
        public void releaseExternalResources() {}
    }

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

        private Channel asked() {
            return peer.ask(log.pipeline());
        }

        @ParameterizedTest
        @CsvSource({"1, STREAM_CLOSED", "2, PROTOCOL_ERROR", "3, PROTOCOL_ERROR"})
        void shouldRefuseFramesOnStreamsThatAreNotOpen(int id, String error) {
            asked();
            peer.send(peer.headers(1, true, ":status", "200"));
            peer.send(data(id, false, "x"));
            assertEquals("GOAWAY 0 " + error, last(peer));
        }

        @ParameterizedTest
        @ValueSource(ints = {2, 3})
        void shouldRefuseHeadersOnStreamsThatItHasNotOpened(int id) {
            asked();
            peer.send(peer.headers(id, true, ":status", "200"));
            assertEquals("GOAWAY 0 PROTOCOL_ERROR", last(peer));
        }

        @Test
        void shouldIgnoreFramesOnAStreamThatItHasReset() {
            asked().close();
            peer.send(peer.headers(1, false, ":status", "200"), data(1, true, "x"), frame(RST_STREAM, 0, 1, ints(0)));
            assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
            assertTrue(peer.channel.isOpen());
        }

        @Test
        void shouldEndEachStreamBeyondTheServersGoAwayOnce() {
            Channel first = asked();
            Channel second = asked();
            Channel third = asked();
            peer.send(frame(GOAWAY, 0, 0, ints(3, 0)));
            assertTrue(first.isOpen() && second.isOpen());
            assertFalse(third.isOpen());
            peer.send(frame(GOAWAY, 0, 0, ints(5, 0)));
            assertTrue(first.isOpen() && second.isOpen());
            peer.send(frame(GOAWAY, 0, 0, ints(1, 0)));
            assertTrue(first.isOpen());
            assertFalse(second.isOpen());
        }

        @Test
        void shouldKeepTheOrderOfWaitingStreamsWhenOneIsClosed() {
            peer.send(setting(0x3, 0));
            ChannelFuture[] waiting = new ChannelFuture[3];
            for (int i = 0; i < waiting.length; i++) {
                waiting[i] = connection.open(log.pipeline());
            }
            waiting[1].getChannel().close();
            assertInstanceOf(ClosedChannelException.class, waiting[1].getCause());
            assertEquals(2, connection.getOpenStreams());
            peer.send(setting(0x3, 1));
            assertTrue(waiting[0].isSuccess());
            assertFalse(waiting[2].isDone());
            peer.send(setting(0x3, 2));
            assertTrue(waiting[2].isSuccess());
        }

        @Test
        void shouldTakeNoOtherAnswerForThatOfAPing() {
            CompletableFuture<?> ping = connection.ping().toCompletableFuture();
            long data = peer.frames().get(0).payload().readLong();
            peer.send(ack(data + 1), ack(data - 1), ack(-1), ack(0));
            assertFalse(ping.isDone());
            peer.send(ack(data));
            assertTrue(ping.isDone());
        }

        private static byte[] ack(long data) {
            return frame(PING, ACK, 0, ints((int) (data >>> 32), (int) data));
        }

        @Test
        void shouldAcknowledgeEachSettings() {
            peer.send(frame(SETTINGS, 0, 0), frame(SETTINGS, 0, 0));
            assertEquals(List.of("SETTINGS ACK", "SETTINGS ACK"), peer.lines());
        }
    }
}
