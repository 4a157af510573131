package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.DuplicatedChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultChannelPipeline;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.MemoryChannelFactory;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/**
 * Something throws in the middle of a connection's work: a user's clock, or anything for lack of memory. The connection goes
 * on without a gap, or closes and says why.
 */
class Http2FaultsTest {
    private static final int MANY_STEPS = 20;
    private static final InetSocketAddress SERVER = new InetSocketAddress("127.0.0.1", 1);

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();

    /** Thrown by the connection's clock, once. */
    private Error ofClock;

    private long now() {
        if (ofClock != null) {
            Error thrown = ofClock;
            ofClock = null;
            throw thrown;
        }
        return timer.nanos();
    }

    private Http2ServerHandler server() {
        return new Http2ServerHandler(
                log::pipeline,
                Http2Settings.defaults().toBuilder()
                        .timer(timer)
                        .nanoClock(this::now)
                        .build());
    }

    /** The rest of the read is lost, and the peer would count on it. */
    @Test
    void shouldEndWithTheFaultThatAFrameMetAndLeaveTheRestOfTheReadOut() {
        FramePeer peer = FramePeer.client(server());
        peer.send(peer.get(1, "/"));
        ofClock = new AssertionError("of a clock");
        Error fault = ofClock;
        peer.send(reset(1, Http2Error.CANCEL), peer.get(3, "/"));
        assertEquals(List.of("GOAWAY 1 INTERNAL_ERROR"), peer.lines());
        assertFalse(peer.channel.isOpen());
        List<Throwable> caught = peer.channel.takeCaught();
        assertEquals(1, caught.size());
        assertSame(fault, caught.get(0).getCause());
        assertEquals(1, log.channels.size());
        assertFalse(log.last().isOpen());
    }

    /** Without memory, not even the fault can be reported: it doesn't wait for the client to close. */
    @Test
    void shouldCloseRightAwayIfTheFaultCannotBeReported() {
        DefaultChannelPipeline pipeline = new DefaultChannelPipeline() {
            @Override
            protected void notifyHandlerException(ChannelEvent e, Throwable t) {
                throw new OutOfMemoryError("injected by a test");
            }
        };
        pipeline.addLast("http2", server());
        pipeline.addLast("application", new SimpleChannelUpstreamHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                throw new IllegalStateException("no report");
            }
        });
        MemoryChannel channel = (MemoryChannel) new MemoryChannelFactory().newChannel(pipeline);
        channel.connect(SERVER);
        FramePeer requests = new FramePeer(new SimpleChannelUpstreamHandler());
        channel.receive(ChannelBuffers.wrappedBuffer(
                Http2ServerHandler.PREFACE, frame(FramePeer.SETTINGS, 0, 0), requests.get(1, "/")));
        ofClock = new OutOfMemoryError("injected by a test");
        Scarcity.survive(() -> channel.receive(ChannelBuffers.wrappedBuffer(reset(1, Http2Error.CANCEL))));
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** Otherwise nothing would limit how long it waits for a silent peer, and its streams would never open. */
    @Test
    void shouldCloseAConnectionThatHasNoMemoryToBegin() {
        int closed = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            Scarcity scarcity = new Scarcity(steps);
            MemoryChannel channel = MemoryChannel.open(new Http2ClientHandler(Http2Settings.defaults().toBuilder()
                    .timer(scarcity.timer(timer))
                    .build()));
            Http2ClientConnection connection = Http2ClientConnection.of(channel);
            scarcity.end();
            ChannelFuture stream = connection.open(log.pipeline());
            scarcity.begin();
            Scarcity.survive(() -> channel.connect(SERVER));
            wasReached = scarcity.wasReached();
            assertTrue(stream.isDone());
            assertEquals(channel.isOpen(), stream.isSuccess(), "after " + steps + " steps");
            assertTrue(wasReached || channel.isOpen());
            closed += channel.isOpen() ? 0 : 1;
            channel.close();
            assertEquals(0, timer.pendingTimeouts());
        }
        assertTrue(!wasReached && closed > 0, "closed: " + closed);
    }

    /** The peer hears of the stream's end, and the next stream's answer is sent as usual. */
    @Test
    void shouldResetAStreamWhoseWriteMeetsAFault() {
        int resets = 0;
        boolean wasReached = true;
        for (int steps = 0; wasReached && steps < MANY_STEPS; steps++) {
            FramePeer peer = FramePeer.client(server());
            peer.send(peer.get(1, "/"), peer.get(3, "/"));
            Channel stream = log.channels.get(log.channels.size() - 2);
            Scarcity scarcity = new Scarcity(steps);
            Scarcity.survive(() -> stream.getPipeline().sendDownstream(scarcity.write(stream, response())));
            wasReached = scarcity.wasReached();
            List<String> lines = peer.lines();
            if (!stream.isOpen() && wasReached) {
                assertEquals(List.of("RST_STREAM 1 CANCEL"), lines, "after " + steps + " steps");
                assertEquals(
                        CloseReason.Kind.WRITE_FAILED, stream.getCloseReason().kind());
                resets++;
            }
            assertEquals(0, WriteAccount.waitingBytes(stream), "after " + steps + " steps");
            assertTrue(log.last().write(response()).isSuccess());
            assertEquals(List.of("HEADERS 3 :status=200 END"), peer.lines(), "after " + steps + " steps");
        }
        assertTrue(!wasReached && resets > 0, "resets: " + resets);
    }

    /** What follows the cut frame would be taken for the rest of it. Nothing else happens on the connection. */
    @Test
    void shouldCloseSoonAfterAFrameWasCut() {
        FramePeer peer = FramePeer.client(server());
        peer.send(peer.get(1, "/"));
        Scarcity scarcity = new Scarcity(0);
        HttpResponse response = response();
        response.setContent(new DuplicatedChannelBuffer(ChannelBuffers.wrappedBuffer(new byte[10])) {
            @Override
            public void getBytes(int index, byte[] target, int from, int length) {
                scarcity.step();
                super.getBytes(index, target, from, length);
            }
        });
        log.last().write(response);
        assertTrue(scarcity.wasReached() && peer.channel.isOpen());
        Await.done(peer.channel.getCloseFuture(), "the end of the connection");
        assertEquals(List.of(), peer.channel.takeWritten());
    }
}
