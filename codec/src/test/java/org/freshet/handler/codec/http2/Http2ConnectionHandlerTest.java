package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.PRIORITY_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelConfig;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What users can do with a connection's channel and with those of its streams, besides requests and answers. */
class Http2ConnectionHandlerTest {
    private final StreamLog log = new StreamLog();

    private Http2ServerHandler server() {
        return new Http2ServerHandler(log::pipeline);
    }

    // ---- a connection ----

    @Test
    void shouldRefuseWritesToTheConnection() {
        FramePeer peer = FramePeer.client(server());
        ChannelFuture written = peer.channel.write("text");
        assertEquals(
                "cannot write to an HTTP/2 connection: write to the channel of a stream",
                assertInstanceOf(UnsupportedOperationException.class, written.getCause())
                        .getMessage());
        assertEquals(List.of(), peer.channel.takeWritten());
    }

    static Stream<Arguments> closes() {
        return Stream.of(
                Arguments.of("close", (Consumer<Channel>) Channel::close),
                Arguments.of("disconnect", (Consumer<Channel>) Channel::disconnect),
                Arguments.of("unbind", (Consumer<Channel>) Channel::unbind));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("closes")
    void shouldSayGoodbyeHoweverItIsClosed(String how, Consumer<Channel> close) {
        FramePeer peer = FramePeer.client(server());
        peer.send(peer.get(1, "/"));
        close.accept(peer.channel);
        assertEquals(List.of("GOAWAY 1 NO_ERROR"), peer.lines());
    }

    @Test
    void shouldReadThePrefaceFromEverySplit() {
        ChannelBuffer first = ChannelBuffers.wrappedBuffer(Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0));
        for (int at = 0; at <= first.readableBytes(); at++) {
            FramePeer peer = new FramePeer(server());
            peer.channel.receive(first.copy(0, at));
            peer.channel.receive(first.copy(at, first.readableBytes() - at));
            List<String> lines = peer.lines();
            assertEquals("SETTINGS ACK", lines.get(lines.size() - 1), "split at " + at);
            assertEquals(List.of(), peer.channel.takeCaught());
        }
    }

    @Test
    void shouldSayNothingForOtherRequests() {
        FramePeer peer = FramePeer.client(server());
        peer.channel.setReadable(false);
        assertFalse(peer.channel.isReadable());
        peer.channel.setReadable(true);
        assertTrue(peer.channel.isReadable());
        peer.channel.connect(new InetSocketAddress("localhost", 1));
        assertEquals(List.of(), peer.lines());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldEndItsStreamsWhenItIsRemoved() {
        Http2ServerHandler handler = server();
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.get(1, "/"));
        Channel stream = log.last();
        peer.channel.getPipeline().remove(handler);
        assertFalse(stream.isOpen());
        assertEquals(CloseReason.Kind.LOCAL, stream.getCloseReason().kind());
        assertInstanceOf(ClosedChannelException.class, stream.write("late").getCause());
        assertTrue(peer.channel.isOpen());
    }

    @Test
    void shouldStartOnce() {
        Http2ServerHandler handler = server();
        MemoryChannel channel = MemoryChannel.open();
        channel.getPipeline().addFirst("http2", handler);
        assertEquals(List.of(), channel.takeWritten());
        handler.drain();
        channel.connect(new InetSocketAddress("localhost", 1));
        assertEquals(1, channel.takeWritten().size(), "SETTINGS");
        Channels.fireChannelConnected(channel, channel.getRemoteAddress());
        assertEquals(List.of(), channel.takeWritten());

        MemoryChannel connected = MemoryChannel.connected();
        connected.getPipeline().addFirst("http2", server());
        assertEquals(1, connected.takeWritten().size());
    }

    @Test
    void shouldDoNothingWithoutAChannel() {
        Http2ServerHandler handler = server();
        handler.drain();
        ChannelPipeline pipeline = Channels.pipeline(handler);
        handler.drain();
        pipeline.remove(handler);
    }

