package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Content that handlers have not read, or not yet, when its stream ends: none of it is lost, and none keeps the
 * connection's window.
 */
class Http2UnreadContentTest {
    private final StreamLog log = new StreamLog();

    @Nested
    class OfAResponse {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(peer.channel));

        OfAResponse() {
            streams.setPipelineFactory(log::pipeline);
            log.reaction = (channel, message) -> {
                if (message instanceof HttpResponse) {
                    channel.setReadable(false);
                }
            };
        }

        private Channel ask(HttpMethod method) {
            Channel channel = streams.connect(new LocalAddress("ignored")).getChannel();
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/");
            request.headers().set(HttpHeaders.Names.HOST, "example.com");
            request.setChunked(!method.equals(HttpMethod.GET));
            channel.write(request);
            log.take();
            peer.lines();
            return channel;
        }

        private void answer() {
            peer.send(peer.headers(1, false, ":status", "200"));
            for (int i = 0; i < 10; i++) {
                peer.send(frame(DATA, i == 9 ? FramePeer.END_STREAM : 0, 1, new byte[2_000]));
            }
        }

        private void assertAllIsRead(Channel channel, String... end) {
            List<String> expected = new ArrayList<>(List.of("1 interest read writable"));
            for (int i = 0; i < 10; i++) {
                expected.add("1 chunk 2000");
            }
            expected.add("1 last");
            expected.addAll(List.of(end));
            channel.setReadable(true);
            assertEquals(expected, log.take());
            assertFalse(channel.isOpen());
        }

        @Test
        void shouldWaitForHandlersEvenIfTheStreamHasEnded() {
            Channel channel = ask(HttpMethod.GET);
            answer();
            assertEquals(List.of("1 200 chunked", "1 interest - writable"), log.take());
            assertTrue(channel.isOpen() && channel.isConnected());

            assertAllIsRead(channel, "1 disconnected", "1 unbound", "1 closed");
            assertEquals(CloseReason.COMPLETED, channel.getCloseReason());
        }

        @Test
        void shouldNotCountAsAnOpenStreamMeanwhile() {
            peer.send(FramePeer.setting(3, 1)); // one at a time
            ask(HttpMethod.GET);
            answer();

            assertTrue(streams.connect(new LocalAddress("ignored")).isSuccess());
        }

        /** A server that answers without reading the request signals it this way (RFC 9113 8.1). */
        @Test
        void shouldSurviveAResetAfterTheEnd() {
            Channel channel = ask(HttpMethod.POST);
            answer();
            log.take();
            peer.send(reset(1, Http2Error.NO_ERROR));

            assertTrue(channel.isConnected());
            assertInstanceOf(
                    ClosedChannelException.class,
                    channel.write(HttpChunk.LAST_CHUNK).getCause());
            assertAllIsRead(channel, "1 disconnected", "1 unbound", "1 closed");
            assertEquals(CloseReason.Kind.PEER_RESET, channel.getCloseReason().kind());
        }

        @Test
        void shouldSurviveTheConnectionsEnd() {
            Channel channel = ask(HttpMethod.POST);
            answer();
            log.take();
            CloseReason chosen = CloseReason.of(CloseReason.Kind.SHUTDOWN, "by the test");
            peer.channel.close(chosen);
            assertTrue(channel.isOpen());

            assertAllIsRead(channel, "1 disconnected", "1 unbound", "1 closed");
            assertSame(chosen, channel.getCloseReason());
        }

