package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The user's timer takes no time-outs, because it is stopped or full: the connection works, and its limits hold. */
class Http2RefusedTimesTest {
    private final FakeTimer stopped = new FakeTimer();
    private final StreamLog log = new StreamLog();

    @BeforeEach
    void stop() {
        stopped.stop();
    }

    private Http2Settings settings(Http2Timeouts times) {
        return Http2Settings.defaults().toBuilder()
                .timer(stopped)
                .timeouts(times)
                .build();
    }

    @Test
    void shouldConnectTheStreamsOfAClient() {
        FramePeer peer = new FramePeer(new Http2ClientHandler(settings(Http2Timeouts.defaults())));
        peer.send(frame(SETTINGS, 0, 0), frame(SETTINGS, ACK, 0));
        ChannelFuture stream = Http2ClientConnection.of(peer.channel).open(log.pipeline());
        assertTrue(stream.isSuccess(), stream::toString);
        assertEquals(List.of(), peer.channel.takeCaught());
        peer.channel.close();
    }

    @Test
    void shouldCloseAnIdleConnection() {
        Http2Timeouts times = Http2Timeouts.defaults().withIdle(Duration.ofMillis(20));
        FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline, settings(times)));
        Await.success(peer.channel.getCloseFuture(), "the close");
        assertEquals(List.of(), peer.channel.takeCaught());
    }
}
