package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.bytes;
import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.CloseReason;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class HttpTimeoutHandlerContract {
    static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    final FakeTimer timer = new FakeTimer();
    WireExchange client;
    private final TextClient.Wire wire;

    HttpTimeoutHandlerContract(TextClient.Wire wire) {
        this.wire = wire;
        client = connect();
    }

    final WireExchange connect() {
        return connect(HttpTimeouts.defaults());
    }

    final WireExchange connect(HttpTimeouts times) {
        return new WireExchange(
                wire,
                HttpLimits.defaults(),
                () -> new ChannelHandler[] {new HttpTimeoutHandler(timer, times, timer::nanos)},
                () -> new ChannelHandler[] {new HttpErrorResponder()});
    }

    final void assertClosedAfter(long millis, String answer) {
        timer.advanceMillis(millis - 1);
        assertTrue(client.channel().isOpen(), "before the time-out");
        assertEquals("", client.sent());
        timer.advanceMillis(1);
        assertFalse(client.channel().isOpen(), "after the time-out");
        assertEquals(
                CloseReason.Kind.TIMED_OUT, client.channel().getCloseReason().kind());
        String sent = client.sent();
        assertTrue(answer.isEmpty() ? sent.isEmpty() : sent.startsWith("HTTP/1.1 " + answer), sent);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldAnswerSlowContent() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        for (int i = 0; i < 9; i++) {
            timer.advanceMillis(1_000);
            client.receive("x".repeat(1000));
        }
        assertClosedAfter(1_000, "408");
    }

    @Test
    void shouldNotCreditEarlierBytesToLaterIntervals() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        client.receive("x".repeat(900_000));
        timer.advanceMillis(10_000);
        assertTrue(client.channel().isOpen());
        client.receive("x".repeat(10_240));
        timer.advanceMillis(10_000);
        assertTrue(client.channel().isOpen(), "just enough");
        client.receive("x".repeat(10_239));
        assertClosedAfter(10_000, "408");
    }

    @Test
    void shouldNotBlameTheClientWhileTheServerDoesNotRead() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        client.channel().setReadable(false);
        timer.advanceMillis(100_000);
        assertTrue(client.channel().isOpen());
        client.channel().setReadable(true);
        assertClosedAfter(10_000, "408");
    }

    @Test
    void shouldCloseOnAClientThatReadsNothing() {
        client.receive(GET);
        client.transport().holdWrites();
        client.answer("large");
        client.transport().turnWritable(false);
        client.sent();
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldLetAClientReadAtTheMinimumRate() {
        client.receive(GET);
        client.transport().holdWrites();
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 51_200);
        client.channel().write(head);
        for (int i = 0; i < 5; i++) {
            client.channel().write(bytes("x".repeat(10_240)));
        }
        client.transport().turnWritable(false);
        client.transport().completeWrites(1);
        client.sent();
        for (int i = 0; i < 4; i++) {
            client.transport().completeWrites(1);
            timer.advanceMillis(10_000);
            assertTrue(client.channel().isOpen());
        }
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldAnswerSlowShortContent() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n");
        for (int i = 0; i < 9; i++) {
            timer.advanceMillis(1_000);
            client.receive("x");
        }
        assertClosedAfter(1_000, "408");
    }

    /** For example, a handler that opens a tunnel to a dead server. */
    @Test
    void shouldAnswerForAHandlerThatTakesTooLong() {
        client.transport().close();
        client = connect(HttpTimeouts.defaults().withResponse(Duration.ofMillis(5_000)));
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        assertClosedAfter(5_000, "503");
    }

    @Test
    void shouldNotTimeOutAHandlerThatHasBegunItsAnswer() {
        client.transport().close();
        client = connect(HttpTimeouts.defaults().withResponse(Duration.ofMillis(5_000)));
        client.receive(GET);
        timer.advanceMillis(4_999);
        HttpResponse head = response(200, "");
        head.setChunked(true);
        client.channel().write(head);
        timer.advanceMillis(100_000);
        assertTrue(client.channel().isOpen());
        client.chunk("late");
        client.channel().write(HttpChunk.LAST_CHUNK);
        assertTrue(client.sent().contains("late"));
    }

    @Test
    void shouldMeasureNothingWhileAHandlerWorks() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        timer.advanceMillis(1_000_000);
        assertTrue(client.channel().isOpen());
        client.answer("ok");
        assertTrue(client.sent().endsWith("ok"));
    }
}
