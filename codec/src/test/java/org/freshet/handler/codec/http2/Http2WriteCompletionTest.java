package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
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

    @Test
    void shouldComeBeforeTheEnd() {
        peer.send(peer.get(1, "/"));
        stream.write(response(100));

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

    /** Of the answers that are sent together, some have a head only. */
    @Test
    void shouldCompleteEachAnswerOfABatch() {
        List<ChannelFuture> futures = new ArrayList<>();
        onRequest = () -> {
            HttpResponse response = response(100);
            if (futures.size() != 1) {
                response.setContent(ChannelBuffers.EMPTY_BUFFER);
            }
            futures.add(stream.write(response));
        };
        peer.send(peer.get(1, "/"), peer.get(3, "/"), peer.get(5, "/"));
        assertEquals(1, peer.channel.takeWritten().size());
        assertEquals(3, futures.stream().filter(ChannelFuture::isSuccess).count());
        assertEquals(3, events.stream().filter("closed"::equals).count());
    }

    /** The transport says why it has closed the connection, which is more than that a write failed. */
    @Test
    void shouldEndAStreamForTheReasonOfItsConnectionIfItsAnswerCouldNotBeSent() {
        peer.send(peer.get(1, "/"));
        peer.channel.holdWrites();
        ChannelFuture lost = stream.write(response(100));
        CloseReason reason = CloseReason.of(CloseReason.Kind.PEER_RESET, "planned");
        peer.channel.failWrites(new ChannelClosedException(reason));
        assertFalse(lost.isSuccess());
        assertEquals(reason, stream.getCloseReason());
        peer.send(peer.get(3, "/"));
        stream.write(response(100));
        peer.channel.failWrites(new IOException("Broken pipe"));
        assertEquals("Broken pipe", stream.getCloseReason().cause().getMessage());
    }

    /** What is dropped after the end doesn't say that the end was sent. */
    @Test
    void shouldEndTheOutputOnceTheAnswerIsSentWhateverFollows() {
        peer.send(peer.request(1, false, "POST", "/"));
        peer.channel.holdWrites();
        stream.write(response(100));
        assertTrue(stream.write(HttpChunk.LAST_CHUNK).isSuccess(), "dropped");
        ChannelFuture ended = Channels.shutdownOutput(stream);
        assertFalse(ended.isDone());
        peer.channel.completeWrites();
        assertTrue(ended.isSuccess());
    }

    @Test
    void shouldNotComeAfterACloseByAListenerOfTheWrite() {
        peer.send(peer.get(1, "/"));
        peer.channel.holdWrites();
        stream.write(response(100)).addListener(ChannelFutureListener.CLOSE);
        peer.channel.completeWrites();

        assertEquals(List.of("closed"), events);
    }

    @Test
    void shouldNotComeAfterAReset() {
        peer.send(peer.request(1, false, "POST", "/"));
        peer.channel.holdWrites();
        stream.write(response(100));
        peer.send(reset(1, Http2Error.CANCEL));
        assertFalse(stream.isOpen());

        peer.channel.completeWrites();

        assertEquals(List.of("closed"), events);
    }
}
