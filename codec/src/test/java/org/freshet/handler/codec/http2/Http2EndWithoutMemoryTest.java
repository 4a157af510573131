package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.RST_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.Channels;
import org.freshet.channel.DefaultChannelFuture;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Allocations;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.Recorder;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;

/** Memory runs out once while streams end. The rest of their end follows after a second. */
class Http2EndWithoutMemoryTest {
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int INITIAL_WINDOW_SIZE = 4;

    /** More than the peer's window, so that some of it waits. */
    private static final int MUCH = 200_000;

    /** Has no memory for its first completion. */
    private static final class StarvedFuture extends DefaultChannelFuture {
        private final Scarcity scarcity = new Scarcity(0);

        StarvedFuture(Channel channel) {
            super(channel, false);
        }

        @Override
        public boolean setSuccess() {
            scarcity.step();
            return super.setSuccess();
        }

        @Override
        public boolean setFailure(Throwable cause) {
            scarcity.step();
            return super.setFailure(cause);
        }
    }

    private static final class Handler extends Recorder {
        @Override
        protected void handle(ChannelHandlerContext ctx, ChannelEvent e) {}
    }

    private final List<Handler> streams = new ArrayList<>();

    /** A client that has sent requests, and takes only the beginning of each answer. There is no memory when the first one fails. */
    private FramePeer answered(int requests) throws IOException {
        FramePeer peer = FramePeer.client(new Http2ServerHandler(this::streamPipeline));
        for (int i = 0; i < requests; i++) {
            peer.send(peer.get(2 * i + 1, "/"));
            Channel stream = streams.get(i).channel();
            answer(stream, i == 0 ? new StarvedFuture(stream) : Channels.future(stream));
        }
        return peer;
    }

    private ChannelPipeline streamPipeline() {
        streams.add(new Handler());
        return Channels.pipeline(streams.get(streams.size() - 1));
    }

