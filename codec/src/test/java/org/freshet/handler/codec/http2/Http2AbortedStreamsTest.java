package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.WINDOW_UPDATE;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.reset;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Streams that end before their time, one after the other: afterwards the connection has its window, its account and its places for streams
 * again. {@code -Dfreshet.test.aborts=100000} for more of them.
 */
class Http2AbortedStreamsTest {
    private static final int STREAMS = Integer.getInteger("freshet.test.aborts", 3_000);
    private static final byte[] CONTENT = new byte[10_000];

    enum Abort {
        /** The client resets a request of which some content has been read. */
        RESET_BY_CLIENT,
        /** The same, of which nothing has been read. */
        RESET_UNREAD,
        /** A handler closes the stream. */
        CLOSED_BY_HANDLER,
        /** The same, of which nothing has been read. */
        CLOSED_UNREAD,
        /** The handler has answered, and the client still sends. */
        ANSWERED_EARLY,
        /** An answer waits for a window when the client resets. */
        RESET_WITHOUT_WINDOW,
        /** An answer in chunks waits for a window when the handler gives up. */
        CLOSED_WITHOUT_WINDOW,
        /** A malformed trailer section. */
        MALFORMED
    }

    private final FakeTimer timer = new FakeTimer();
    private final Http2ServerHandler handler = new Http2ServerHandler(
            () -> Channels.pipeline(new Handler()),
            Http2Settings.defaults().toBuilder()
                    .timer(timer)
                    .maxHeldBytes(0)
                    .abuseLimits(Http2AbuseLimits.none())
                    .build());
    private final FramePeer peer = FramePeer.client(handler);
    private Abort abort;
    private Channel last;
    private long outstanding;

    private final class Handler extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest) {
                last = e.getChannel();
                boolean reads = abort != Abort.RESET_UNREAD && abort != Abort.CLOSED_UNREAD;
                last.setReadable(reads);
                if (abort.name().endsWith("WITHOUT_WINDOW")) {
                    answerInChunks();
                }
            }
        }
    }

    private static HttpResponse response() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    }

    private void answerInChunks() {
        HttpResponse response = response();
        response.setChunked(true);
        last.write(response);
        last.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(CONTENT)));
    }

    private void abort(int id) {
        switch (abort) {
            case RESET_BY_CLIENT, RESET_UNREAD, RESET_WITHOUT_WINDOW -> peer.send(reset(id, Http2Error.CANCEL));
            case CLOSED_BY_HANDLER, CLOSED_UNREAD, CLOSED_WITHOUT_WINDOW -> last.close();
            case ANSWERED_EARLY -> {
                last.write(response());
                peer.send(frame(DATA, 0, id, CONTENT));
                outstanding += CONTENT.length;
                last.close();
            }
            case MALFORMED -> peer.send(peer.headers(id, true, ":path", "/"));
        }
    }

    private void readAnswers() {
        for (FramePeer.Frame each : peer.frames()) {
            outstanding -= each.type() == WINDOW_UPDATE && each.streamId() == 0
                    ? each.payload().readInt()
                    : 0;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingBehind(Abort kind) {
        abort = kind;
        if (kind.name().endsWith("WITHOUT_WINDOW")) {
            peer.send(setting(0x4, 0));
        }
        int timeouts = timer.pendingTimeouts();
        for (int i = 0; i < STREAMS; i++) {
            int id = 1 + 2 * i;
            peer.send(peer.request(id, false, "POST", "/"), frame(DATA, 0, id, CONTENT));
            outstanding += CONTENT.length;
            abort(id);
            readAnswers();
            assertTrue(outstanding < 1024 * 1024, "the window isn't given back: " + outstanding);
        }

        assertEquals(java.util.List.of(), peer.channel.takeCaught());
        assertTrue(peer.channel.isOpen());
        assertTrue(handler.connection().streams().isEmpty());
        assertEquals(0, handler.connection().streams().fieldOctets());
        assertEquals(0, WriteAccount.waitingBytes(peer.channel));
        assertEquals(timeouts, timer.pendingTimeouts());
        assertTrue(outstanding <= 512 * 1024, "the window isn't given back: " + outstanding);
    }
}
