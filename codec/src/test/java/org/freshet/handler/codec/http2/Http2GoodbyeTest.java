package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.drain.ChannelDrain;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which goodbyes a connection says and awaits, each of them once, and what its handlers see of the end. */
class Http2GoodbyeTest {
    private static final byte[] ON_NO_STREAM = frame(DATA, 0, 0);

    private final StreamLog log = new StreamLog();

    private static byte[] goAway(int lastStreamId) {
        return frame(GOAWAY, 0, 0, ints(lastStreamId, 0));
    }

    private static DrainEvent drain(Channel channel) {
        DrainEvent event = new DrainEvent(channel, () -> {});
        channel.getPipeline().sendUpstream(event);
        return event;
    }

    @Nested
    class OfAServer {
        private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

        /** A client that doesn't close when the server has ended its output. */
        private final MemoryChannel lingering = MemoryChannel.connected(new Http2ServerHandler(log::pipeline));

        OfAServer() {
            receive(Http2ServerHandler.PREFACE);
            receive(frame(SETTINGS, 0, 0));
            receive(frame(SETTINGS, ACK, 0));
            lingering.takeWritten();
        }

        private void receive(byte[] octets) {
            lingering.receive(ChannelBuffers.wrappedBuffer(octets));
        }

        private static byte[] confirmation() {
            return frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'});
        }

        private long endsOfOutput() {
            return lingering.takeWritten().stream()
                    .filter(each -> each == OutputShutdown.INSTANCE)
                    .count();
        }

        /** Its last request may still be on its way. */
        @Test
        void shouldAwaitTheConfirmationOfItsDrainEvenIfTheClientSaysGoodbyeFirst() {
            drain(peer.channel);
            peer.send(goAway(0));
            assertTrue(peer.channel.isOpen());
            peer.send(peer.get(1, "/"));
            peer.send(confirmation());
            assertTrue(peer.channel.isOpen());
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldEndItsOutputOnceIfItsStreamsEndAfterTheClientsGoodbye() {
            receive(peer.request(1, false, "POST", "/"));
            receive(goAway(0));
            assertEquals(0, endsOfOutput());
            receive(ON_NO_STREAM);
            assertEquals(1, endsOfOutput());
            assertEquals(1, lingering.takeCaught().size());
        }

        /** It carries another protocol, and may stay open forever. */
        @Test
        void shouldNotReportATunnelAsLost() {
            peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:443"));
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            assertTrue(log.last().isOpen());
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
        }

        /** After that, it could not. */
        @Test
        void shouldSayGoodbyeBeforeItEndsItsOutput() {
            receive(peer.get(1, "/"));
            receive(goAway(0));
            lingering.takeWritten();
            log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
            List<Object> written = lingering.takeWritten();
            assertEquals(OutputShutdown.INSTANCE, written.remove(written.size() - 1));
            ChannelBuffer frames = ChannelBuffers.dynamicBuffer();
            written.forEach(each -> frames.writeBytes((ChannelBuffer) each));
            byte[] last = goAway(1);
            frames.skipBytes(frames.readableBytes() - last.length);
            assertEquals(ChannelBuffers.wrappedBuffer(last), frames);
        }

        /** Its handler has written it, but the client's window lets only a part of it out. */
        @Test
        void shouldReportAnAnswerAsLostThatWaitsForTheClientsWindow() {
            peer.send(FramePeer.setting(0x4, 1), peer.get(1, "/"));
            HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            answer.setContent(ChannelBuffers.wrappedBuffer(new byte[2]));
            log.last().write(answer);
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            peer.channel.close();
            assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
        }

        /** No event has announced the connection, for example because a handler has kept it. */
        @Test
        void shouldBeginWithTheFirstBytesAtTheLatest() {
            MemoryChannel unannounced = MemoryChannel.open(new Http2ServerHandler(log::pipeline));
            unannounced.receive(ChannelBuffers.wrappedBuffer(Http2ServerHandler.PREFACE));
            assertEquals(1, unannounced.takeWritten().size());
            unannounced.receive(ChannelBuffers.wrappedBuffer(frame(SETTINGS, 0, 0)));
            assertEquals(1, unannounced.takeWritten().size());
            assertEquals(List.of(), unannounced.takeCaught());
        }

        @Test
        void shouldHaveEndedItsStreamsWhenHandlersHearThatItIsDisconnected() {
            List<Boolean> open = new ArrayList<>();
            peer.channel.getPipeline().addLast("above", new SimpleChannelUpstreamHandler() {
                @Override
                public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
                    open.add(log.last().isOpen());
                }
            });
            peer.channel.getPipeline().remove("keeper of a MemoryChannel");
            peer.send(peer.get(1, "/"));
            peer.channel.close();
            assertEquals(List.of(false), open);
        }
    }

