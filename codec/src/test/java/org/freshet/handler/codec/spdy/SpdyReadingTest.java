package org.freshet.handler.codec.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.UpstreamChannelStateEvent;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.Test;

/** Handlers above a session that suspend reading. */
class SpdyReadingTest {
    private static SpdySynStreamFrame syn(int id) {
        SpdySynStreamFrame frame = new DefaultSpdySynStreamFrame(id, 0, (byte) 0);
        frame.headers().add("name", "value");
        return frame;
    }

    private static SpdyDataFrame data(int id, int length, boolean last) {
        SpdyDataFrame frame = new DefaultSpdyDataFrame(id);
        frame.setData(ChannelBuffers.wrappedBuffer(new byte[length]));
        frame.setLast(last);
        return frame;
    }

    private static MemoryChannel session() {
        return MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, true));
    }

    private static long windowUpdates(MemoryChannel session) {
        return session.takeWritten().stream()
                .filter(SpdyWindowUpdateFrame.class::isInstance)
                .count();
    }

    @Test
    void shouldGetNoFramesUntilTheyReadAgain() {
        MemoryChannel session = session();
        session.setReadable(false);
        assertTrue(session.isReadable(), "the channel is read for the session");
        List<Object> sent = List.of(syn(1), data(1, 10, false), new DefaultSpdyRstStreamFrame(1, 5));
        sent.forEach(session::receive);
        assertEquals(List.of(), session.takeReceived());
        session.setReadable(true);
        assertEquals(sent, session.takeReceived());
        session.receive(syn(3));
        assertEquals(1, session.takeReceived().size());
    }

    @Test
    void shouldGetReceivedFramesIfThePeerClosesAfterTheirClose() {
        MemoryChannel session = MemoryChannel.connected(new SpdySessionHandler(SpdyVersion.SPDY_3_1, false));
        session.setReadable(false);
        session.write(syn(1));
        session.close();
        SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
        session.receive(reply);
        session.receive(data(1, 10, true));
        assertEquals(List.of(), session.takeReceived());
        session.getPipeline().sendUpstream(new UpstreamChannelStateEvent(session, ChannelState.CONNECTED, null));
        assertEquals(2, session.takeReceived().size());
    }

    @Test
    void shouldGetNoMoreDataThanTheWindowsAllowMeanwhile() {
        MemoryChannel session = session();
        session.receive(syn(1));
        session.setReadable(false);
        session.takeWritten();
        session.receive(data(1, 40_000, false));
        assertEquals(0, windowUpdates(session));
        session.setReadable(true);
        assertEquals(2, windowUpdates(session));
        session.receive(data(1, 65_536, false));
        assertTrue(session.isOpen());
    }

    @Test
    void shouldStopReadingTheChannelWhenTooManyFramesWait() {
        MemoryChannel session = session();
        session.receive(syn(1));
        session.setReadable(false);
        for (int i = 0; i < SpdyInbox.MAX_HELD; i++) {
            assertTrue(session.isReadable());
            session.receive(new DefaultSpdyHeadersFrame(1));
        }
        assertFalse(session.isReadable());
        session.setReadable(true);
        assertTrue(session.isReadable());
        assertEquals(1 + SpdyInbox.MAX_HELD, session.takeReceived().size());
    }

    @Test
    void shouldGetOneFrameForEachTimeTheyReadIfTheyStopAgain() {
        List<Object> got = new ArrayList<>();
        MemoryChannel session = MemoryChannel.connected(
                new SpdySessionHandler(SpdyVersion.SPDY_3_1, true), new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        got.add(e.getMessage());
                        e.getChannel().setReadable(false);
                    }
                });
        for (int id = 1; id <= 5; id += 2) {
            session.receive(syn(id));
        }
        assertEquals(1, got.size());
        session.setReadable(true);
        assertEquals(2, got.size());
        session.setReadable(true);
        assertEquals(3, got.size());
    }

    @Test
    void shouldGetEverythingThePeerSentBeforeItsEnd() {
        MemoryChannel session = session();
        session.setReadable(false);
        session.receive(syn(1));
        session.getPipeline().sendUpstream(new InputShutdownEvent(session));
        assertEquals(1, session.takeReceived().size());
    }

    /** A handler that reads after its answer has been sent, over a session whose window is smaller than the answer. */
    @Test
    void shouldNotKeepWindowsFromOpening() throws Exception {
        int pieces = 20;
        int pieceBytes = 16 * 1024;
        AtomicLong received = new AtomicLong();
        CompletableFuture<ChannelFuture> answered = new CompletableFuture<>();
        try (Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory())) {
            rig.server()
                    .setPipelineFactory(() -> Channels.pipeline(
                            new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                            new SpdySessionHandler(SpdyVersion.SPDY_3_1, true),
                            new SimpleChannelUpstreamHandler() {
                                @Override
                                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                                    Channel session = e.getChannel();
                                    session.setReadable(false);
                                    SpdySynReplyFrame reply = new DefaultSpdySynReplyFrame(1);
                                    reply.headers().add("name", "value");
                                    session.write(reply);
                                    for (int i = 1; i < pieces; i++) {
                                        session.write(data(1, pieceBytes, false));
                                    }
                                    answered.complete(session.write(data(1, pieceBytes, true)));
                                }
                            }));
            Channel server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Channel peer = rig.connect(
                    server.getLocalAddress(),
                    new SpdyFrameCodec(SpdyVersion.SPDY_3_1),
                    new SpdySessionHandler(SpdyVersion.SPDY_3_1, false),
                    new SimpleChannelUpstreamHandler() {
                        @Override
                        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                            if (e.getMessage() instanceof SpdyDataFrame frame) {
                                received.addAndGet(frame.getData().readableBytes());
                            }
                        }

                        @Override
                        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
                    });
            SpdySynStreamFrame request = syn(1);
            request.setLast(true);
            peer.write(request);
            Await.success(Await.result(answered, "the answer"), "the answer");
            Await.until(() -> received.get() == (long) pieces * pieceBytes, () -> received + " bytes");
        }
    }
}
