package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.END_STREAM;
import static org.freshet.handler.codec.http2.FramePeer.WINDOW_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Streams that end early, one after another. Afterwards the connection has its window, its account and its stream slots
 * again, and nothing retains their channels. {@code -Dfreshet.test.aborts=100000} runs more of them, and compares the
 * heap.
 */
class Http2AbortedStreamsTest {
    private static final int STREAMS = Integer.getInteger("freshet.test.aborts", 3_000);
    private static final int WINDOW = 1024 * 1024;
    private static final byte[] CONTENT = new byte[10_000];

    /** This much per stream would be a leak. */
    private static final int LEAK_BYTES = 32;

    /** What happens to the content of a request on a server, and what ends the stream. */
    enum Abort {
        /** The client resets a request after part of its content has been read. */
        RESET_BY_CLIENT,
        /** The same, but nothing has been read. */
        RESET_UNREAD,
        /** A handler closes the stream. */
        CLOSED_BY_HANDLER,
        /** The same, but nothing has been read. */
        CLOSED_UNREAD,
        /** The handler has answered, and the client is still sending. */
        ANSWERED_EARLY,
        /** An answer is waiting for a window when the client resets. */
        RESET_WITHOUT_WINDOW,
        /** A chunked answer is waiting for a window when the handler closes. */
        CLOSED_WITHOUT_WINDOW,
        /** A malformed trailer section. */
        MALFORMED,
        /** The client resets while the connection is drained. */
        RESET_WHILE_DRAINING,
        /** A handler closes an unread stream while the connection is drained. */
        CLOSED_UNREAD_WHILE_DRAINING,
        /** The client has sent everything, and nothing has been read, when it resets. */
        RESET_WHOLE_UNREAD,
        /** The same, when the handler closes the stream. */
        CLOSED_WHOLE_UNREAD,
        /** The same, when the handler answers and never reads. */
        ANSWERED_WHOLE_UNREAD,
        /** A tunnel from which nothing is read. */
        RESET_TUNNEL_UNREAD,
        /** The same, when the handler closes it. */
        CLOSED_TUNNEL_UNREAD;

        boolean is(String part) {
            return name().contains(part);
        }
    }

    /** What happens to a response from which a client's handlers read nothing. */
    enum ClientAbort {
        RESET_BY_SERVER,
        RESET_BY_HANDLER,
        CLOSED,
        /** The response is complete. */
        CLOSED_WHOLE,
        /** The response is complete, and the server resets the request. */
        RESET_AND_CLOSED_WHOLE,
        /** The request isn't complete. */
        RESET_REQUEST_BY_SERVER
    }

    private final FakeTimer timer = new FakeTimer();
    private final Http2Settings settings = Http2Settings.defaults().toBuilder()
            .timer(timer)
            .timeouts(Http2Timeouts.defaults().withIdle(Duration.ZERO))
            .maxUnreadBytes(0)
            .abuseLimits(Http2AbuseLimits.none())
            .build();
    private final List<WeakReference<Channel>> channels = new ArrayList<>();
    private Http2ConnectionHandler handler;
    private FramePeer peer;
    private Abort abort;
    private Channel last;
    private long outstanding;