    @Nested
    class OfAClient {
        private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
        private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

        /** Each way to ask for the end of a connection closes it. */
        private static void end(Channel channel, String way) {
            Consumer<Channel> end = switch (way) {
                case "close" -> Channel::close;
                case "disconnect" -> Channel::disconnect;
                default -> Channel::unbind;
            };
            end.accept(channel);
        }

        @ParameterizedTest
        @ValueSource(strings = {"close", "disconnect", "unbind"})
        void shouldSayGoodbyeHoweverItsChannelIsEnded(String way) {
            end(peer.channel, way);
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
        }

        @ParameterizedTest
        @ValueSource(strings = {"close", "disconnect", "unbind"})
        void shouldSayNothingBeforeItIsConnected(String way) {
            MemoryChannel open = MemoryChannel.open(new Http2ClientHandler());
            Http2ClientConnection early = Http2ClientConnection.of(open);
            end(open, way);
            early.drain();
            assertEquals(List.of(), open.takeWritten());
        }

        @Test
        void shouldSayNothingAfterItsGoodbye() {
            peer.channel.holdWrites();
            connection.close(Http2Error.NO_ERROR, "enough");
            peer.channel.close();
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
        }

        /** One message is the goodbye, and the empty one after it closes the channel. */
        @Test
        void shouldEndOnceEvenIfTheServerSaysGoodbyeMeanwhile() {
            peer.channel.holdWrites();
            connection.drain();
            peer.send(goAway(0));
            assertEquals(2, peer.channel.unansweredWrites());
            peer.channel.completeWrites();
            assertFalse(peer.channel.isOpen());
        }

        @Test
        void shouldEndOnceIfItIsClosedAfterTheServersGoodbye() {
            peer.ask(log.pipeline());
            peer.send(goAway(1));
            peer.channel.takeWritten();
            peer.channel.holdWrites();
            connection.close(Http2Error.NO_ERROR, "enough");
            assertEquals(2, peer.channel.unansweredWrites());
            peer.channel.completeWrites();
            assertEquals(List.of("GOAWAY 0 NO_ERROR"), peer.lines());
        }

        private ChannelDrain.Outcome drainAndClose() {
            ChannelDrain drain = ChannelDrain.start(peer.channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
            peer.channel.close();
            return drain.ended().join().outcome();
        }

        /** The server accepts no stream now, but the user wants one. */
        @Test
        void shouldReportAStreamAsLostThatWaits() {
            peer.send(FramePeer.setting(0x3, 0));
            assertFalse(connection.open(log.pipeline()).isDone());
            assertEquals(ChannelDrain.Outcome.LOST, drainAndClose());
        }

        @Test
        void shouldNotReportATunnelAsLost() {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, "example.com:443");
            connection.open(log.pipeline()).getChannel().write(request);
            peer.send(peer.headers(1, false, ":status", "200"));
            assertTrue(log.last().isOpen());
            assertEquals(ChannelDrain.Outcome.FINISHED, drainAndClose());
        }

        /** What waits is the transport's to send, so a drain needn't wait for anything else. */
        @Test
        void shouldHoldADrainOnlyWithStreams() {
            peer.channel.holdWrites();
            assertFalse(drain(peer.channel).isHeld());
            FramePeer busy = FramePeer.server(new Http2ClientHandler());
            busy.ask(log.pipeline());
            assertTrue(drain(busy.channel).isHeld());
        }

        /** Its user may still need it. */
        @Test
        void shouldNotEndADrainBeforeAStreamThatIsConnectedOrWaits() {
            peer.send(FramePeer.setting(0x3, 1));
            Channel connected = connection.open(log.pipeline()).getChannel();
            Channel waiting = connection.open(log.pipeline()).getChannel();
            connection.drain();
            assertTrue(peer.channel.isOpen());
            peer.send(FramePeer.setting(0x3, 0));
            connected.close();
            assertTrue(peer.channel.isOpen());
            waiting.close();
            assertFalse(peer.channel.isOpen());

            FramePeer other = FramePeer.server(new Http2ClientHandler());
            Http2ClientConnection unused = Http2ClientConnection.of(other.channel);
            Channel alone = unused.open(log.pipeline()).getChannel();
            unused.drain();
            assertTrue(other.channel.isOpen());
            alone.close();
            assertFalse(other.channel.isOpen());
        }
    }
}
