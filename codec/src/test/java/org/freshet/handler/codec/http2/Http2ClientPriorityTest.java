package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a client signals which answers are urgent (RFC 9218): in the request, and while the answer is being received. */
class Http2ClientPriorityTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.server(new Http2ClientHandler());
    private final Http2StreamChannel stream = (Http2StreamChannel)
            Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();

    private static HttpRequest request() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set("Host", "example.com");
        return request;
    }

    private String head() {
        return peer.lines().get(0).replaceFirst(".* :path=/ ?", "");
    }

    @Test
    void shouldSendNoPriorityByDefault() {
        stream.write(request());

        assertEquals("END", head());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | false | u=0", "7 | true | u=7, i", "3 | false | u=3", "3 | true | u=3, i"})
    void shouldSendThePriorityInTheRequest(int urgency, boolean isIncremental, String field) {
        stream.setPriority(new Http2Priority(urgency, isIncremental));
        stream.write(request());

        assertEquals("priority=" + field + " END", head());
        assertEquals(new Http2Priority(urgency, isIncremental), Http2Priority.parse(field));
    }

    @Test
    void shouldNotReplaceAPriorityInTheRequest() {
        HttpRequest request = request();
        request.headers().set("Priority", "u=1");
        stream.setPriority(new Http2Priority(5, true));
        stream.write(request);

        assertEquals("priority=u=1 END", head());
    }

    @Test
    void shouldUpdateThePriorityAfterTheRequest() {
        stream.write(request());
        peer.frames();
        stream.setPriority(new Http2Priority(6, true));

        List<FramePeer.Frame> frames = peer.frames();
        assertEquals(1, frames.size());
        FramePeer.Frame update = frames.get(0);
        assertEquals(FramePeer.PRIORITY_UPDATE, update.type());
        assertEquals(0, update.streamId());
        assertEquals(1, update.payload().readInt());
        assertEquals("u=6, i", update.payload().toString(US_ASCII));
    }

    @Test
    void shouldNotUpdateAnEndedStream() {
        stream.write(request());
        peer.send(peer.headers(1, true, ":status", "200"));
        peer.frames();

        stream.setPriority(new Http2Priority(6, true));

        assertTrue(peer.frames().isEmpty());
    }

    /** A server decides itself which stream goes first, and must not tell its client. */
    @Test
    void shouldNotBeSentByAServer() {
        StreamLog served = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(served::pipeline));
        client.send(client.request(1, false, "POST", "/"));
        client.frames();
        ((Http2StreamChannel) served.last()).setPriority(new Http2Priority(6, true));
        assertTrue(client.frames().isEmpty());
    }

    /** Both sides are Freshet. */
    @Test
    void shouldBeUnderstoodByAServer() {
        StreamLog served = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(served::pipeline));
        client.send(client.get(1, "/", "priority", "u=3"));
        stream.write(request());
        peer.frames();
        stream.setPriority(new Http2Priority(2, true));
        FramePeer.Frame update = peer.frames().get(0);
        byte[] payload = new byte[update.payload().readableBytes()];
        update.payload().readBytes(payload);

        client.send(FramePeer.frame(FramePeer.PRIORITY_UPDATE, 0, 0, payload));

        assertEquals(new Http2Priority(2, true), ((Http2StreamChannel) served.last()).getPriority());
    }
}
