package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.ACK;
import static org.freshet.handler.codec.http2.FramePeer.DATA;
import static org.freshet.handler.codec.http2.FramePeer.PING;
import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.freshet.handler.codec.http2.FramePeer.setting;
import static org.freshet.handler.codec.http2.FramePeer.windowUpdate;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the repeated checks of a connection's times count, to which connections they apply, and when they stop. */
class Http2CheckedTimesTest {
    private static final Http2Timeouts NONE = Http2Timeouts.defaults()
            .withHandshake(Duration.ZERO)
            .withHead(Duration.ZERO)
            .withWriteStall(Duration.ZERO)
            .withIdle(Duration.ZERO)
            .withDrain(Duration.ZERO);

    private final FakeTimer timer = new FakeTimer();
    private final StreamLog log = new StreamLog();

    private Http2Settings settings(Http2Timeouts times) {
        return Http2Settings.defaults().toBuilder().timer(timer).timeouts(times).build();
    }

    private FramePeer client(Http2Timeouts times) {
        return FramePeer.client(new Http2ServerHandler(log::pipeline, settings(times)));
    }

    private void answer(FramePeer peer, int streamId) {
        peer.send(peer.get(streamId, "/"));
        log.last().write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    }

    /** Without an interval no PING is sent, so the time for its answer limits nothing. */
    @Test
    void shouldCheckNothingForThePingTimeOutAlone() {
        client(NONE);
        assertEquals(0, timer.pendingTimeouts());
        client(NONE.withIdle(Duration.ofSeconds(80)));
        timer.advanceMillis(19_999);
        assertEquals(1, timer.pendingTimeouts());
    }

