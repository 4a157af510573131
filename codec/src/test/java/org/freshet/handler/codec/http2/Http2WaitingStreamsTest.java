package org.freshet.handler.codec.http2;

import static org.freshet.channel.ChannelFutureListener.CLOSE_ON_FAILURE;
import static org.freshet.handler.codec.http2.FramePeer.GOAWAY;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.ints;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.ConnectTimeoutException;
import org.freshet.channel.DownstreamChannelStateEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client's streams that wait until the server accepts one more: their number, their time, and each way in which their wait ends. */
class Http2WaitingStreamsTest {
    private static final int MAX_CONCURRENT_STREAMS = 3;

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.server(timed());
    private final Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);

    private enum End {
        ACCEPTED(null, 2),
        CLOSED(Kind.LOCAL, 1),
        CANCELLED(Kind.LOCAL, 1),
        TIMED_OUT(Kind.CONNECT_FAILED, 1),
        REFUSED(Kind.REFUSED, 1);

        /** Null if the stream stays open. */
        final Kind reason;

        final int openStreams;

        End(Kind reason, int openStreams) {
            this.reason = reason;
            this.openStreams = openStreams;
        }
    }

    private Http2ClientHandler timed() {
        return new Http2ClientHandler(
                Http2Settings.defaults().toBuilder().timer(timer).build());
    }

    private Channel asked() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaders.Names.HOST, "example.com");
        Channel stream = connection.open(log.pipeline()).getChannel();
        stream.write(request);
        return stream;
    }

    private void end(End end, ChannelFuture waiting) {
        switch (end) {
            case ACCEPTED -> peer.send(setting(MAX_CONCURRENT_STREAMS, 2));
            case CLOSED -> waiting.getChannel().close();
            case CANCELLED -> waiting.cancel();
            case TIMED_OUT ->
                timer.advanceMillis(waiting.getChannel().getConfig().getConnectTimeoutMillis());
            case REFUSED -> peer.send(frame(GOAWAY, 0, 0, ints(1, 0)));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNoTimeOutWhenTheirWaitEnds(End end) {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        Channel first = asked();
        int timeouts = timer.pendingTimeouts();
        ChannelFuture waiting = connection.open(log.pipeline());
        assertFalse(waiting.isDone());
        waiting.addListener(CLOSE_ON_FAILURE); // does not hide the reason
        assertEquals(2, connection.getOpenStreams());
        assertEquals(timeouts + 1, timer.pendingTimeouts());

        end(end, waiting);

        assertTrue(waiting.isDone());
        assertEquals(end == End.ACCEPTED, waiting.isSuccess());
        assertEquals(timeouts, timer.pendingTimeouts());
        assertEquals(end.openStreams, connection.getOpenStreams());
        Channel stream = waiting.getChannel();
        assertEquals(end == End.ACCEPTED, stream.isOpen());
        assertEquals(
                end.reason,
                stream.getCloseReason() == null ? null : stream.getCloseReason().kind());
        assertTrue(first.isOpen());
    }

    @Test
    void shouldSayWhyAStreamIsRefusedEvenIfAListenerClosesIt() {
        connection.drain();
        Channel late = new Http2StreamChannelFactory(peer.channel).newChannel(log.pipeline());
        ChannelFuture connect = Channels.future(late);
        connect.addListener(CLOSE_ON_FAILURE);
        late.getPipeline()
                .sendDownstream(new DownstreamChannelStateEvent(
                        late, connect, ChannelState.CONNECTED, new LocalAddress("ignored")));
        assertFalse(connect.isSuccess());
        assertEquals(Kind.CONNECT_FAILED, late.getCloseReason().kind());
        assertEquals(
                "the connection accepts no more streams", late.getCloseReason().detail());
    }

    @Test
    void shouldWaitAsLongAsNeededWithoutAConnectTimeout() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 0));
        int timeouts = timer.pendingTimeouts();
        Channel stream = new Http2StreamChannelFactory(peer.channel).newChannel(log.pipeline());
        stream.getConfig().setConnectTimeoutMillis(0);
        ChannelFuture waiting = stream.connect(peer.channel.getRemoteAddress());
        assertEquals(timeouts, timer.pendingTimeouts());
        timer.advanceMillis(1_000_000);
        assertFalse(waiting.isDone());
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        assertTrue(waiting.isSuccess());
    }

    @Test
    void shouldNameTheLimitThatKeptAStreamFromOpening() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        asked();
        ChannelFuture waiting = connection.open(log.pipeline());
        waiting.getChannel().getConfig().setConnectTimeoutMillis(5_000);
        timer.advanceMillis(waiting.getChannel().getConfig().getConnectTimeoutMillis() + 10_000);
        Throwable cause = assertInstanceOf(ConnectTimeoutException.class, waiting.getCause());
        assertTrue(cause.getMessage().endsWith("its limit is 1 at a time"), cause.getMessage());
        assertEquals(cause.getMessage(), waiting.getChannel().getCloseReason().detail());
    }

    @Test
    void shouldAllEndWithTheConnection() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 2));
        List<ChannelFuture> streams = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            streams.add(connection.open(log.pipeline()));
        }
        assertEquals(5, connection.getOpenStreams());

        peer.channel.close();

        assertEquals(0, connection.getOpenStreams());
        assertEquals(0, timer.pendingTimeouts());
        for (ChannelFuture each : streams) {
            boolean wasConnected = streams.indexOf(each) < 2;
            assertEquals(wasConnected, each.isSuccess());
            assertEquals(wasConnected ? null : ClosedChannelException.class, typeOf(each.getCause()));
            assertFalse(each.getChannel().isOpen());
        }
        ChannelFuture late = connection.open(log.pipeline());
        assertInstanceOf(ClosedChannelException.class, late.getCause());
        assertEquals(Kind.CONNECT_FAILED, late.getChannel().getCloseReason().kind());
        assertEquals(0, connection.getOpenStreams());
    }

    @Test
    void shouldConnectToTheAddressOfTheirConnection() {
        List<Object> requested = new ArrayList<>();
        ChannelPipeline pipeline = log.pipeline();
        pipeline.addLast("connects", new SimpleChannelDownstreamHandler() {
            @Override
            public void connectRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
                requested.add(e.getValue());
                ctx.sendDownstream(e);
            }
        });
        assertTrue(connection.open(pipeline).isSuccess());
        assertEquals(List.of(peer.channel.getRemoteAddress()), requested);
    }

    @Test
    void shouldWaitForAConnectionThatIsNotConnectedYet() {
        MemoryChannel channel = MemoryChannel.open(new Http2ClientHandler());
        ChannelFuture early = Http2ClientConnection.of(channel).open(log.pipeline());
        assertFalse(early.isDone());
        channel.connect(peer.channel.getRemoteAddress());
        assertTrue(early.isSuccess());
        assertEquals(channel.getRemoteAddress(), early.getChannel().getRemoteAddress());
    }

    @Test
    void shouldSayThatTheirConnectionWasNotConnectedInTime() {
        MemoryChannel channel = MemoryChannel.open(timed());
        ChannelFuture early = Http2ClientConnection.of(channel).open(log.pipeline());
        timer.advanceMillis(early.getChannel().getConfig().getConnectTimeoutMillis());
        assertInstanceOf(ConnectTimeoutException.class, early.getCause());
        assertEquals(
                "the stream's connection wasn't connected within 10000 ms",
                early.getChannel().getCloseReason().detail());
        channel.close();
    }

    /** Its time is over, but the I/O thread is busy with the settings that let it connect. */
    @Test
    void shouldConnectIfTheServerAcceptsOneWhenItsTimeIsNoticed() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 0));
        ChannelFuture waiting = connection.open(log.pipeline());
        peer.channel.holdTasks();
        timer.advanceMillis(waiting.getChannel().getConfig().getConnectTimeoutMillis());
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        assertTrue(peer.channel.runTasks() > 0);
        assertTrue(waiting.isSuccess());
        assertTrue(waiting.getChannel().isOpen());
        assertEquals(1, connection.getOpenStreams());
    }

    /** Another thread has cancelled the connect just before. */
    @Test
    void shouldNotAnnounceAStreamWhoseConnectWasCancelled() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        Channel stream = connection.open(log.pipeline()).getChannel();
        stream.close();
        log.take();
        StreamChannel cancelled =
                (StreamChannel) new Http2StreamChannelFactory(peer.channel).newChannel(log.pipeline());
        ChannelFuture connect = Channels.future(cancelled, true);
        connect.cancel();
        cancelled.onConnected(connect);
        assertEquals(List.of("0 open"), log.take());
    }

    /** It needn't wait to hear that, and the stream that waits before it isn't disturbed. */
    @Test
    void shouldRefuseAChannelThatIsClosedBeforeItsConnect() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 0));
        ChannelFuture waiting = connection.open(log.pipeline());
        int timeouts = timer.pendingTimeouts();
        Channel closed = new Http2StreamChannelFactory(peer.channel).newChannel(log.pipeline());
        closed.close();
        ChannelFuture late = closed.connect(peer.channel.getRemoteAddress());
        assertInstanceOf(ClosedChannelException.class, late.getCause());
        assertEquals(timeouts, timer.pendingTimeouts());
        assertEquals(1, connection.getOpenStreams());
        assertEquals(List.of("0 open", "0 open", "0 closed"), log.take());
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        assertTrue(waiting.isSuccess());
    }

    private static Class<?> typeOf(Throwable cause) {
        return cause instanceof ClosedChannelException ? ClosedChannelException.class : null;
    }

    @Test
    void shouldKeepTheirOrderAndTheNumbersOfTheirRequests() {
        peer.send(setting(MAX_CONCURRENT_STREAMS, 1));
        Channel first = asked();
        List<ChannelFuture> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(connection.open(log.pipeline()));
        }
        waiting.get(1).getChannel().close();
        assertEquals(4, connection.getOpenStreams());
        peer.send(setting(MAX_CONCURRENT_STREAMS, 3));
        assertEquals(
                List.of(true, false, true, false),
                waiting.stream().map(ChannelFuture::isSuccess).toList());
        assertFalse(waiting.get(3).isDone());
        first.close();
        assertTrue(waiting.get(3).isSuccess());
        assertEquals(3, connection.getOpenStreams());
    }
}
