package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/**
 * An empty write, whose future reports that everything written before it was sent: {@code
 * write(EMPTY_BUFFER).addListener(CLOSE)}.
 */
class Http2EmptyContentTest {
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
            log::pipeline, Http2Settings.defaults().toBuilder().webSocket(true).build()));

    private static HttpResponse response(int length) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, length);
        return response;
    }

    @Test
    void shouldCompleteAfterTheHeadOfAMessage() {
        peer.send(peer.get(1, "/"));
        Channel stream = log.last();
        stream.write(response(10));

        ChannelFuture empty = stream.write(ChannelBuffers.EMPTY_BUFFER);

        assertTrue(empty.isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200 content-length=10"), peer.lines());
    }

    @Test
    void shouldCompleteAfterContentThatWaitsForAWindow() {
        peer.send(peer.get(1, "/"));
        Channel stream = log.last();
        stream.write(response(100_000));
        stream.write(ChannelBuffers.wrappedBuffer(new byte[70_000]));

        ChannelFuture empty = stream.write(ChannelBuffers.EMPTY_BUFFER);
        assertFalse(empty.isDone());
        peer.send(windowUpdate(0, 10_000), windowUpdate(1, 10_000));

        assertTrue(empty.isSuccess());
    }

    @Test
    void shouldCloseATunnel() {
        peer.send(peer.request(1, false, "CONNECT", "/", ":protocol", "websocket"));
        Channel stream = log.last();
        stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS));
        stream.write(ChannelBuffers.wrappedBuffer(new byte[] {'a'}));

        stream.write(ChannelBuffers.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);

        assertFalse(stream.isOpen());
        assertEquals(
                List.of("HEADERS 1 :status=200", "DATA 1 'a'", "DATA 1 '' END", "RST_STREAM 1 NO_ERROR"), peer.lines());
    }
}
