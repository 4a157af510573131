package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.WritableByteChannel;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far the answer to a stream's request has got, as handlers see it: after each message that they write. */
class StreamExchangeTest {
    private static StreamExchange asked(String method, String... fields) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "/");
        for (int i = 0; i < fields.length; i += 2) {
            request.headers().add(fields[i], fields[i + 1]);
        }
        return new StreamExchange(request, -1, true);
    }

    private static ChannelBuffer bytes(int count) {
        return ChannelBuffers.wrappedBuffer(new byte[count]);
    }

    /** @param length declared by the head; negative for none */
    private static HttpResponse response(int status, long length, int content) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
        if (length >= 0) {
            HttpHeaders.setContentLength(response, length);
        }
        response.setContent(bytes(content));
        return response;
    }

    private static HttpResponse chunked(int status) {
        HttpResponse response = response(status, -1, 0);
        response.setChunked(true);
        return response;
    }

    private static FileRegion region(long count) {
        return new FileRegion() {
            @Override
            public long getPosition() {
                return 0;
            }

            @Override
            public long getCount() {
                return count;
            }

            @Override
            public long transferTo(WritableByteChannel target, long position) {
                throw new AssertionError("not sent here");
            }

            @Override
            public void releaseExternalResources() {}
        };
    }

    private static String progress(StreamExchange exchange) {
        assertEquals(exchange.isDone() ? 0 : 1, exchange.unanswered());
        assertSame(exchange.isDone() ? null : exchange, exchange.current());
        if (exchange.isDone()) {
            return exchange.isUpgraded() ? "tunnel" : "answered";
        }
        assertFalse(exchange.isUpgraded());
        return exchange.hasBegun() ? "begun" : exchange.isAwaited() ? "awaited" : "failed";
    }

    @ParameterizedTest
    @CsvSource({
        // method, status, declared length, content in the head: progress, and what it is if chunks are announced
        "GET, 200, -1, 0, answered, begun",
        "GET, 200, -1, 3, answered, begun",
        "GET, 200, 3, 3, answered, begun",
        "GET, 200, 4, 3, begun, begun",
        "GET, 200, 1, 0, begun, begun",
        "GET, 404, 0, 0, answered, begun",
        "GET, 204, 9, 0, answered, answered",
        "GET, 205, 9, 0, answered, answered",
        "GET, 304, 9, 0, answered, answered",
        "GET, 206, 9, 0, begun, begun",
        "HEAD, 200, 9, 0, answered, answered",
        "HEAD, 404, 9, 0, answered, answered",
        "CONNECT, 200, 9, 0, tunnel, tunnel",
        "CONNECT, 299, 9, 0, tunnel, tunnel",
        "CONNECT, 300, 9, 0, begun, begun",
        "CONNECT, 300, 0, 0, answered, begun",
        "GET, 100, -1, 0, awaited, awaited",
        "GET, 103, -1, 0, awaited, awaited",
        "GET, 199, -1, 0, awaited, awaited",
        "GET, 101, -1, 0, tunnel, tunnel",
    })
    void shouldDependOnTheHead(
            String method, int status, long length, int content, String progress, String progressInChunks) {
        StreamExchange exchange = asked(method);
        assertEquals("awaited", progress(exchange));
        exchange.onWrite(response(status, length, content));
        assertEquals(progress, progress(exchange));

        StreamExchange inChunks = asked(method);
        inChunks.onWrite(chunked(status));
        assertEquals(progressInChunks, progress(inChunks));
    }

    @Test
    void shouldEndWithTheLastChunk() {
        StreamExchange exchange = asked("GET");
        exchange.onWrite(HttpChunk.LAST_CHUNK);
        assertEquals("awaited", progress(exchange), "no head was written");
        exchange.onWrite(chunked(200));
        exchange.onWrite(new DefaultHttpChunk(bytes(5)));
        exchange.onWrite(bytes(5));
        exchange.onWrite("another message");
        assertEquals("begun", progress(exchange));
        exchange.onWrite(HttpChunk.LAST_CHUNK);
        assertEquals("answered", progress(exchange));
    }

    @Test
    void shouldEndWithTheDeclaredLengthHoweverItIsWritten() {
        StreamExchange exchange = asked("GET");
        exchange.onWrite(response(200, 10, 1));
        exchange.onWrite(bytes(2));
        exchange.onWrite(new DefaultHttpChunk(bytes(3)));
        exchange.onWrite(region(3));
        assertEquals("begun", progress(exchange), "9 of 10");
        exchange.onWrite(region(1));
        assertEquals("answered", progress(exchange));
    }

    @Test
    void shouldStayWithTheFirstAnswer() {
        StreamExchange exchange = asked("GET");
        HttpResponse first = chunked(200);
        HttpResponse second = response(500, -1, 0);
        exchange.onWrite(first);
        exchange.onWrite(second);
        assertEquals("begun", progress(exchange));
        exchange.onWriteRefused(second, true);
        assertEquals("begun", progress(exchange));
    }

    @Test
    void shouldAwaitAnotherAnswerIfTheEndOfTheFirstIsRefused() {
        StreamExchange exchange = asked("GET");
        HttpResponse first = response(200, -1, 0);
        exchange.onWrite(first);
        exchange.onWriteRefused(response(200, -1, 0), false);
        assertEquals("answered", progress(exchange), "something else was refused");
        exchange.onWriteRefused(first, false);
        assertEquals("awaited", progress(exchange));
        exchange.onWrite(response(500, -1, 0));
        assertEquals("answered", progress(exchange));
        exchange.onWriteRefused(first, false);
        assertEquals("answered", progress(exchange));
    }

    @Test
    void shouldAwaitAnotherAnswerIfAHeadIsRefusedAndNoneWasSent() {
        StreamExchange exchange = asked("GET");
        HttpResponse first = chunked(200);
        exchange.onWrite(first);
        exchange.onWriteRefused(first, true);
        assertEquals("begun", progress(exchange), "the same response again");
        exchange.onWriteRefused(first, false);
        assertEquals("awaited", progress(exchange));
    }

    @Test
    void shouldOweTheRestOfAnAnswerWhoseEndWasRefused() {
        StreamExchange exchange = asked("GET");
        HttpResponse first = response(200, 9, 9);
        exchange.onWrite(first);
        exchange.onWriteRefused(first, true);
        exchange.onStillDue(false, 4);
        exchange.onWrite(bytes(3));
        assertEquals("begun", progress(exchange));
        exchange.onWrite(bytes(1));
        assertEquals("answered", progress(exchange));

        exchange.onStillDue(true, 0);
        exchange.onWrite(bytes(3));
        assertEquals("begun", progress(exchange), "the last chunk is missing");
        exchange.onWrite(HttpChunk.LAST_CHUNK);
        assertEquals("answered", progress(exchange));
    }

    @Test
    void shouldOpenNoTunnelWithAnAnswerThatIsRefused() {
        StreamExchange exchange = asked("GET");
        HttpResponse switching = response(101, -1, 0);
        exchange.onWrite(switching);
        exchange.onWrite(HttpChunk.LAST_CHUNK);
        exchange.onWriteRefused(HttpChunk.LAST_CHUNK, false);
        assertEquals("tunnel", progress(exchange), "what follows belongs to the tunnel");
        exchange.onWriteRefused(switching, false);
        assertEquals("awaited", progress(exchange));
    }

    @Test
    void shouldSwitchOnlyBeforeTheAnswer() {
        StreamExchange exchange = asked("GET");
        exchange.onWrite(chunked(200));
        exchange.onWrite(response(101, -1, 0));
        assertEquals("begun", progress(exchange));
    }

    @Test
    void shouldWaitForContinueUntilItIsWrittenOrNoLongerNeeded() {
        StreamExchange exchange = asked("POST", "Expect", "100-continue");
        exchange.onWrite(response(103, -1, 0));
        assertTrue(exchange.isAwaitingContinue());
        exchange.onWrite(response(100, -1, 0));
        assertFalse(exchange.isAwaitingContinue());

        StreamExchange impatient = asked("POST", "Expect", "100-continue");
        impatient.onContent(7);
        assertFalse(impatient.isAwaitingContinue());
        assertEquals(7, impatient.receivedBytes());
        assertTrue(impatient.isReceivingContent());
        impatient.onEndOfContent();
        assertFalse(impatient.isReceivingContent());

        StreamExchange answered = asked("POST", "Expect", "100-continue");
        answered.onWrite(response(417, -1, 0));
        assertFalse(answered.isAwaitingContinue());
        assertNull(answered.current());
    }
}