    @Test
    void shouldCheckTimesOfAMillisecond() {
        FramePeer peer = client(NONE.withIdle(Duration.ofMillis(1)));
        timer.advanceMillis(1);
        assertTrue(peer.channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(peer.channel.isOpen());
    }

    @Test
    void shouldNotTakeAConnectionForIdleIfItsRequestsAreShort() {
        FramePeer peer = client(NONE.withIdle(Duration.ofSeconds(60)));
        for (int id = 1; id < 20; id += 2) {
            answer(peer, id);
            timer.advanceMillis(50_000);
        }
        assertTrue(peer.channel.isOpen());
        timer.advanceMillis(60_000);
        assertFalse(peer.channel.isOpen());
    }

    /** A server may let an upload wait for as long as its handler works. */
    @Test
    void shouldNotLimitHowLongAServerKeepsItsWindowsShut() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler(settings(Http2Timeouts.defaults())));
        peer.send(setting(0x4, 10));
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        HttpRequest upload = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        upload.headers().set(HttpHeaders.Names.HOST, "example.com");
        upload.setContent(ChannelBuffers.wrappedBuffer(new byte[100]));
        stream.write(upload);
        timer.advanceMillis(1_000_000);
        assertTrue(stream.isOpen());
    }

    @ParameterizedTest
    @CsvSource({"1024, true", "1023, false"})
    void shouldTakeAKibibyteForTheProgressOfADrain(int octets, boolean goesOn) {
        Http2ServerHandler handler =
                new Http2ServerHandler(log::pipeline, settings(NONE.withDrain(Duration.ofSeconds(30))));
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.request(1, false, "POST", "/"), frame(DATA, 0, 1, new byte[1024]));
        handler.drain();
        peer.send(frame(DATA, 0, 1, new byte[octets]));
        timer.advanceMillis(30_000);
        assertEquals(goesOn, peer.channel.isOpen());
        timer.advanceMillis(30_000);
        assertFalse(peer.channel.isOpen(), "nothing moves any more");
        assertEquals(0, timer.pendingTimeouts());
    }

    /** The second stream waits only for the first one, and that makes progress if it may send a kibibyte between two checks. */
    @ParameterizedTest
    @CsvSource({"1024, true", "1023, false"})
    void shouldTakeAKibibyteForTheProgressOfAConnection(int octets, boolean goesOn) {
        FramePeer peer = client(NONE.withWriteStall(Duration.ofSeconds(40)));
        peer.send(setting(0x4, 1_000_000), peer.get(1, "/", "priority", "u=0"), peer.get(3, "/"));
        for (Channel stream : log.channels) {
            HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            answer.setContent(ChannelBuffers.wrappedBuffer(new byte[200_000]));
            stream.write(answer);
        }
        for (int i = 0; i < 10; i++) {
            timer.advanceMillis(10_000);
            peer.send(windowUpdate(0, octets));
        }
        assertEquals(goesOn, log.last().isOpen());
        peer.channel.close();
    }

    @Test
    void shouldNotAbortADrainBeforeItsTime() {
        Http2ServerHandler handler =
                new Http2ServerHandler(log::pipeline, settings(NONE.withDrain(Duration.ofSeconds(30))));
        FramePeer peer = FramePeer.client(handler);
        peer.send(peer.get(1, "/"), peer.get(3, "/"));
        handler.drain();
        timer.advanceMillis(29_999);
        log.channels.get(0).write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        timer.advanceMillis(30_000);
        assertTrue(peer.channel.isOpen(), "a stream has ended");
        timer.advanceMillis(1);
        assertEquals(CloseReason.Kind.TIMED_OUT, log.last().getCloseReason().kind());
    }

    /** Neither the socket nor the peer makes progress, and both are noticed at once. */
    @Test
    void shouldEndOnceHoweverManyTimesAreExceeded() {
        FramePeer peer = client(
                NONE.withWriteStall(Duration.ofSeconds(4)).withPing(Duration.ofSeconds(1), Duration.ofSeconds(4)));
        peer.channel.holdWrites();
        timer.advanceMillis(20_000);
        assertFalse(peer.channel.isOpen());
        assertEquals(1, peer.channel.takeCaught().size());
    }

    @Test
    void shouldStopTheTimeOfAStreamThatIsAccepted() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler(settings(NONE)));
        peer.send(setting(0x3, 0));
        Channel stream =
                Http2ClientConnection.of(peer.channel).open(log.pipeline()).getChannel();
        assertEquals(1, timer.pendingTimeouts());
        peer.send(setting(0x3, 1));
        assertEquals(0, timer.pendingTimeouts());
        assertTrue(stream.isConnected());
    }

    // ---- time-outs that come late ----

    /** Time is over, but the I/O thread is busy with the frame that was missing. */
    @Test
    void shouldNotEndAConnectionForWhatHasArrivedWhenItsTimeIsNoticed() {
        MemoryChannel channel = lingering(new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults())));
        channel.holdTasks();
        timer.advanceMillis(10_000);
        receive(channel, frame(SETTINGS, ACK, 0));
        assertTrue(channel.runTasks() > 0);
        assertTrue(channel.isOpen());

        byte[] ping = frame(PING, 0, 0, new byte[8]);
        receive(channel, Arrays.copyOf(ping, 12));
        timer.advanceMillis(10_000);
        receive(channel, Arrays.copyOfRange(ping, 12, ping.length));
        receive(channel, Arrays.copyOf(ping, 12));
        assertTrue(channel.runTasks() > 0);
        assertTrue(channel.isOpen(), "the next one has its own time");
        assertEquals(List.of(), channel.takeCaught());
        channel.close();
        channel.runTasks();
    }

    /** The rest of what was read then begins a frame, which has a time limit otherwise. */
    @Test
    void shouldLimitNoFrameOfAConnectionThatAHandlerHasClosed() {
        FramePeer peer = client(NONE.withHead(Duration.ofSeconds(10)));
        log.reaction = (stream, message) -> peer.channel.close();
        peer.send(peer.get(1, "/"), Arrays.copyOf(frame(PING, 0, 0, new byte[8]), 12));
        assertFalse(peer.channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    /** For example, because another protocol takes the channel over. */
    @Test
    void shouldSendNoPingOnceItsHandlerIsRemoved() {
        FramePeer peer = client(NONE.withPing(Duration.ofSeconds(4), Duration.ofSeconds(4)));
        timer.advanceMillis(3_000);
        peer.channel.holdTasks();
        timer.advanceMillis(1_000);
        peer.channel.getPipeline().remove(Http2ServerHandler.class);
        peer.lines();
        assertTrue(peer.channel.runTasks() > 0);
        assertEquals(List.of(), peer.channel.takeWritten());
        assertTrue(peer.channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    // ---- the end ----

    /** A client that doesn't close when the server has. */
    private MemoryChannel lingering(Http2ServerHandler handler) {
        MemoryChannel channel = MemoryChannel.connected(handler);
        receive(channel, Http2ServerHandler.PREFACE);
        receive(channel, frame(SETTINGS, 0, 0));
        return channel;
    }

    private static void receive(MemoryChannel channel, byte[] octets) {
        channel.receive(ChannelBuffers.wrappedBuffer(octets));
    }

    /** The client neither acknowledges SETTINGS nor completes its head: of these times none runs on. */
    @Test
    void shouldWaitOnlyForTheClientToCloseOnceItHasEnded() {
        Http2Timeouts times = Http2Timeouts.defaults()
                .withPing(Duration.ofSeconds(1), Duration.ofSeconds(1))
                .withIdle(Duration.ZERO);
        MemoryChannel channel = lingering(new Http2ServerHandler(log::pipeline, settings(times)));
        receive(channel, Arrays.copyOf(frame(DATA, 0, 0), 5));
        receive(channel, Arrays.copyOfRange(frame(DATA, 0, 0), 5, 9));
        channel.takeCaught();
        channel.takeWritten();
        assertEquals(1, timer.pendingTimeouts());
        timer.advanceMillis(1_999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertEquals(0, channel.takeWritten().size(), "no PING follows the GOAWAY");
    }

    /** Everything is sent, so nothing but the client's close is missing. */
    @Test
    void shouldCloseADrainedChannelTwoSecondsAfterItsOutputHasEnded() {
        MemoryChannel channel = lingering(new Http2ServerHandler(log::pipeline, settings(Http2Timeouts.defaults())));
        channel.getPipeline().sendUpstream(new DrainEvent(channel, () -> {}));
        receive(channel, frame(PING, ACK, 0, new byte[] {0, 0, 0, 'd', 'r', 'a', 'i', 'n'}));
        timer.advanceMillis(1_999);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.DRAINED, channel.getCloseReason().kind());
    }

    /** It has read every answer that it waits for, so it needn't wait for the server. */
    @Test
    void shouldCloseAClientAsSoonAsItsGoodbyeIsSent() {
        MemoryChannel channel = MemoryChannel.connected(new Http2ClientHandler(settings(Http2Timeouts.defaults())));
        Http2ClientConnection.of(channel).close(Http2Error.NO_ERROR, "enough");
        assertFalse(channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseAClientThatCannotSendItsGoodbye() {
        FramePeer peer = FramePeer.server(new Http2ClientHandler(settings(Http2Timeouts.defaults())));
        peer.channel.holdWrites();
        Http2ClientConnection.of(peer.channel).close(Http2Error.NO_ERROR, "enough");
        timer.advanceMillis(1_999);
        assertTrue(peer.channel.isOpen());
        timer.advanceMillis(1);
        assertFalse(peer.channel.isOpen());
        assertEquals(CloseReason.Kind.LOCAL, peer.channel.getCloseReason().kind());
    }
}