        /** Its request is unwanted; a listener that is notified of that closes the stream and doesn't read the answer. */
        @Test
        void shouldBeDroppedByAListenerOfTheRequestsEnd() {
            peer.send(FramePeer.setting(4, 0)); // no window: the content waits
            Channel channel = ask(HttpMethod.POST);
            ChannelFuture first = channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[5])));
            ChannelFuture second = channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[5])));
            first.addListener(failed -> channel.close());
            answer();
            peer.lines();

            peer.send(reset(1, Http2Error.NO_ERROR));

            assertInstanceOf(Http2StreamException.class, first.getCause());
            assertInstanceOf(ClosedChannelException.class, second.getCause());
            assertFalse(channel.isOpen());
            assertTrue(peer.channel.isOpen());
            assertEquals(List.of(), peer.lines(), "the server has ended the stream");
        }

        @Test
        void shouldBeDroppedByAClose() {
            Channel channel = ask(HttpMethod.GET);
            answer();
            log.take();

            assertTrue(channel.close().isSuccess());

            assertEquals(List.of("1 disconnected", "1 unbound", "1 closed"), log.take());
            assertEquals(List.of(), peer.lines(), "the stream has ended before");
        }

        @Test
        void shouldEndWithTheStreamIfIncomplete() {
            Channel channel = ask(HttpMethod.GET);
            peer.send(peer.headers(1, false, ":status", "200"), data(1, false, "part"));
            log.take();
            peer.send(reset(1, Http2Error.REFUSED_STREAM));

            assertEquals(
                    List.of(
                            "1 Http2StreamException the peer has reset the stream: REFUSED_STREAM",
                            "1 disconnected",
                            "1 unbound",
                            "1 closed"),
                    log.take());
            Http2StreamException cause = assertInstanceOf(
                    Http2StreamException.class, channel.getCloseReason().cause());
            assertEquals(Http2Error.REFUSED_STREAM, cause.error());
        }

        /** Each held message that is passed on makes the handler ask for the next one. The calls must not nest. */
        @Test
        void shouldBePassedOnWithoutNestingHoweverManyThereAre() {
            Channel channel = ask(HttpMethod.GET);
            peer.send(peer.headers(1, false, ":status", "200"));
            int[] depth = {0, 0};
            log.reaction = (stream, message) -> {
                depth[0]++;
                depth[1] = Math.max(depth[1], depth[0]);
                stream.setReadable(false);
                stream.setReadable(true);
                depth[0]--;
            };
            for (int i = 0; i < 100; i++) {
                peer.send(frame(DATA, 0, 1, new byte[2_000]));
            }
            log.take();

            channel.setReadable(true);

            assertEquals(
                    100,
                    log.take().stream().filter(line -> line.contains("chunk")).count());
            assertEquals(1, depth[1]);
        }
    }

    @Nested
    class OfARequest {
        private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder().maxUnreadBytes(0).build()));

        private final int window = 1024 * 1024;

        OfARequest() {
            log.reaction = (channel, message) -> {
                if (message instanceof HttpRequest) {
                    channel.setReadable(false);
                }
            };
        }

        /** Sends as much on a stream as its window allows. */
        private void fill(int streamId) {
            peer.send(peer.request(streamId, false, "POST", "/"));
            for (int sent = 0; sent < 256 * 1024; sent += 16 * 1024) {
                peer.send(frame(DATA, 0, streamId, new byte[16 * 1024]));
            }
        }

        private void assertConnectionHasItsWindow(int streamId) {
            int given = 0;
            for (String line : peer.lines()) {
                given += line.matches("WINDOW_UPDATE \\d+") ? Integer.parseInt(line.split(" ")[1]) : 0;
            }
            assertTrue(given >= window, "restored: " + given);
        }

        /** A variant of CVE-2023-45802. */
        @Test
        void shouldRestoreTheWindowWhenTheClientResets() {
            for (int id = 1; id < 200; id += 2) {
                fill(id);
                peer.send(reset(id, Http2Error.CANCEL));
            }

            assertEquals(List.of(), peer.channel.takeCaught());
            assertConnectionHasItsWindow(201);
        }

        @Test
        void shouldRestoreTheWindowWhenAHandlerCloses() {
            for (int id = 1; id < 200; id += 2) {
                fill(id);
                log.last().close();
            }

            assertEquals(List.of(), peer.channel.takeCaught());
            assertConnectionHasItsWindow(201);
        }

        @Test
        void shouldRestoreTheWindowWhenReadAfterTheAnswer() {
            fill(1);
            peer.send(frame(DATA, FramePeer.END_STREAM, 1));
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            assertTrue(log.last().isConnected());
            log.last().setReadable(true);

            assertFalse(log.last().isOpen());
            for (int id = 3; id < 15; id += 2) {
                fill(id);
                peer.send(reset(id, Http2Error.CANCEL));
            }
            assertConnectionHasItsWindow(17);
        }

        @Test
        void shouldLeaveTheRestOfTheWindowToOtherStreams() {
            fill(1);
            fill(3);
            peer.send(peer.request(5, false, "POST", "/"), frame(DATA, 0, 5, new byte[16 * 1024]));
            int left = window - 528 * 1024;
            peer.send(peer.request(7, false, "POST", "/"));
            log.last().setReadable(true);
            for (int i = 0; i < 200; i++) {
                assertTrue(left >= 16 * 1024, "the peer may send: " + left);
                peer.send(frame(DATA, 0, 7, new byte[16 * 1024]));
                left -= 16 * 1024;
                for (String line : peer.lines()) {
                    left += line.matches("WINDOW_UPDATE \\d+") ? Integer.parseInt(line.split(" ")[1]) : 0;
                }
            }
        }

        @Test
        void shouldEndWithItsConnection() {
            fill(1);
            peer.send(frame(DATA, FramePeer.END_STREAM, 1));
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            assertTrue(log.last().isConnected());

            peer.channel.close();

            assertFalse(log.last().isOpen());
        }
    }

    @Nested
    class ThatComesBeforeAResponse {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler(
                Http2Settings.defaults().toBuilder().maxUnreadBytes(0).build()));

        @Test
        void shouldRestoreTheWindow() {
            ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(peer.channel));
            streams.setPipelineFactory(log::pipeline);
            for (int id = 1; id < 400; id += 2) {
                Channel channel = streams.connect(new LocalAddress("ignored")).getChannel();
                HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
                request.headers().set(HttpHeaders.Names.HOST, "example.com");
                channel.write(request);
                peer.send(frame(DATA, 0, id, new byte[16 * 1024]));
            }

            assertEquals(List.of(), peer.channel.takeCaught());
        }
    }
}
