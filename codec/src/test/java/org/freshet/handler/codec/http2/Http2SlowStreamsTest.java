package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.freshet.handler.codec.http2.SampleResponses.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.HttpTimeouts;
import org.freshet.handler.codec.http.server.TimeoutHandlers;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which side is to blame if a stream of a shared connection makes no progress: {@code HttpTimeoutHandler}'s time-outs
 * apply only to the client.
 */
class Http2SlowStreamsTest {
    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();
    private final Http2Settings settings = Http2Settings.defaults().toBuilder()
            .timer(timer)
            .maxUnreadBytes(0)
            .timeouts(Http2Timeouts.defaults().withIdle(Duration.ZERO))
            .build();

    private final FramePeer peer = FramePeer.client(new Http2ServerHandler(
            () -> {
                var pipeline = log.pipeline();
                pipeline.addFirst("timeouts", TimeoutHandlers.on(timer, HttpTimeouts.defaults()));
                return pipeline;
            },
            settings));

    /** Eight megabytes at 263 kilobytes per second take longer than the ten seconds in which something must be sent. */
    @Test
    void shouldSendALongAnswerToASteadyClient() {
        peer.send(setting(0x4, 100_000), peer.get(1, "/"));
        Channel stream = log.last();
        stream.write(response(8_000_000));
        for (int seconds = 0; seconds < 30; seconds++) {
            timer.advanceMillis(1_000);
            assertTrue(stream.isOpen(), "after " + seconds + " s: " + stream.getCloseReason());
            peer.send(windowUpdate(0, 263_000), windowUpdate(1, 263_000));
        }
        peer.send(windowUpdate(0, 1_000_000), windowUpdate(1, 1_000_000));

        assertEquals(CloseReason.COMPLETED, stream.getCloseReason());
    }

    @Test
    void shouldCloseTheStreamOfAClientThatReadsTooLittle() {
        peer.send(setting(0x4, 100_000), peer.get(1, "/"));
        log.last().write(response(8_000_000));

        for (int seconds = 0; seconds < 25; seconds++) {
            timer.advanceMillis(1_000);
            peer.send(windowUpdate(0, 100), windowUpdate(1, 100));
        }

        assertEquals(CloseReason.Kind.TIMED_OUT, log.last().getCloseReason().kind());
    }

    /** A file region leaves the stream writable, and without a window no part of it is sent: no event tells of it. */
    @Test
    void shouldCloseTheStreamOfAClientThatReadsNothingOfAFile(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[100_000]);
        log.reaction = (stream, request) -> {
            HttpResponse head = response(0);
            HttpHeaders.setContentLength(head, 100_000);
            stream.write(head);
            stream.write(new DefaultFileRegion(FileChannel.open(file), 0, 100_000, true));
        };
        peer.send(setting(0x4, 0), peer.get(1, "/"));
        Channel stream = log.last();
        assertTrue(stream.isWritable());
        int seconds = 0;
        while (stream.isOpen() && seconds < 100) {
            timer.advanceMillis(1_000);
            seconds++;
        }

        assertTrue(seconds >= 10 && seconds <= 20, "closed after " + seconds + " s");
        assertEquals(CloseReason.Kind.TIMED_OUT, stream.getCloseReason().kind());
    }

    /** An answer that the client marks as less urgent has to wait, which isn't slowness. */
    @Test
    void shouldNotBlameAStreamThatWaitsForItsTurn() {
        peer.send(
                setting(0x4, 100_000_000),
                peer.get(1, "/video", "priority", "u=0"),
                peer.get(3, "/later", "priority", "u=7"));
        log.channels.get(0).write(response(50_000_000));
        log.channels.get(1).write(response(100));
        for (int seconds = 0; seconds < 60; seconds++) {
            timer.advanceMillis(1_000);
            peer.send(windowUpdate(0, 500_000));
        }
        log.channels.forEach(stream -> assertTrue(stream.isOpen(), () -> "" + stream.getCloseReason()));

        peer.send(windowUpdate(0, 50_000_000));

        log.channels.forEach(stream -> assertEquals(CloseReason.COMPLETED, stream.getCloseReason()));
    }

    /**
     * The handler of one stream does not read and so holds the connection's window; the client can't send on the other
     * stream.
     */
    @Test
    void shouldNotBlameARequestThatIsNotAllowedToSend() {
        log.reaction = (channel, message) -> channel.setReadable(false);
        byte[] much = new byte[16 * 1024];
        for (int id = 1; id < 9; id += 2) { // as much as the connection's window allows
            peer.send(peer.request(id, false, "POST", "/held"));
            for (int i = 0; i < 16; i++) {
                peer.send(frame(DATA, 0, id, much));
            }
        }
        log.reaction = (channel, message) -> {};
        peer.send(peer.request(9, false, "POST", "/innocent"));
        Channel innocent = log.last();
        Channel held = log.channels.get(0);
        peer.lines();

        timer.advanceMillis(60_000);

        assertTrue(innocent.isOpen(), () -> "" + innocent.getCloseReason());
        log.channels.subList(0, 4).forEach(Channel::close);
        assertFalse(held.isOpen());
        List<String> lines = peer.lines();
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("WINDOW_UPDATE")), lines.toString());
        timer.advanceMillis(60_000);
        assertFalse(innocent.isOpen(), "now it could send");
    }
}