    @Test
    void shouldPassOnWhatIsNoBytes() {
        FramePeer peer = FramePeer.client(server());
        peer.channel.receive("text");
        assertEquals(List.of("text"), peer.channel.takeReceived());
    }

    @Test
    void shouldDescribeWhatThePeerSays() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        peer.channel.takeUpstream();
        peer.send(
                setting(0x3, 7),
                setting(0x4, 1000),
                frame(GOAWAY, 0, 0, ints(1, 2)),
                frame(GOAWAY, 0, 0, ints(1, 0, 0x61626364)));
        List<Http2ConnectionEvent> events = peer.channel.takeUpstream().stream()
                .filter(Http2ConnectionEvent.class::isInstance)
                .map(Http2ConnectionEvent.class::cast)
                .toList();
        Channel channel = peer.channel;
        assertEquals(
                channel + " SETTINGS: 7 streams, windows of 65535",
                events.get(0).toString());
        assertEquals(
                channel + " SETTINGS: 7 streams, windows of 1000", events.get(1).toString());
        assertEquals(1000, ((Http2ConnectionEvent.SettingsReceived) events.get(1)).getInitialWindowSize());
        assertEquals(
                channel + " GOAWAY: INTERNAL_ERROR after stream 1",
                events.get(2).toString());
        assertEquals(
                channel + " GOAWAY: NO_ERROR after stream 1, abcd",
                events.get(3).toString());
        for (Http2ConnectionEvent event : events) {
            assertSame(channel, event.getChannel());
            assertTrue(event.getFuture().isSuccess());
            assertSame(channel, event.getFuture().getChannel());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldRefuseAPriorityFromAServer(int stream) {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        peer.send(frame(PRIORITY_UPDATE, 0, 0, ints(stream)));
        List<String> lines = peer.lines();
        assertEquals("GOAWAY 0 PROTOCOL_ERROR", lines.get(lines.size() - 1));
    }

    // ---- the peer's windows ----

    /** RFC 9113 6.9.2: a stream's window may become negative, and then has to grow above zero first. */
    @Test
    void shouldSendNothingWhileAWindowIsNegative() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        peer.send(setting(0x4, 10));
        Channel stream = open(peer);
        peer.lines();
        DefaultHttpRequest post = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        post.setContent(ChannelBuffers.copiedBuffer("0123456789abcde", US_ASCII));
        stream.write(post);
        assertEquals("DATA 1 '0123456789'", peer.lines().get(1));
        peer.send(setting(0x4, 4));
        assertEquals(-6, ((Http2StreamChannel) stream).getSendWindow());
        peer.send(windowUpdate(1, 6));
        assertEquals(List.of("SETTINGS ACK"), peer.lines());
        peer.send(windowUpdate(1, 1));
        assertEquals(List.of("DATA 1 'a'"), peer.lines());
        peer.send(setting(0x4, 8));
        assertEquals(
                List.of("DATA 1 'bcde' END", "SETTINGS ACK"),
                peer.lines().stream().sorted().toList());
    }

    private Channel open(FramePeer peer) {
        return Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
    }

    // ---- a stream's channel ----

    @Nested
    class AStream {
        private final FramePeer peer = FramePeer.client(server());

        private Channel asked() {
            peer.send(peer.request(1, false, "POST", "/"));
            log.take();
            return log.last();
        }

        @Test
        void shouldHaveTheAddressesOfItsConnection() {
            Channel stream = asked();
            assertTrue(stream.isBound() && stream.isConnected() && stream.isOpen());
            assertEquals(peer.channel.getLocalAddress(), stream.getLocalAddress());
            assertEquals(peer.channel.getRemoteAddress(), stream.getRemoteAddress());
            assertInstanceOf(
                    UnsupportedOperationException.class,
                    stream.bind(new InetSocketAddress("localhost", 0)).getCause());
            stream.close();
            assertFalse(stream.isBound() || stream.isConnected() || stream.isOpen());
        }

