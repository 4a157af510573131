package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

class Http2CloseOrderTest {
    private static void answer(Channel stream, int octets) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[octets]));
        stream.write(response);
    }

    /** What a task writes is sent by urgency at its end, whichever streams it closes meanwhile. */
    @Test
    void shouldSendTheUrgentAnswerFirstAlthoughAStreamWithoutOneIsClosed() {
        StreamLog log = new StreamLog();
        FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));
        peer.send(
                peer.request(1, true, "GET", "/large", "priority", "u=7"),
                peer.request(3, true, "GET", "/refused"),
                peer.request(5, true, "GET", "/urgent", "priority", "u=0"));
        List<Channel> streams = List.copyOf(log.channels);
        peer.lines();
        log.reaction = (channel, message) -> {
            if (message instanceof HttpRequest) {
                answer(streams.get(0), 60_000);
                streams.get(1).close();
                answer(streams.get(2), 30_000);
            }
        };
        peer.send(peer.get(7, "/"));
        List<String> urgency = peer.lines().stream()
                .filter(line -> line.startsWith("DATA"))
                .map(line -> line.split(" ")[1])
                .distinct()
                .toList();
        assertEquals(List.of("5", "1"), urgency);
        peer.channel.close();
    }
}
