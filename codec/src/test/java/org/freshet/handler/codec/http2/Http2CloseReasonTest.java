package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.CloseReason.Kind;
import org.junit.jupiter.api.Test;

/** The reason why a stream's channel is closed. */
class Http2CloseReasonTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    private Channel stream() {
        peer.send(peer.get(1, "/"));
        assertNull(log.last().getCloseReason());
        return log.last();
    }

    @Test
    void shouldBeCompletedWhenTheRequestIsAnswered() {
        Channel stream = stream();
        stream.write(response());
        assertSame(CloseReason.COMPLETED, stream.getCloseReason());
    }

    @Test
    void shouldBePeerResetWithTheErrorOfTheFrame() {
        Channel stream = stream();
        peer.send(reset(1, Http2Error.CANCEL));
        assertEquals(
                "PEER_RESET: the peer reset the connection"
                        + " (org.freshet.handler.codec.http2.Http2StreamException: the peer has reset the stream: CANCEL)",
                stream.getCloseReason().toString());
        Http2StreamException cause =
                (Http2StreamException) stream.getCloseReason().cause();
        assertEquals(Http2Error.CANCEL, cause.error());
        assertEquals(1, cause.streamId());
        ChannelClosedException late =
                (ChannelClosedException) stream.write(response()).getCause();
        assertSame(stream.getCloseReason(), late.getReason());
    }

    @Test
    void shouldBeLocalWhenAHandlerClosesOrResets() {
        Channel closed = stream();
        closed.close();
        assertSame(CloseReason.LOCAL, closed.getCloseReason());
        peer.send(peer.get(3, "/"));
        ((Http2StreamChannel) log.last()).reset(Http2Error.INTERNAL_ERROR);
        assertEquals(Kind.LOCAL, log.last().getCloseReason().kind());
        assertEquals("reset with INTERNAL_ERROR", log.last().getCloseReason().detail());
    }

    @Test
    void shouldBeTheReasonGivenByAHandler() {
        CloseReason chosen = CloseReason.of(Kind.DRAINED, "by the test");
        Channel stream = stream();
        stream.close(chosen);
        assertSame(chosen, stream.getCloseReason());
    }

    @Test
    void shouldBeProtocolWhenThePeerBreaksARuleOfTheStream() {
        Channel stream = stream();
        peer.send(windowUpdate(1, Integer.MAX_VALUE));
        assertEquals(Kind.PROTOCOL, stream.getCloseReason().kind());
        assertNull(peer.channel.getCloseReason());
    }

    @Test
    void shouldBeProtocolForAllWhenThePeerBreaksARuleOfTheConnection() {
        Channel stream = stream();
        peer.send(windowUpdate(0, 0));
        assertEquals(Kind.PROTOCOL, stream.getCloseReason().kind());
        assertEquals(Kind.PROTOCOL, peer.channel.getCloseReason().kind());
    }

    @Test
    void shouldBeTheReasonOfTheConnection() {
        Channel stream = stream();
        CloseReason chosen = CloseReason.of(Kind.SHUTDOWN, "by the test");
        peer.channel.close(chosen);
        assertSame(chosen, stream.getCloseReason());
    }
}