        @Test
        void shouldHaveItsOwnConfiguration() {
            ChannelConfig config = asked().getConfig();
            assertSame(config, log.last().getConfig());
            peer.send(peer.get(3, "/"));
            assertNotSame(config, log.last().getConfig());
            assertNotSame(config, peer.channel.getConfig());
        }

        @Test
        void shouldCompleteEachRequestToClose() {
            Channel stream = asked();
            ChannelFuture own = Channels.future(stream);
            Channels.close(stream.getPipeline().getContext(stream.getPipeline().getFirst()), own);
            assertTrue(own.isSuccess());
            assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
            assertTrue(stream.disconnect().isDone());
            assertEquals(List.of(), peer.lines());
        }

        @Test
        void shouldBeResetWithTheErrorOfItsHandler() {
            Http2StreamChannel stream = (Http2StreamChannel) asked();
            ChannelFuture closed = stream.reset(Http2Error.ENHANCE_YOUR_CALM);
            assertTrue(closed.isSuccess());
            assertEquals(List.of("RST_STREAM 1 ENHANCE_YOUR_CALM"), peer.lines());
            assertEquals("reset with ENHANCE_YOUR_CALM", stream.getCloseReason().detail());
            assertEquals(CloseReason.Kind.LOCAL, stream.getCloseReason().kind());
            assertSame(closed, stream.reset(Http2Error.CANCEL));
            assertEquals(List.of(), peer.lines());
            assertInstanceOf(ClosedChannelException.class, stream.write("late").getCause());
        }

        @Test
        void shouldKnowItsWindows() {
            Http2StreamChannel stream = (Http2StreamChannel) asked();
            assertEquals(65_535, stream.getSendWindow());
            assertEquals(262_144, stream.getReceiveWindow());
            stream.setReadable(false);
            peer.send(data(1, false, "x".repeat(1000)));
            assertEquals(261_144, stream.getReceiveWindow());
        }

        private List<String> content() {
            return log.take().stream()
                    .filter(line -> line.matches(".*(chunk|last).*"))
                    .toList();
        }

        private byte[] content(int length, boolean isLast) {
            return data(1, isLast, "x".repeat(length));
        }

        /** In order, and no more than the handler asks for. */
        @Test
        void shouldGetWhatWaitsWhenItReadsAgain() {
            Channel stream = asked();
            stream.setReadable(false);
            peer.send(content(2001, false), content(2002, false), content(2003, true));
            assertEquals(List.of(), content());
            log.reaction = (channel, message) ->
                    channel.setReadable(!StreamLog.describe(message).equals("chunk 2002"));
            stream.setReadable(true);
            assertEquals(List.of("1 chunk 2001", "1 chunk 2002"), content());
            stream.setReadable(true);
            assertEquals(List.of("1 chunk 2003", "1 last"), content());
        }

        @Test
        void shouldGetNothingAfterItIsClosed() {
            Channel stream = asked();
            stream.setReadable(false);
            peer.send(content(2001, false), content(2002, false));
            log.reaction = (channel, message) -> channel.close();
            stream.setReadable(true);
            assertEquals(List.of("1 chunk 2001"), content());
            assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
        }
    }

    @Test
    void shouldBeginItsLifeAsUsual() {
        FramePeer peer = new FramePeer(new Http2ClientHandler());
        peer.send(frame(SETTINGS, 0, 0));
        Channel stream = open(peer);
        assertEquals(List.of("0 open", "0 bound", "0 connected"), log.take());
        assertEquals(0, ((Http2StreamChannel) stream).getStreamId());
        assertEquals("http", ((Http2StreamChannel) stream).getScheme());
        assertTrue(stream.isWritable() && stream.isReadable());
    }
}
