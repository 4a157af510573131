package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.Exchange.bytes;
import static org.freshet.handler.codec.http.server.Exchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.testing.FakeTimer;
import org.junit.jupiter.api.Test;

class HttpTimeoutHandlerTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final FakeTimer timer = new FakeTimer();
    private final Exchange client = client(HttpTimeouts.standard());

    private Exchange client(HttpTimeouts limits) {
        return new Exchange(
                new HttpTimeoutHandler(timer, limits, timer::nanos), new HttpServerCodec(), new HttpErrorResponder());
    }

    private void assertClosedAfter(long millis, String answer) {
        timer.advanceMillis(millis - 1);
        assertTrue(client.channel.isOpen(), "before the time");
        assertEquals("", client.sent());
        timer.advanceMillis(1);
        assertFalse(client.channel.isOpen(), "after the time");
        String sent = client.sent();
        assertTrue(answer.isEmpty() ? sent.isEmpty() : sent.startsWith("HTTP/1.1 " + answer), sent);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldCloseAConnectionThatSaysNothingWithoutAnAnswer() {
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldAnswerAHeadThatDribbles() {
        for (int i = 0; i < 9; i++) {
            client.receive("GET / HTTP/1.1\r\nX: 1\r\n".substring(i, i + 1));
            timer.advanceMillis(1_000);
        }
        assertClosedAfter(1_000, "408");
    }

    @Test
    void shouldTakeEmptyLinesForTheBeginningOfAHead() {
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
    void shouldGiveEachHeadItsOwnTime() {
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
        assertTrue(client.channel.isOpen());
        client.receive("G");
        assertClosedAfter(10_000, "408");
    }

    @Test
    void shouldCloseAnIdleConnectionAfterItsLastAnswer() {
        client.receive(GET);
        timer.advanceMillis(100_000); // the handler takes long
        assertTrue(client.channel.isOpen());
        client.answer("ok");
        client.sent();
        assertClosedAfter(60_000, "");
    }

    @Test
    void shouldAnswerAContentThatDribbles() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        for (int i = 0; i < 9; i++) {
            timer.advanceMillis(1_000);
            client.receive("x".repeat(1000));
        }
        assertClosedAfter(1_000, "408");
    }

    @Test
    void shouldNotLetBytesOfEarlierPayForLater() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        client.receive("x".repeat(900_000));
        timer.advanceMillis(10_000);
        assertTrue(client.channel.isOpen());
        client.receive("x".repeat(10_240));
        timer.advanceMillis(10_000);
        assertTrue(client.channel.isOpen(), "just enough");
        client.receive("x".repeat(10_239));
        assertClosedAfter(10_000, "408");
    }

    @Test
    void shouldNotBlameTheClientForWhatTheServerDoesNotRead() {
        client.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
        client.channel.setReadable(false);
        timer.advanceMillis(100_000);
        assertTrue(client.channel.isOpen());
        client.channel.setReadable(true);
        assertClosedAfter(10_000, "408");
    }

    @Test
    void shouldCloseOnAClientThatReadsNothing() {
        client.receive(GET);
        client.channel.holdWrites();
        client.answer("large");
        client.channel.turnWritable(false);
        client.sent();
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldLetAClientReadAtTheMinimumRate() {
        client.receive(GET);
        client.channel.holdWrites();
        HttpResponse head = response(200, "");
        HttpHeaders.setContentLength(head, 50_000);
        client.channel.write(head);
        for (int i = 0; i < 5; i++) {
            client.channel.write(bytes("x".repeat(10_240)));
        }
        client.channel.turnWritable(false);
        client.channel.completeWrites(1);
        client.sent();
        for (int i = 0; i < 4; i++) {
            client.channel.completeWrites(1);
            timer.advanceMillis(10_000);
            assertTrue(client.channel.isOpen());
        }
        assertClosedAfter(10_000, "");
    }

    @Test
    void shouldTellOthersOfTheTimeOutAndCloseWithoutAResponder() {
        Exchange bare = new Exchange(
                new HttpTimeoutHandler(timer, HttpTimeouts.standard(), timer::nanos), new HttpServerCodec());
        bare.receive("GET");
        timer.advanceMillis(10_000);
        HttpTimeoutException told = assertInstanceOf(
                HttpTimeoutException.class, bare.channel.takeCaught().get(0));
        assertEquals(HttpResponseStatus.REQUEST_TIMEOUT, told.suggestedStatus());
        assertFalse(bare.channel.isOpen());
    }

    @Test
    void shouldMeasureNothingAfterAnUpgradeOrWithoutTheCodec() {
        client.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
        client.channel.write(response(101, ""));
        timer.advanceMillis(1_000_000);
        assertTrue(client.channel.isOpen());
        Exchange other = client(HttpTimeouts.standard());
        other.channel.getPipeline().remove(HttpServerCodec.class);
        timer.advanceMillis(1_000_000);
        assertTrue(other.channel.isOpen());
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldLeaveNoTimeOutBehindWhenRemovedOrClosed() {
        client.channel.getPipeline().remove(HttpTimeoutHandler.class);
        assertEquals(0, timer.pendingTimeouts());
        Exchange other = client(HttpTimeouts.standard());
        assertEquals(1, timer.pendingTimeouts());
        Channels.close(other.channel);
        assertEquals(0, timer.pendingTimeouts());
    }

    @Test
    void shouldRefuseBadArguments() {
        HttpTimeouts standard = HttpTimeouts.standard();
        assertThrows(IllegalArgumentException.class, () -> standard.withHeadMillis(0));
        assertThrows(IllegalArgumentException.class, () -> standard.withIdleMillis(-1));
        assertThrows(IllegalArgumentException.class, () -> standard.withMinRate(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> standard.withMinRate(1, 0));
        assertThrows(IllegalArgumentException.class, () -> standard.withHeadMillis(Long.MAX_VALUE));
        assertEquals(
                new HttpTimeouts(1, 2, 3, 4),
                standard.withHeadMillis(1).withMinRate(2, 3).withIdleMillis(4));
    }
}