    private static void answer(Channel stream, ChannelFuture future) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
        stream.getPipeline().sendDownstream(new DownstreamMessageEvent(stream, future, response, null));
        assertTrue(WriteAccount.waitingBytes(stream) > 0, "the answer waits");
    }

    private static void awaitEnd(Handler stream) {
        stream.awaitClosed();
        assertTrue(stream.channel().getCloseFuture().isDone());
        assertEquals(0, WriteAccount.waitingBytes(stream.channel()));
        List<String> events = stream.events();
        assertEquals(
                List.of("disconnected", "unbound", "closed"),
                events.subList(events.indexOf("disconnected"), events.size()));
    }

    @Test
    void shouldEndAStreamThatThePeerResets() throws IOException {
        FramePeer peer = answered(2);
        peer.send(frame(RST_STREAM, 0, 1, ints(Http2Error.CANCEL.code())));
        awaitEnd(streams.get(0));
        assertTrue(peer.channel.isOpen(), "the connection goes on");
        assertTrue(streams.get(1).channel().isOpen());
    }

    @Test
    void shouldEndAllStreamsOfAConnection() throws IOException {
        FramePeer peer = answered(3);
        peer.channel.close();
        streams.forEach(Http2EndWithoutMemoryTest::awaitEnd);
    }

    private static ChannelFuture connect(Channel stream, ChannelFuture future) {
        stream.getPipeline()
                .sendDownstream(new DownstreamChannelStateEvent(
                        stream, future, ChannelState.CONNECTED, new LocalAddress("ignored")));
        assertFalse(future.isDone(), "the server accepts no stream");
        return future;
    }

    @Test
    void shouldFailAllWaitingConnects() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        peer.send(setting(MAX_CONCURRENT_STREAMS, 0));
        Http2StreamChannelFactory factory = new Http2StreamChannelFactory(peer.channel);
        Channel first = factory.newChannel(Channels.pipeline(new Handler()));
        Channel second = factory.newChannel(Channels.pipeline(new Handler()));
        ChannelFuture starved = connect(first, new StarvedFuture(first));
        ChannelFuture behind = connect(second, Channels.future(second));
        peer.channel.close();
        Await.failure(behind, "the second connect");
        Await.done(second.getCloseFuture(), "the end of its channel");
        Await.failure(starved, "the first connect");
        Await.done(first.getCloseFuture(), "the end of its channel");
    }

    /** A client that may open one stream at a time. */
    private static FramePeer clientOfOneStream() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        return peer;
    }

    @Test
    void shouldEndAStreamThatHasNoMemoryToConnect() {
        FramePeer peer = clientOfOneStream();
        Http2StreamChannelFactory factory = new Http2StreamChannelFactory(peer.channel);
        Channel first = factory.newChannel(Channels.pipeline(new Handler()));
        Channel second = factory.newChannel(Channels.pipeline(new Handler()));
        Channel third = factory.newChannel(Channels.pipeline(new Handler()));
        Await.success(first.connect(new LocalAddress("ignored")), "the first connect");
        ChannelFuture starved = connect(second, new StarvedFuture(second));
        ChannelFuture behind = connect(third, Channels.future(third));
        first.close();
        Await.failure(starved, "the second connect");
        Await.done(second.getCloseFuture(), "the end of its channel");
        Await.success(behind, "the third connect, which has its slot");
        assertTrue(peer.channel.isOpen(), "the connection goes on");
    }

    /** The first future throws. */
    @Test
    void shouldFailAllMessagesOfAStream() throws IOException {
        FramePeer peer = answered(0);
        peer.send(peer.get(1, "/"));
        Channel stream = streams.get(0).channel();
        ChannelFuture head = new StarvedFuture(stream);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
        HttpHeaders.setContentLength(response, 2 * MUCH);
        stream.getPipeline().sendDownstream(new DownstreamMessageEvent(stream, head, response, null));
        ChannelFuture rest = stream.write(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
        stream.close();
        Await.failure(rest, "the rest of the message");
        Await.failure(head, "the beginning of the message");
        awaitEnd(streams.get(0));
    }

    /** What goes on after a second, run by the test. */
    private static void endUnfinished(Channel stream) {
        ((StreamChannel) stream).connection.streams().endUnfinished();
    }

    @Test
    void shouldFailTheRestOfAStreamForTheReasonOfItsEnd() throws IOException {
        FramePeer peer = answered(0);
        peer.send(peer.get(1, "/"));
        Channel stream = streams.get(0).channel();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
        HttpHeaders.setContentLength(response, 2 * MUCH);
        stream.getPipeline()
                .sendDownstream(new DownstreamMessageEvent(stream, new StarvedFuture(stream), response, null));
        ChannelFuture rest = stream.write(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
        peer.send(frame(RST_STREAM, 0, 1, ints(Http2Error.CANCEL.code())));
        assertFalse(rest.isDone());
        assertFalse(stream.getCloseFuture().isDone());

        endUnfinished(stream);

        assertSame(stream.getCloseReason().cause(), rest.getCause());
        assertInstanceOf(Http2StreamException.class, rest.getCause());
        awaitEnd(streams.get(0));
    }

    /** The stream stays open until its answer is read, so its reason isn't final. */
    @Test
    void shouldFailTheRestOfARequestForTheReasonOfItsEndAlthoughItsAnswerIsUnread() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler());
        peer.send(setting(INITIAL_WINDOW_SIZE, 0));
        Handler handler = new Handler();
        Channel stream = Http2ClientConnection.of(peer.channel)
                .open(Channels.pipeline(handler))
                .getChannel();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        request.setChunked(true);
        stream.write(request);
        HttpChunk chunk = new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1]));
        stream.getPipeline().sendDownstream(new DownstreamMessageEvent(stream, new StarvedFuture(stream), chunk, null));
        ChannelFuture rest = stream.write(chunk);
        stream.setReadable(false);
        peer.send(peer.headers(1, true, ":status", "200"), FramePeer.reset(1, Http2Error.NO_ERROR));
        assertFalse(rest.isDone());

        endUnfinished(stream);

        assertInstanceOf(Http2StreamException.class, rest.getCause());
        assertTrue(stream.isOpen());
        stream.setReadable(true);
        awaitEnd(handler);
        assertSame(rest.getCause(), stream.getCloseReason().cause());
    }

    /** Its future has no memory to fail. */
    @Test
    void shouldChargeNothingForAMessageThatCannotEvenBeRefused() throws IOException {
        FramePeer peer = answered(0);
        peer.send(peer.get(1, "/"));
        Channel stream = streams.get(0).channel();
        Scarcity.survive(() -> stream.getPipeline()
                .sendDownstream(new DownstreamMessageEvent(
                        stream,
                        new StarvedFuture(stream),
                        ChannelBuffers.wrappedBuffer(new byte[MUCH]), // without a head
                        null)));
        assertEquals(0, WriteAccount.waitingBytes(stream));
        assertTrue(stream.isWritable());
    }

    /** A batch carries several messages; the first one's future throws when the batch was sent. */
    @Test
    void shouldCompleteAllMessagesOfABatch() throws IOException {
        FramePeer peer = answered(0);
        peer.channel.holdWrites();
        peer.send(peer.get(1, "/"), peer.get(3, "/"));
        Channel first = streams.get(0).channel();
        Channel second = streams.get(1).channel();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT);
        ChannelFuture starved = new StarvedFuture(first);
        ChannelFuture other = Channels.future(second);
        Http2ServerHandler server = peer.channel.getPipeline().get(Http2ServerHandler.class);
        server.connection()
                .execute(
                        () -> { // one unit of work, so one batch
                            first.getPipeline()
                                    .sendDownstream(new DownstreamMessageEvent(first, starved, response, null));
                            second.getPipeline()
                                    .sendDownstream(new DownstreamMessageEvent(second, other, response, null));
                        });
        peer.channel.completeWrites();
        Await.success(other, "the second answer");
        streams.forEach(Http2EndWithoutMemoryTest::awaitEnd);
    }

    /** The client is leaving, and there is no memory for the deadline of this side's goodbye when the last stream has ended. */
    @Test
    void shouldCloseAConnectionWithoutStreamsWhoseClientLeaves() throws IOException {
        Scarcity scarcity = Scarcity.later(0);
        Http2Settings settings = Http2Settings.defaults().toBuilder()
                .timer(scarcity.timer(new FakeTimer()))
                .build();
        FramePeer peer = FramePeer.client(new Http2ServerHandler(this::streamPipeline, settings));
        peer.send(peer.get(1, "/"), frame(GOAWAY, 0, 0, ints(0, Http2Error.NO_ERROR.code())));
        scarcity.begin();
        Scarcity.survive(() -> streams.get(0).channel().close());
        streams.get(0).awaitClosed();
        assertTrue(scarcity.wasReached());
        Await.done(peer.channel.getCloseFuture(), "the end of the connection");
    }

    /** In a full heap, each allocation would have the collector stop all threads before it fails. */
    @Test
    void shouldFailWaitingMessagesWithoutAllocatingForEach() throws IOException {
        int messages = 10_000;
        FramePeer peer = answered(0);
        peer.send(peer.get(1, "/"));
        Channel stream = streams.get(0).channel();
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 2 * MUCH);
        response.setContent(ChannelBuffers.wrappedBuffer(new byte[MUCH]));
        stream.write(response);
        AtomicInteger failed = new AtomicInteger();
        ChannelFutureListener countsFailures = done -> failed.incrementAndGet();
        for (int i = 0; i < messages; i++) {
            stream.write(ChannelBuffers.wrappedBuffer(new byte[] {1})).addListener(countsFailures);
        }
        long bytes = Allocations.bytesOf(() -> stream.close());
        assertEquals(messages, failed.get());
        assertTrue(bytes < 4L * messages, bytes + " bytes for " + messages + " messages");
    }
}
