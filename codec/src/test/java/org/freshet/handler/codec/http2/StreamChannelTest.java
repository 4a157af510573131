package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;

/** What a stream's channel answers to handlers, and what it does for them besides messages. */
class StreamChannelTest {
    private static final int INITIAL_WINDOW_SIZE = 4;

    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(log::pipeline));

    private StreamChannel asked(int id) {
        peer.send(peer.request(id, false, "POST", "/"));
        return (StreamChannel) log.last();
    }

    /** Handlers that limit how slowly a peer may read don't blame a stream for waiting while others are sent. */
    @Test
    void shouldCountWhatOtherStreamsSendWhileItMaySend() {
        StreamChannel first = asked(1);
        StreamChannel second = asked(3);
        assertEquals(0, second.bytesSentByConnection());
        first.write(response(1_000));
        assertEquals(1_000, second.bytesSentByConnection());

        peer.send(setting(INITIAL_WINDOW_SIZE, 0));
        assertEquals(0, second.bytesSentByConnection(), "only its own window keeps it from sending");
        peer.send(windowUpdate(3, 1));
        assertEquals(1_000, second.bytesSentByConnection());
    }

    /** Handlers that limit how slowly a peer may send don't blame it for content that it isn't allowed to send. */
    @Test
    void shouldKnowWhetherUnreadStreamsKeepThePeerFromSending() {
        StreamLog small = new StreamLog();
        FramePeer client = FramePeer.client(new Http2ServerHandler(
                small::pipeline,
                Http2Settings.defaults().toBuilder()
                        .connectionWindowSize(65_535)
                        .maxUnreadBytes(0)
                        .build()));
        client.send(client.request(1, false, "POST", "/"), client.request(3, false, "POST", "/"));
        StreamChannel waiting = (StreamChannel) small.last();
        Channel unread = small.channels.get(0);
        unread.setReadable(false);
        for (int left = 65_535; left > 0; left -= 16_384) {
            assertFalse(waiting.isContentWithheld());
            client.send(data(1, false, "x".repeat(Math.min(left, 16_384))));
        }
        assertTrue(waiting.isContentWithheld());
        unread.setReadable(true);
        assertFalse(waiting.isContentWithheld());
    }

    @Test
    void shouldNameItsProtocol() {
        assertEquals("HTTP/2.0", asked(1).wireProtocol());
    }

    /** A proxy that has ended TLS passes the client's scheme on. CONNECT has none. */
    @Test
    void shouldHaveTheSchemeOfItsRequest() {
        peer.send(
                peer.headers(1, true, ":method", "GET", ":scheme", "https", ":authority", "example.com", ":path", "/"));
        assertEquals("https", ((StreamChannel) log.last()).getScheme());
        peer.send(peer.headers(3, false, ":method", "CONNECT", ":authority", "example.com:443"));
        assertEquals("http", ((StreamChannel) log.last()).getScheme());
    }

    @Test
    void shouldEndWithTrailers() {
        StreamChannel stream = asked(1);
        peer.send(peer.headers(1, true, "sum", "1"));
        peer.lines();
        assertTrue(stream.write(response(0)).isSuccess());
        assertSame(CloseReason.COMPLETED, stream.getCloseReason());
        assertEquals(List.of("HEADERS 1 :status=200 END"), peer.lines());
    }

    @Test
    void shouldRefuseNothingAsPriorityOrError() {
        StreamChannel stream = asked(1);
        assertThrows(NullPointerException.class, () -> stream.setPriority(null));
        assertThrows(NullPointerException.class, () -> stream.reset(null));
        assertTrue(stream.isOpen());
    }

    @Test
    void shouldRunTasksOnItsThread() {
        StreamChannel stream = asked(1);
        List<String> run = new ArrayList<>();
        ChannelFuture done = stream.getPipeline().execute(() -> run.add(stream.inIoThread() ? "inside" : "outside"));
        assertTrue(done.isSuccess());
        assertSame(stream, done.getChannel());
        stream.runLater(() -> run.add("later"));
        assertEquals(List.of("inside", "later"), run);
        ChannelFuture failed = stream.getPipeline().execute(() -> {
            throw new IllegalStateException("thrown by a test");
        });
        assertEquals("thrown by a test", failed.getCause().getMessage());
    }

    /** Whether a stream is writable follows from what waits; a handler can only stop reading. */
    @Test
    void shouldOnlyChangeWhetherItReads() {
        StreamChannel stream = asked(1);
        assertTrue(stream.setInterestOps(Channel.OP_WRITE).isSuccess());
        assertFalse(stream.isReadable());
        assertTrue(stream.isWritable());
        assertTrue(stream.setInterestOps(Channel.OP_READ_WRITE).isSuccess());
        assertTrue(stream.isReadable());
        assertTrue(stream.isWritable());
    }

    /** The connection is full, not the stream: its own limit would close it although the connection has room. */
    @Test
    void shouldHaveMarksButNoLimitOfItsOwn() {
        StreamChannel stream = asked(1);
        int high = stream.highWaterMark();
        assertTrue(high > stream.lowWaterMark() && stream.lowWaterMark() > 0);
        assertEquals(0, stream.limitBytes());
        stream.getConfig().setOption("writeBufferHighWaterMark", 3 * high);
        stream.getConfig().setOption("writeBufferLowWaterMark", 2 * high);
        assertEquals(3 * high, stream.highWaterMark());
        assertEquals(2 * high, stream.lowWaterMark());
        assertEquals(high, asked(3).highWaterMark(), "of another stream");
    }

    @Test
    void shouldBeUnwritableFromTheBeginningIfItsConnectionIs() {
        peer.channel.turnWritable(false);
        StreamChannel stream = asked(1);
        assertFalse(stream.isWritable());
        assertEquals(
                List.of("1 open", "1 bound", "1 connected", "1 interest read unwritable", "1 POST / chunked"),
                log.take());
        peer.channel.turnWritable(true);
        assertEquals(List.of("1 interest read writable"), log.take());
    }

    /** The connection's end is delayed, but it ends its streams. */
    @Test
    void shouldNotEndBeforeAConnectionThatClosesBecauseTooMuchWaits() {
        List<ChannelEvent> closes = new ArrayList<>();
        FramePeer lingering = new FramePeer(
                new SimpleChannelDownstreamHandler() {
                    @Override
                    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        closes.add(e);
                    }
                },
                new Http2ServerHandler(log::pipeline));
        lingering.send(
                Http2ServerHandler.PREFACE, frame(SETTINGS, 0, 0), setting(INITIAL_WINDOW_SIZE, 0), peer.get(1, "/"));
        Channel stream = log.last();
        HttpResponse head = response(0);
        head.setChunked(true);
        stream.write(head);
        lingering.channel.limit(1_000, WriteOverflow.CLOSE);
        stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[100])));
        ChannelFuture tooMuch = stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1_000])));
        assertInstanceOf(ClosedChannelException.class, tooMuch.getCause());
        assertTrue(stream.isOpen());
        assertEquals(1, closes.size());
        lingering.channel.getPipeline().removeFirst();
        lingering.channel.close();
        assertSame(lingering.channel.getCloseReason(), stream.getCloseReason());
        assertEquals(CloseReason.Kind.OVERFLOW, stream.getCloseReason().kind());
    }

    @Test
    void shouldEndOnceItsConnectionRefusesAPart() {
        StreamChannel stream = asked(1);
        peer.send(setting(INITIAL_WINDOW_SIZE, 0));
        HttpResponse head = response(0);
        head.setChunked(true);
        stream.write(head);
        peer.lines();
        peer.channel.limit(1_000, WriteOverflow.FAIL);
        assertFalse(stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[100])))
                .isDone());
        ChannelFuture tooMuch = stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[1_000])));
        assertInstanceOf(WriteOverflowException.class, tooMuch.getCause());
        assertFalse(stream.isOpen());
        assertEquals(CloseReason.Kind.OVERFLOW, stream.getCloseReason().kind());
        assertEquals(List.of("RST_STREAM 1 CANCEL"), peer.lines());
        assertEquals(0, WriteAccount.waitingBytes(stream));
        assertTrue(peer.channel.isOpen());
    }

    /** A late answer isn't taken for the one that the client has got. */
    @Test
    void shouldNotCountAnAnswerAfterItsEnd() {
        StreamChannel stream = asked(1);
        stream.close();
        assertInstanceOf(ClosedChannelException.class, stream.write(response(1)).getCause());
        assertTrue(stream.exchange.isAwaited());
        assertEquals(0, WriteAccount.waitingBytes(stream));
    }

    @Test
    void shouldChargeNothingForAMessageThatThrows() {
        StreamChannel stream = asked(1);
        ChannelFuture written = stream.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK) {
            @Override
            public HttpResponseStatus getStatus() {
                throw new IllegalStateException("thrown by a test");
            }
        });
        assertEquals("thrown by a test", written.getCause().getMessage());
        assertEquals(0, WriteAccount.waitingBytes(stream));
        assertTrue(stream.write(response(1)).isSuccess());
    }

    @Test
    void shouldReportNothingAfterItIsClosed() {
        StreamChannel stream = asked(1);
        peer.send(data(1, true, "x"));
        stream.write(response(1));
        assertFalse(stream.isOpen());
        log.take();
        peer.channel.turnWritable(false);
        peer.channel.turnWritable(true);
        assertEquals(List.of(), log.take());
    }
}
