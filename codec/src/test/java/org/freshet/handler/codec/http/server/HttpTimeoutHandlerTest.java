package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.bytes;
import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Scarcity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads, idle connections and upgrades in HTTP/1.1. */
class HttpTimeoutHandlerTest extends HttpTimeoutHandlerContract {
    HttpTimeoutHandlerTest() {
        super(TextClient.Wire.HTTP_1);
    }

    @Test
    void shouldCloseASilentConnectionWithoutAnAnswer() {
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldCloseASilentConnectionAlthoughTheTimerIsStopped() {
        timer.stop();
        HttpTimeouts limits = HttpTimeouts.defaults().withHead(Duration.ofMillis(20));
        MemoryChannel silent = MemoryChannel.connected(
                new HttpTimeoutHandler(timer, limits, System::nanoTime),
                new HttpServerCodec(),
                new HttpErrorResponder());
        Await.success(silent.getCloseFuture(), "the close");
        assertEquals(CloseReason.Kind.TIMED_OUT, silent.getCloseReason().kind());
    }

    @Test
    void shouldAnswerASlowHead() {
        for (int i = 0; i < 9; i++) {
            client.receive("GET / HTTP/1.1\r\nX: 1\r\n".substring(i, i + 1));
            timer.advanceMillis(1_000);
        }
        assertClosedAfter(1_000, "408");
    }

    /** A file region leaves the channel writable, however slowly it is read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCloseOnAClientThatReadsAStaticFileTooSlowly(boolean isKeptAlive, @TempDir Path folder) throws Exception {
        Files.write(folder.resolve("file"), new byte[10_000_000]);
        MemoryChannel channel = MemoryChannel.connected(
                new HttpTimeoutHandler(timer, HttpTimeouts.defaults(), timer::nanos),
                new HttpServerCodec(),
                new HttpKeepAliveHandler(false),
                new HttpErrorResponder());
        channel.holdWrites();
        channel.receive(bytes("GET / HTTP/1.1\r\nHost: a\r\n" + (isKeptAlive ? "" : "Connection: close\r\n") + "\r\n"));
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 10_000_000);
        channel.write(head);
        channel.write(new DefaultFileRegion(FileChannel.open(folder.resolve("file")), 0, 10_000_000, true));
        assertTrue(channel.isWritable());
        int seconds = 0;
        while (channel.isOpen() && seconds < 100) {
            timer.advanceMillis(1_000);
            seconds++;
            Channels.fireWriteComplete(channel, 100);
        }
        assertTrue(seconds >= 10 && seconds <= 20, "closed after " + seconds + " s");
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
        channel.failWrites(new ClosedChannelException());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldTreatEmptyLinesAsTheBeginningOfAHead() {
        client.receive(GET);
        client.answer("ok");
        client.sent();
        for (int i = 0; i < 9; i++) {
            client.receive("\r\n");
            timer.advanceMillis(1_000);
        }
        assertClosedAfter(1_000, "408");
    }

    @Test
    void shouldTimeEachHeadSeparately() {
        for (int i = 0; i < 5; i++) {
            client.receive(GET + "GET");
            client.answer("ok");
            timer.advanceMillis(9_000);
            client.receive(GET.substring(3) + "GE");
            client.answer("ok");
            timer.advanceMillis(9_000);
            client.receive(GET.substring(2));
            client.answer("ok");
        }
        client.sent();
        assertTrue(client.channel().isOpen());
        client.receive("G");
        assertClosedAfter(10_000, "408");
    }

    @Test
    void shouldCloseAnIdleConnectionAfterItsLastAnswer() {
        client.receive(GET);
        timer.advanceMillis(100_000); // the handler is slow
        assertTrue(client.channel().isOpen());
        client.answer("ok");
        client.sent();
        assertClosedAfter(60_000, "");
    }

    private MemoryChannel answeredOnAChannelThatTakesNothing() {
        return answeredOnAChannelThatTakesNothing(HttpTimeouts.defaults().withMinRate(1, Duration.ofMinutes(10)));
    }

    private MemoryChannel answeredOnAChannelThatTakesNothing(HttpTimeouts limits) {
        MemoryChannel channel =
                MemoryChannel.connected(new HttpTimeoutHandler(timer, limits, timer::nanos), new HttpServerCodec());
        channel.holdWrites();
        channel.receive(bytes(GET));
        HttpResponse answer = response(200, "");
        HttpHeaders.setContentLength(answer, 0);
        channel.write(answer);
        return channel;
    }

    /** The client may not be to blame: a shaper below may delay the end of the answer. */
    @Test
    void shouldNotTreatAConnectionAsIdleWhileTheEndOfAnAnswerWaits() {
        MemoryChannel channel = answeredOnAChannelThatTakesNothing();
        timer.advanceMillis(200_000);
        assertTrue(channel.isOpen());
        channel.completeWrites();
        timer.advanceMillis(59_000);
        assertTrue(channel.isOpen());
        timer.advanceMillis(1_000);
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldCloseOnAClientThatNeverReadsTheEndOfAnAnswer() {
        MemoryChannel channel = answeredOnAChannelThatTakesNothing();
        timer.advanceMillis(599_000);
        assertTrue(channel.isOpen());
        timer.advanceMillis(601_000); // measured from the first check on
        assertFalse(channel.isOpen());
        assertEquals(CloseReason.Kind.TIMED_OUT, channel.getCloseReason().kind());
    }

    @Test
    void shouldLetContentAndAnswersTakeAnyTimeWithoutAMinimumRate() {
        HttpTimeouts unlimited = HttpTimeouts.defaults().withMinRate(0, Duration.ofSeconds(10));
        MemoryChannel reading = answeredOnAChannelThatTakesNothing(unlimited);
        WireExchange sending =
                new WireExchange(new HttpTimeoutHandler(timer, unlimited, timer::nanos), new HttpServerCodec());
        sending.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n1");
        timer.advanceMillis(1_000_000);
        assertTrue(reading.isOpen());
        assertTrue(sending.channel().isOpen());
        reading.close();
        sending.channel().close();
    }

    @Test
    void shouldWaitForAHeadWithoutALimitButNotForAConnectionToBegin() {
        HttpTimeouts unlimited = HttpTimeouts.defaults().withHead(Duration.ZERO);
        client.transport().close();
        client = connect(unlimited);
        client.receive("GET");
        timer.advanceMillis(1_000_000);
        client.receive(GET.substring(3));
        client.answer("ok");
        assertTrue(client.sent().endsWith("ok"));
        assertClosedAfter(60_000, "");

        client = connect(unlimited);
        assertClosedAfter(60_000, "");
    }

    @Test
    void shouldKeepAnIdleConnectionWithoutALimitButNotASlowHead() {
        client.transport().close();
        client = connect(HttpTimeouts.defaults().withIdle(Duration.ZERO));
        client.receive(GET);
        client.answer("ok");
        client.sent();
        timer.advanceMillis(1_000_000);
        client.receive("G");
        assertClosedAfter(10_000, "408");

        client = connect(HttpTimeouts.defaults().withIdle(Duration.ZERO));
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldSetNoTimerForASilentConnectionWithoutLimits() {
        client.transport().close();
        client = connect(HttpTimeouts.defaults().withHead(Duration.ZERO).withIdle(Duration.ZERO));
        assertEquals(0, timer.pendingTimeouts());
        client.transport().close();
    }

    @Test
    void shouldLimitAnIdleConnectionAgainOnceItIsRead() {
        client.transport().close();
        client = connect(HttpTimeouts.defaults().withHead(Duration.ZERO));
        client.receive(GET);
        client.answer("ok");
        client.sent();
        client.channel().setReadable(false);
        timer.advanceMillis(60_000);
        client.channel().setReadable(true);
        assertClosedAfter(60_000, "");
    }

    @Test
    void shouldReportTheTimeOutToOthersAndCloseWithoutAResponder() {
        WireExchange bare = new WireExchange(
                new HttpTimeoutHandler(timer, HttpTimeouts.defaults(), timer::nanos), new HttpServerCodec());
        bare.receive("GET");
        timer.advanceMillis(10_000);
        HttpTimeoutException told =
                assertInstanceOf(HttpTimeoutException.class, bare.takeCaught().get(0));
        assertEquals(HttpResponseStatus.REQUEST_TIMEOUT, told.suggestedStatus());
        assertFalse(bare.channel().isOpen());
    }

    @Test
    void shouldNotTimeOutAfterAnUpgradeOrWithoutTheCodec() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
        client.channel().write(response(101, ""));
        timer.advanceMillis(1_000_000);
        assertTrue(client.channel().isOpen());
        WireExchange other = connect();
        other.channel().getPipeline().remove(HttpServerCodec.class);
        timer.advanceMillis(1_000_000);
        assertTrue(other.channel().isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveNoTimeOutWhenRemovedOrClosed() {
        client.channel().getPipeline().remove(HttpTimeoutHandler.class);
        assertEquals(0, timer.pendingTimeouts());
        WireExchange other = connect();
        assertEquals(1, timer.pendingTimeouts());
        Channels.close(other.channel());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldRefuseBadArguments() {
        HttpTimeouts standard = HttpTimeouts.defaults();
        assertThrows(IllegalArgumentException.class, () -> standard.withHead(millis(-1)));
        assertThrows(IllegalArgumentException.class, () -> standard.withIdle(millis(-1)));
        assertThrows(IllegalArgumentException.class, () -> standard.withMinRate(-1, millis(1)));
        assertThrows(IllegalArgumentException.class, () -> standard.withMinRate(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> standard.withHead(millis(Long.MAX_VALUE)));
        assertEquals(
                new HttpTimeouts(millis(1), 2, millis(3), millis(4), millis(5)),
                standard.withHead(millis(1))
                        .withMinRate(2, millis(3))
                        .withIdle(millis(4))
                        .withResponse(millis(5)));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void shouldCloseASilentConnectionEvenIfItsTimeOutRunsOutOfMemory() {
        ((MemoryChannel) client.channel()).scarceTasks(new Scarcity(0));
        Scarcity.survive(() -> timer.advanceMillis(10_000));
        Await.until(() -> !client.channel().isOpen(), "the close");
    }
}