    private final class Handler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest) {
                last = e.getChannel();
                channels.add(new WeakReference<>(last));
                last.setReadable(!abort.is("UNREAD"));
                if (abort.is("WITHOUT_WINDOW")) {
                    answerInChunks();
                } else if (abort.is("TUNNEL")) {
                    last.write(response());
                }
            }
        }
    }

    private void answerInChunks() {
        HttpResponse response = response();
        response.setChunked(true);
        last.write(response);
        last.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(CONTENT)));
    }

    private void send(int id, boolean endsStream) {
        peer.send(frame(DATA, endsStream ? END_STREAM : 0, id, CONTENT));
        outstanding += CONTENT.length;
    }

    private void begin(int id) {
        if (abort.is("TUNNEL")) {
            peer.send(peer.headers(id, false, ":method", "CONNECT", ":authority", "example.com:443"));
        } else {
            peer.send(peer.request(id, false, "POST", "/"));
        }
        send(id, abort.is("WHOLE"));
    }

    private void abort(int id) {
        if (abort.is("RESET")) {
            peer.send(reset(id, Http2Error.CANCEL));
        } else if (abort.is("CLOSED")) {
            last.close();
        } else if (abort == Abort.MALFORMED) {
            peer.send(peer.headers(id, true, ":path", "/"));
        } else {
            last.write(response());
        }
        if (abort == Abort.ANSWERED_EARLY) {
            send(id, false);
            last.close();
        }
    }

    private void readAnswers() {
        for (FramePeer.Frame each : peer.frames()) {
            outstanding -= each.type() == WINDOW_UPDATE && each.streamId() == 0
                    ? each.payload().readInt()
                    : 0;
        }
        assertTrue(outstanding < WINDOW, "the window isn't restored: " + outstanding);
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingBehindOnAServer(Abort kind) throws InterruptedException {
        abort = kind;
        Http2ServerHandler server = new Http2ServerHandler(() -> Channels.pipeline(new Handler()), settings);
        handler = server;
        peer = FramePeer.client(server);
        if (kind.is("WITHOUT_WINDOW")) {
            peer.send(setting(0x4, 0));
        }
        if (kind.is("DRAINING")) {
            peer.channel.getPipeline().sendUpstream(new DrainEvent(peer.channel, () -> {}));
        }
        run(id -> {
            begin(id);
            abort(id);
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingBehindOnAClient(ClientAbort kind) throws InterruptedException {
        Http2ClientHandler client = new Http2ClientHandler(settings);
        handler = client;
        peer = FramePeer.server(client);
        Http2ClientConnection connection = Http2ClientConnection.of(peer.channel);
        boolean isRequestWhole =
                kind != ClientAbort.RESET_REQUEST_BY_SERVER && kind != ClientAbort.RESET_AND_CLOSED_WHOLE;
        run(id -> {
            last = connection
                    .open(Channels.pipeline(new SimpleChannelUpstreamHandler()))
                    .getChannel();
            channels.add(new WeakReference<>(last));
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
            request.headers().set("Host", "example.com");
            request.setChunked(!isRequestWhole);
            last.write(request);
            last.setReadable(false);
            peer.send(peer.headers(id, false, ":status", "200"));
            send(id, kind.name().endsWith("WHOLE"));
            end(kind, id);
        });
    }

    private void end(ClientAbort kind, int id) {
        switch (kind) {
            case RESET_BY_SERVER, RESET_REQUEST_BY_SERVER -> peer.send(reset(id, Http2Error.INTERNAL_ERROR));
            case RESET_BY_HANDLER -> ((Http2StreamChannel) last).reset(Http2Error.CANCEL);
            case CLOSED, CLOSED_WHOLE -> last.close();
            case RESET_AND_CLOSED_WHOLE -> {
                peer.send(reset(id, Http2Error.NO_ERROR));
                last.close();
            }
        }
    }

    private interface OneStream {
        void run(int id);
    }

    private void run(OneStream one) throws InterruptedException {
        int timeouts = timer.pendingTimeouts();
        long before = 0;
        for (int i = 0; i < STREAMS; i++) {
            if (i == STREAMS / 10) {
                before = usedBytes();
            }
            one.run(1 + 2 * i);
            readAnswers();
        }
        timer.advanceMillis(60_000);
        readAnswers();

        assertEquals(List.of(), peer.channel.takeCaught());
        assertTrue(peer.channel.isOpen());
        assertTrue(handler.connection().streams().isEmpty(), "streams are open or unread");
        assertEquals(0, handler.connection().streams().fieldOctets());
        assertEquals(0, WriteAccount.waitingBytes(peer.channel));
        assertEquals(timeouts, timer.pendingTimeouts());
        assertTrue(outstanding <= WINDOW / 2, "the window isn't restored: " + outstanding);
        assertChannelsAreGone();
        long leaked = usedBytes() - before;
        assertTrue(leaked < (long) LEAK_BYTES * STREAMS, "bytes still in use: " + leaked);
    }

    private void assertChannelsAreGone() {
        last = null;
        peer.channel.takeUpstream();
        peer.channel.takeDownstream();
        assertEquals(STREAMS, channels.size());
        Await.until(
                () -> {
                    System.gc();
                    return channels.stream().allMatch(each -> each.get() == null);
                },
                () -> "channels are still held: "
                        + channels.stream().filter(each -> each.get() != null).count());
        channels.clear();
    }

    /**
     * 0 unless there are many streams: with only a few, everything else in the test's process would outweigh a leak.
     */
    private static long usedBytes() throws InterruptedException {
        if (STREAMS < 50_000) {
            return 0;
        }
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
