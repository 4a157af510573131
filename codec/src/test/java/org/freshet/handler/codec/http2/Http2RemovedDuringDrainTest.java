package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.internal.drain.ChannelDrain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The handler leaves the pipeline of a channel that is being drained: its streams end, and the drain doesn't wait for them. */
class Http2RemovedDuringDrainTest {
    private final StreamLog log = new StreamLog();
    private final Http2ServerHandler handler = new Http2ServerHandler(log::pipeline);

    private static ChannelDrain drain(Channel channel) {
        return ChannelDrain.start(channel, TimeUnit.DAYS.toNanos(1), Runnable::run);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndTheDrainOfAServerWithItsStreams(boolean hasConfirmed) {
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.get(1, "/"));
        ChannelDrain drain = drain(peer.channel);
        if (hasConfirmed) {
            peer.send(frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}));
        }
        assertFalse(drain.ended().isDone());
        peer.channel.getPipeline().remove(handler);
        assertFalse(log.last().isOpen());
        assertTrue(drain.ended().isDone());
        assertFalse(peer.channel.isOpen());
        assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
        assertTrue(drain.ended().join().holds().get(0).endsWith("(Http2ServerHandler): streams"));
    }

    /** The rest of the request is not needed for that. */
    @Test
    void shouldNotReportAnAnsweredRequestAsLost() {
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.request(1, false, "POST", "/"));
        ChannelDrain drain = drain(peer.channel);
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertFalse(drain.ended().isDone());
        peer.channel.getPipeline().remove(handler);
        assertEquals(ChannelDrain.Outcome.FINISHED, drain.ended().join().outcome());
    }

    /** The streams end before the channel is closed, and nothing answers them. */
    @Test
    void shouldReportRequestsAsLostIfTheConnectionEnds() {
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.get(1, "/"));
        ChannelDrain drain = drain(peer.channel);
        peer.send(frame(PING, 0, 1, new byte[8])); // of a stream, which is an error
        peer.channel.close();
        assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
    }

    @Test
    void shouldEndTheDrainOfAClientWithItsStreams() {
        Http2ClientHandler client = new Http2ClientHandler();
        FramePeer peer = FramePeer.server(client);
        Channel stream = peer.ask(log.pipeline());
        ChannelDrain drain = drain(peer.channel);
        assertFalse(drain.ended().isDone());
        peer.channel.getPipeline().remove(client);
        assertFalse(stream.isOpen());
        assertTrue(drain.ended().isDone());
        assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
    }

    /** Another handler has work of its own. */
    @Test
    void shouldLeaveTheHoldsOfOthers() {
        DrainEvent.Hold[] other = new DrainEvent.Hold[1];
        FramePeer peer = FramePeer.client(handler);
        peer.channel.getPipeline().addFirst("other", new SimpleChannelUpstreamHandler() {
            @Override
            public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
                if (e instanceof DrainEvent event) {
                    other[0] = event.hold(ctx, "work");
                }
                super.handleUpstream(ctx, e);
            }
        });
        peer.send(peer.get(1, "/"));
        ChannelDrain drain = drain(peer.channel);
        peer.channel.getPipeline().remove(handler);
        assertFalse(drain.ended().isDone());
        other[0].release();
        assertTrue(drain.ended().isDone());
    }

    /** What the peer closed away stays lost, although the handler is removed afterwards. */
    @Test
    void shouldStillReportWhatThePeerHasCut() {
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.get(1, "/"));
        ChannelDrain drain = drain(peer.channel);
        peer.channel.close();
        peer.channel.getPipeline().remove(handler);
        assertTrue(drain.ended().isDone());
        assertEquals(ChannelDrain.Outcome.LOST, drain.ended().join().outcome());
    }
}
