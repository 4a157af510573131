package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http2.FramePeer.data;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handlers and listeners that act on a connection's streams while one of these ends. */
class Http2EndingStreamsTest {
    private static final int MAX_CONCURRENT_STREAMS = 3;
    private static final int INITIAL_WINDOW_SIZE = 4;

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
            this::pipeline,
            Http2Settings.defaults().toBuilder()
                    .timer(timer)
                    .timeouts(Http2Timeouts.defaults().withIdle(Duration.ZERO))
                    .build()));

    /** Runs when a stream has ended, before anything else. */
    private Runnable onClosed = () -> {};

    private boolean closesAfterFailure;

    private ChannelPipeline pipeline() {
        ChannelPipeline pipeline = log.pipeline();
        pipeline.addFirst("ends", new SimpleChannelUpstreamHandler() {
            @Override
            public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
                Runnable action = onClosed;
                onClosed = () -> {};
                action.run();
                ctx.sendUpstream(e);
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                if (closesAfterFailure) {
                    ctx.getChannel().close();
                }
                ctx.sendUpstream(e);
            }
        });
        return pipeline;
    }

    private static ChannelBuffer bytes(String latin1) {
        return ChannelBuffers.copiedBuffer(latin1, ISO_8859_1);
    }

    private List<String> frames() {
        return peer.lines().stream()
                .filter(line -> !line.startsWith("SETTINGS"))
                .toList();
    }

    @Test
    void shouldSendNothingOfAStreamWhosePriorityChangesWhileItEnds() {
        peer.send(peer.get(1, "/"));
        peer.channel.turnWritable(false);
        Http2StreamChannel stream = (Http2StreamChannel) log.last();
        HttpResponse response = response("ab");
        HttpHeaders.setContentLength(response, 4);
        stream.write(response).addListener(failed -> stream.setPriority(new Http2Priority(0, false)));
        ChannelFuture rest = stream.write(bytes("cd"));
        frames();

        stream.close();
        peer.channel.turnWritable(true);

        assertEquals(List.of("RST_STREAM 1 CANCEL"), frames());
        assertFalse(rest.isSuccess());
    }

    /** The stream was scheduled while its window was open. */
    @Test
    void shouldSendNothingOfAStreamWhoseWindowClosesWhileItWaits() {
        peer.send(peer.get(1, "/"), peer.get(3, "/"));
        peer.channel.turnWritable(false);
        log.channels.forEach(stream -> stream.write(response("abc")));
        peer.send(setting(INITIAL_WINDOW_SIZE, 0), FramePeer.windowUpdate(3, 2));
        frames();

        peer.channel.turnWritable(true);

        assertEquals(List.of("DATA 3 'ab'"), frames());
        peer.send(setting(INITIAL_WINDOW_SIZE, 1));
        assertEquals(List.of("DATA 1 'a'", "DATA 3 'c' END"), frames());
    }

    @Test
    void shouldConnectTheNextStreamIfTheOneBeforeItIsEnding() {
        FramePeer server = FramePeer.server(new Http2ClientHandler(
                Http2Settings.defaults().toBuilder().timer(timer).build()));
        server.send(setting(MAX_CONCURRENT_STREAMS, 1));
        Http2ClientConnection connection = Http2ClientConnection.of(server.channel);
        Channel connected = connection.open(pipeline()).getChannel();
        int timeouts = timer.pendingTimeouts();
        ChannelFuture ending = connection.open(pipeline());
        ChannelFuture next = connection.open(pipeline());
        onClosed = connected::close;

        ending.getChannel().close();

        assertTrue(ending.isDone() && !ending.isSuccess());
        assertTrue(next.isSuccess());
        assertEquals(1, connection.getOpenStreams());
        assertEquals(timeouts, timer.pendingTimeouts());
    }

    /** The reset comes from the handler's close. */
    @Test
    void shouldResetOnceIfAHandlerClosesAStreamThatIsGivenUp() {
        closesAfterFailure = true;
        peer.send(setting(INITIAL_WINDOW_SIZE, 0), peer.get(1, "/"));
        ChannelFuture written = log.last().write(response("abc"));
        frames();

        timer.advanceMillis(60_000);

        assertEquals(List.of("RST_STREAM 1 CANCEL"), frames());
        assertFalse(written.isSuccess());
        assertTrue(peer.channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, log.last().getCloseReason().kind());
        assertEquals(
                1,
                log.take().stream()
                        .filter(line -> line.contains("the peer's windows allowed less than 1024 octets in 30000 ms"))
                        .count());
    }

    /** The handler closes because of the failure, so that is why the stream has ended. */
    @Test
    void shouldNameTheFailureEvenIfAHandlerClosesThen(@TempDir Path directory) throws IOException {
        closesAfterFailure = true;
        peer.send(peer.get(1, "/"), FramePeer.windowUpdate(1, Integer.MAX_VALUE));
        assertEquals(CloseReason.Kind.PROTOCOL, log.last().getCloseReason().kind());
        peer.send(peer.get(3, "/"));
        HttpResponse response = response("");
        HttpHeaders.setContentLength(response, 4);
        log.last().write(response);
        FileChannel empty = FileChannel.open(Files.createFile(directory.resolve("empty")));
        log.last().write(new DefaultFileRegion(empty, 0, 4, true));
        assertEquals(CloseReason.Kind.WRITE_FAILED, log.last().getCloseReason().kind());
        assertFalse(empty.isOpen());
    }

    /** Like a socket: its end is sent after the close, which waits for no peer that doesn't read. */
    @Test
    void shouldCloseATunnelWhoseEndIsNotSentYet() {
        peer.send(peer.headers(1, false, ":method", "CONNECT", ":authority", "example.com:443"));
        Channel tunnel = log.last();
        tunnel.write(response(""));
        peer.send(data(1, true, "bye"));
        frames();
        peer.channel.holdWrites();

        assertTrue(tunnel.close().isSuccess());

        assertEquals(CloseReason.LOCAL, tunnel.getCloseReason());
        assertEquals(List.of("DATA 1 '' END"), frames());
        peer.channel.completeWrites();
        assertEquals(CloseReason.LOCAL, tunnel.getCloseReason());
    }

    /** Both have been answered, and nothing more of them is read. */
    @Test
    void shouldDropUnreadStreamsOfWhichOneClosesTheOther() {
        log.reaction = (channel, message) -> channel.setReadable(!(message instanceof HttpRequest));
        for (int id = 1; id < 5; id += 2) {
            peer.send(peer.request(id, false, "POST", "/"), data(id, true, "x"));
            log.last().write(response(""));
        }
        Channel first = log.channels.get(0);
        Channel second = log.channels.get(1);
        assertTrue(first.isOpen() && second.isOpen());
        onClosed = second::close;

        timer.advanceMillis(60_000);

        assertFalse(first.isOpen() || second.isOpen());
        assertTrue(peer.channel.isOpen());
        assertEquals(List.of(), peer.channel.takeCaught());
    }

    /** The rest of a message that was passed on in several parts. */
    @Test
    void shouldPassOnNothingAfterAHandlerHasClosed() {
        log.reaction = (channel, message) -> channel.close();
        peer.send(peer.request(1, false, "POST", "/", "content-length", "1"), data(1, false, "x"));
        log.take();
        peer.send(peer.headers(1, true, "check", "1"));
        assertEquals(List.of("1 POST / chunked", "1 disconnected", "1 unbound", "1 closed"), log.take());
    }

    /** As in Netty 3, where any chunk without content is the last one. */
    @Test
    void shouldEndWithAnEmptyChunk() {
        peer.send(peer.get(1, "/"));
        HttpResponse response = response("");
        response.setChunked(true);
        log.last().write(response);
        assertTrue(log.last().write(new DefaultHttpChunk(bytes("x"))).isSuccess());
        assertTrue(log.last()
                .write(new DefaultHttpChunk(ChannelBuffers.EMPTY_BUFFER))
                .isSuccess());
        assertEquals(List.of("HEADERS 1 :status=200", "DATA 1 'x'", "DATA 1 '' END"), frames());
    }
}
