package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/**
 * Memory runs out for the head of a request when its stream already has a number. The server doesn't know that stream: to
 * reset an idle stream is an error of the connection (RFC 9113 5.1), which would cost all the others.
 */
class Http2UnsentHeadTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
    private final OutOfMemoryError noMemory = new OutOfMemoryError("injected by a test");

    private StreamChannel open() {
        return (StreamChannel)
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
    }

    /** What a write does up to the head, and after its failure. */
    private void loseHead(StreamChannel stream) {
        ConnectionStreams streams = stream.connection.streams();
        assertTrue(streams.openByUs(stream));
        streams.fail(stream, noMemory);
        stream.connection.flush();
    }

    @Test
    void shouldNotResetAStreamThatTheServerDoesNotKnow() {
        StreamChannel stream = open();
        loseHead(stream);
        assertEquals(List.of(), peer.lines());
        assertEquals(CloseReason.Kind.WRITE_FAILED, stream.getCloseReason().kind());
        assertSame(noMemory, stream.getCloseReason().cause());
        assertEquals(0, stream.connection.streams().count());
    }

    /** The first use of a number closes idle streams with lower ones, so the server takes the next. */
    @Test
    void shouldLeaveTheConnectionToOtherRequests() {
        loseHead(open());
        StreamChannel next = open();
        assertTrue(next.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"))
                .isSuccess());
        assertEquals(3, next.getStreamId());
        peer.lines();
        next.close();
        assertEquals(List.of("RST_STREAM 3 CANCEL"), peer.lines());
    }
}
