package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** CONNECT without a protocol (RFC 9113 8.5): a 2xx opens a tunnel, through which both sides send buffers. */
class Http2ConnectTest {
    private final StreamLog log = new StreamLog();

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    private String received(int index) {
        return assertInstanceOf(ChannelBuffer.class, log.messages.get(index)).toString(US_ASCII);
    }

    @Nested
    class OfAServer {
        private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

        private void connect(boolean endsStream) {
            peer.send(peer.headers(1, endsStream, ":method", "CONNECT", ":authority", "example.com:443"));
        }

        private static HttpResponse response(int code) {
            return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code));
        }

        @Test
        void shouldOpenATunnelWhenAHandlerAgrees() {
            connect(false);
            assertEquals(HttpMethod.CONNECT, ((HttpRequest) log.messages.get(0)).getMethod());
            log.last().write(response(200));
            assertEquals(List.of("HEADERS 1 :status=200"), peer.lines());
            assertTrue(((StreamChannel) log.last()).exchange.isUpgraded());

            peer.send(data(1, false, "ping"));
            log.last().write(bytes("pong"));

            assertEquals("ping", received(1));
            assertEquals(List.of("DATA 1 'pong'"), peer.lines());
        }

        private void openTunnel() {
            connect(false);
            log.last().write(response(200));
            peer.lines();
            log.take();
        }

        /**
         * The frames of a tunnel form a sequence of octets: with a message in each, there must not be an event for
         * each.
         */
        @Test
        void shouldPassOnFramesReceivedTogetherAsOneMessage() {
            openTunnel();

            peer.send(data(1, false, "a"), data(1, false, "bc"), data(1, false, "d"));

            assertEquals("abcd", received(1));
            assertEquals(2, log.messages.size());
        }

        @Test
        void shouldPassOnBytesReceivedBeforeAnotherFrame() {
            openTunnel();
            List<String> seen = new ArrayList<>();
            log.last().getPipeline().addFirst("seen", new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    seen.add(((ChannelBuffer) e.getMessage()).toString(US_ASCII));
                }
            });

            peer.send(
                    data(1, false, "a"),
                    data(1, false, "b"),
                    FramePeer.frame(FramePeer.PING, 0, 0, new byte[8]),
                    data(1, false, "c"),
                    data(1, false, ""),
                    data(1, false, "x".repeat(1024)),
                    data(1, false, "d"),
                    data(1, false, "e"),
                    data(1, true, "f"));

            assertEquals(List.of("ab", "c", "x".repeat(1024), "de", "f"), seen);
        }

        private boolean isInputEnd(String line) {
            return line.endsWith("INPUT_SHUTDOWN");
        }

        /**
         * RFC 9113 8.5: the end of one direction is a FIN to the target, which may keep sending in the other direction.
         */
        @Test
        void shouldStayHalfOpenWhenItsClientEndsItsOutput() {
            openTunnel();

            peer.send(data(1, true, "bye"));

            assertEquals("bye", received(1));
            List<String> seen = log.take();
            assertEquals(2, seen.size(), seen.toString());
            assertTrue(isInputEnd(seen.get(1)), seen.toString());
            assertEquals(List.of(), peer.lines());
            log.last().write(bytes("more"));
            assertEquals(List.of("DATA 1 'more'"), peer.lines());
            assertTrue(log.last().isOpen());
        }

        @Test
        void shouldEndWhenItsHandlerEndsTheOutputAfterTheClient() {
            openTunnel();
            peer.send(data(1, true, "bye"));

            Channels.shutdownOutput(log.last());

            assertEquals(List.of("DATA 1 '' END"), peer.lines());
            assertFalse(log.last().isOpen());
            assertEquals(CloseReason.COMPLETED, log.last().getCloseReason());
        }

        @Test
        void shouldEndWhenItsHandlerClosesAfterTheClient() {
            openTunnel();
            peer.send(data(1, true, "bye"));

            log.last().close();

            assertEquals(List.of("DATA 1 '' END"), peer.lines());
            assertFalse(log.last().isOpen());
        }

        @Test
        void shouldEndWhenItsHandlerClosesAtTheEndOfTheInput() {
            openTunnel();
            log.last().getPipeline().addFirst("closer", new SimpleChannelUpstreamHandler() {
                @Override
                public void inputShutdown(ChannelHandlerContext ctx, InputShutdownEvent e) {
                    ctx.getChannel().close();
                }
            });

            peer.send(data(1, true, "bye"));

            assertEquals(List.of("DATA 1 '' END"), peer.lines());
            assertFalse(log.last().isOpen());
        }

        @Test
        void shouldReportTheEndAfterUnreadData() {
            openTunnel();
            log.last().setReadable(false);
            log.take();
            peer.send(data(1, false, "good"), data(1, true, "bye"));
            assertEquals(List.of(), log.take());

            log.last().setReadable(true);

            List<String> seen = log.take();
            assertEquals("goodbye", received(1));
            assertTrue(isInputEnd(seen.get(seen.size() - 1)), seen.toString());
            assertTrue(log.last().isOpen());
        }

        @Test
        void shouldReportTheEndEvenIfTheOutputEndsBeforeItIsRead() {
            openTunnel();
            log.last().setReadable(false);
            peer.send(data(1, true, "bye"));
            Channels.shutdownOutput(log.last());
            assertTrue(log.last().isOpen());
            log.take();

            log.last().setReadable(true);

            assertEquals("bye", received(1));
            assertTrue(log.take().stream().anyMatch(this::isInputEnd));
            assertFalse(log.last().isOpen());
        }

        @Test
        void shouldReportAnEndThatPrecedesTheAnswer() {
            connect(false);
            log.take();

            peer.send(data(1, true, ""));

            assertTrue(isInputEnd(log.take().get(0)));
            log.last().write(response(200));
            log.last().write(bytes("hello"));
            assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'hello'"), peer.lines());
            Channels.shutdownOutput(log.last());
            assertFalse(log.last().isOpen());
        }

        @Test
        void shouldEndTheTunnelWithItsHandler() {
            connect(false);
            log.last().write(response(200));
            log.last().write(bytes("bye"));
            Channels.write(log.last(), OutputShutdown.INSTANCE);

            assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'bye'", "DATA 1 '' END"), peer.lines());
            peer.send(data(1, true, ""));
            assertFalse(log.last().isOpen());
        }

        /** RFC 9110 9.3.6. */
        @Test
        void shouldSendNoContentWithTheAnswerThatOpensIt() {
            connect(false);
            HttpResponse response = response(200);
            response.setContent(bytes("welcome"));
            response.headers().set("Content-Length", 7);
            log.last().write(response);

            assertEquals(List.of("HEADERS 1 :status=200"), peer.lines());
        }

        @Test
        void shouldOpenNoTunnelWhenAHandlerRefuses() {
            connect(false);
            HttpResponse response = response(403);
            response.setContent(bytes("no"));
            log.last().write(response);
            assertEquals(List.of("HEADERS 1 :status=403", "DATA 1 'no' END"), peer.lines());
            assertFalse(((StreamChannel) log.last()).exchange.isUpgraded());

            peer.send(data(1, false, "data that the client sent before it knew"), data(1, true, ""));

            assertEquals(List.of(), peer.lines());
            assertFalse(log.last().isOpen());
            assertEquals(1, log.messages.size(), "handlers see the request only");
        }

        @Test
        void shouldPassOnNoMessageWithoutBytes() {
            connect(false);
            peer.send(data(1, false, ""));
            log.last().write(response(200));
            peer.send(data(1, false, ""));
            assertEquals(1, log.messages.size());
            assertTrue(log.last().isOpen());
        }

        @Test
        void shouldRefuseARequestThatEndsItsStream() {
            connect(true);

            assertEquals(List.of("HEADERS 1 :status=501 content-length=0 END"), peer.lines());
            assertEquals(List.of(), log.channels);
        }

        @Test
        void shouldResetAStreamWithContentBeforeTheAnswer() {
            connect(false);
            peer.send(data(1, false, "early"));

            assertEquals(List.of("RST_STREAM 1 PROTOCOL_ERROR"), peer.lines());
        }
    }

    @Test
    void shouldPassOnBytesReceivedBeforeARefusedFrame() {
        Http2Settings settings =
                Http2Settings.defaults().toBuilder().initialWindowSize(1000).build();
        FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline, settings));
        peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:443"));
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        byte[] piece = data(1, false, "x".repeat(400));

        peer.send(piece, piece, piece);

        assertEquals("x".repeat(800), received(1));
        List<String> lines = peer.lines();
        assertTrue(lines.get(lines.size() - 1).startsWith("GOAWAY 1 FLOW_CONTROL_ERROR"), lines.toString());
    }

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();

        OfAClient() {
            stream.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "example.com:443"));
        }

        @Test
        void shouldSendBuffersOnceTheServerAgrees() {
            assertEquals(List.of("HEADERS 1 :method=CONNECT :authority=example.com:443"), peer.lines());
            peer.send(peer.headers(1, false, ":status", "200"));
            assertEquals(200, ((HttpResponse) log.messages.get(0)).getStatus().getCode());

            stream.write(bytes("ping"));
            peer.send(data(1, false, "pong"));

            assertEquals(List.of("DATA 1 'ping'"), peer.lines());
            assertEquals("pong", received(1));
            stream.close();
            assertEquals(List.of("DATA 1 '' END", "RST_STREAM 1 CANCEL"), peer.lines());
        }

        /** When the server ends, both directions close. */
        @Test
        void shouldEndTheTunnelWithItsServer() {
            peer.send(peer.headers(1, false, ":status", "200"));
            peer.lines();

            peer.send(data(1, true, "bye"));

            assertEquals("bye", received(1));
            assertEquals(List.of("DATA 1 '' END"), peer.lines());
            assertFalse(stream.isOpen());
        }

        @Test
        void shouldEndItsStreamWhenTheServerRefuses() {
            peer.lines();
            peer.send(peer.headers(1, false, ":status", "100"));
            assertEquals(List.of(), peer.lines());

            peer.send(peer.headers(1, false, ":status", "403"), data(1, true, "no"));

            assertEquals(List.of("DATA 1 '' END"), peer.lines());
            assertTrue(log.take().contains("1 403 chunked"));
            assertFalse(stream.isOpen());
        }

        @Test
        void shouldEndItsStreamWhenTheServerAgreesAndEnds() {
            peer.lines();
            peer.send(peer.headers(1, true, ":status", "200"));

            assertEquals(List.of("DATA 1 '' END"), peer.lines());
            assertFalse(stream.isOpen());
        }
    }
}
