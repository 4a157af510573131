package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteOrder;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.HeapChannelBufferFactory;
import org.junit.jupiter.api.Test;

/** The user's buffer factory fails while requests that were received earlier are decoded. */
class HttpServerCodecBufferTest {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n";

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec());
    private final IllegalStateException failure = new IllegalStateException("the factory's");

    /** It is the answer's thread that decodes them, but not the answer that has failed. */
    @Test
    void shouldReportTheFailureAndNotFailTheAnswer() {
        server.receive(REQUEST + "\r\n" + REQUEST + "X: " + "x".repeat(2_000) + "\r\n\r\n" + REQUEST);
        server.channel.takeReceived();
        server.channel.getConfig().setBufferFactory(new HeapChannelBufferFactory() {
            @Override
            public ChannelBuffer getBuffer(ByteOrder order, int capacity) {
                throw failure;
            }
        });
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT);
        assertTrue(server.channel.write(response).isSuccess());
        assertEquals(1, server.channel.takeReceived().size(), "the second request");
        List<Throwable> caught = server.channel.takeCaught();
        assertEquals(1, caught.size());
        assertSame(failure, caught.get(0));
    }
}
