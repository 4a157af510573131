package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/** When a stream's handlers are notified that data was sent: never after the channel is closed. */
class Http2WriteCompletionTest {
    private final List<String> events = new ArrayList<>();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(() -> Channels.pipeline(new Recorder())));
    private Channel stream;
    private Runnable onRequest = () -> {};

    private final class Recorder extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            stream = e.getChannel();
            onRequest.run();
        }

        @Override
        public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
            events.add("written " + e.getWrittenAmount());
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            events.add("closed");
        }
    }

    private static HttpResponse response() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[100]));
        return response;
    }

    @Test
    void shouldComeBeforeTheEnd() {
        peer.send(peer.get(1, "/"));
        stream.write(response());

        assertEquals(List.of("written 100", "closed"), events);
    }

    @Test
    void shouldComeOnceForMessagesSentTogether() {
        List<ChannelFuture> futures = new ArrayList<>();
        onRequest = () -> {
            HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.setChunked(true);
            stream.write(head);
            for (int length = 1; length <= 3; length++) {
                futures.add(stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[length]))));
            }
        };
        peer.send(peer.get(1, "/"));

        assertEquals(List.of("written 6"), events);
        assertTrue(futures.stream().allMatch(ChannelFuture::isSuccess));
    }

    @Test
    void shouldNotComeAfterACloseByAListenerOfTheWrite() {
        peer.send(peer.get(1, "/"));
        peer.channel.holdWrites();
        stream.write(response()).addListener(ChannelFutureListener.CLOSE);
        peer.channel.completeWrites();

        assertEquals(List.of("closed"), events);
    }

    @Test
    void shouldNotComeAfterAReset() {
        peer.send(peer.request(1, false, "POST", "/"));
        peer.channel.holdWrites();
        stream.write(response());
        peer.send(reset(1, Http2Error.CANCEL));
        assertFalse(stream.isOpen());

        peer.channel.completeWrites();

        assertEquals(List.of("closed"), events);
    }
}
