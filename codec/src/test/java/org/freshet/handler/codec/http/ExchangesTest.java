package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.AbstractChannelSink;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What handlers learn about a connection's requests and their answers. */
class ExchangesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final HttpServerCodec codec = new HttpServerCodec(
            HttpLimits.defaults().toBuilder().maxPipelinedRequests(4).build());
    private final HttpTestServer server = new HttpTestServer(codec);
    private final Exchanges exchanges = codec.exchanges();
    private final CapturedLog log = CapturedLog.start();

    @AfterEach
    void releaseLog() {
        log.close();
    }

    /** A time-out or another refusal that a handler above the network reports. */
    private static final class Refusal extends Exception implements HttpFailure {
        private static final long serialVersionUID = 1L;

        private final transient HttpResponseStatus status;

        Refusal(HttpResponseStatus status) {
            this.status = status;
        }

        @Override
        public HttpResponseStatus suggestedStatus() {
            return status;
        }
    }

    private List<HttpRequest> receive(String text) {
        server.receive(text);
        List<HttpRequest> requests = new ArrayList<>();
        server.channel.takeReceived().forEach(message -> requests.add((HttpRequest) message));
        return requests;
    }

    private List<HttpRequest> open() {
        List<HttpRequest> open = new ArrayList<>();
        exchanges.forEachOpen(exchange -> open.add(exchange.getRequest()));
        return open;
    }

    // ---- where they are ----

    @Test
    void shouldBeThoseOfThePipelinesCodec() {
        SimpleChannelHandler handler = new SimpleChannelHandler();
        MemoryChannel channel = MemoryChannel.connected(new HttpServerCodec(), handler);
        Exchanges found = Exchanges.of(channel.getPipeline());
        assertSame(channel.getPipeline().get(HttpServerCodec.class).exchanges(), found);
        assertSame(found, Exchanges.require(channel.context(handler)));
    }

    @Test
    void shouldBeMissingWithoutACodec() {
        SimpleChannelHandler handler = new SimpleChannelHandler();
        MemoryChannel channel = MemoryChannel.open();
        channel.getPipeline().addLast("needy", handler);
        assertNull(Exchanges.of(channel.getPipeline()));
        IllegalStateException failure =
                assertThrows(IllegalStateException.class, () -> Exchanges.require(channel.context(handler)));
        assertTrue(failure.getMessage().startsWith("needy needs"), failure::getMessage);
    }

    @Test
    void shouldBeThoseOfTheChannelWithoutACodec() {
        Channel carrier = (Channel) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Channel.class, Exchanges.Carrier.class},
                (proxy, method, arguments) -> method.getName().equals("exchanges") ? exchanges : null);
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.attach(carrier, new AbstractChannelSink() {
            @Override
            public void eventSunk(ChannelPipeline to, ChannelEvent e) {}
        });
        assertSame(exchanges, Exchanges.of(pipeline));
    }

    /** Like a request on an HTTP/2 stream. */
    @ParameterizedTest
    @CsvSource({"HEAD,true,false", "CONNECT,false,true", "GET,false,false"})
    void shouldDescribeARequestWithoutAConnectionOfItsOwn(String method, boolean head, boolean connect) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "/");
        Exchange exchange = new Exchange(request, HttpExpectation.CONTINUE, 7) {};
        assertSame(request, exchange.getRequest());
        assertEquals(head, exchange.isHead());
        assertEquals(connect, exchange.isConnect());
        assertFalse(exchange.isHttp10());
        assertTrue(exchange.isKeptAlive());
        assertEquals(7, exchange.getContentLength());
        assertTrue(exchange.isAwaitingContinue());
        exchange.onContinued();
        assertFalse(exchange.isAwaitingContinue());
        assertEquals(HttpExpectation.CONTINUE, exchange.getExpectation());
    }

    @Test
    void shouldAwaitAnotherAnswerIfTheEndOfOneIsRefused() {
        Exchange exchange = new Exchange(
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"), HttpExpectation.NONE, -1) {};
        assertTrue(exchange.claim());
        exchange.end();
        assertTrue(exchange.isDone());
        exchange.reopen();
        assertTrue(exchange.isAwaited());
        assertTrue(exchange.claim());
        exchange.begin(Exchange.Framing.CHUNKS, 0);
        exchange.onContentWritten(5);
        assertTrue(exchange.hasBegun(), "only a declared length ends an answer");
        exchange.fail();
        assertTrue(exchange.isDone());
        assertFalse(exchange.hasBegun());
    }

    // ---- finding one ----

    @Test
    void shouldFindTheExchangeOfEachUnansweredRequest() {
        List<HttpRequest> requests = receive(GET.repeat(3));
        assertEquals(requests, open());
        for (HttpRequest request : requests) {
            assertSame(request, exchanges.ofDecoded(request).getRequest());
            assertSame(request, exchanges.of(request).getRequest());
        }
        assertSame(requests.get(0), exchanges.current().getRequest());
        assertSame(requests.get(2), exchanges.newest().getRequest());

        Exchange first = exchanges.current();
        server.answer(HttpResponseStatus.OK, "1");
        assertEquals(requests.subList(1, 3), open());
        assertNull(exchanges.ofDecoded(requests.get(0)));
        assertTrue(first.isDone());
        assertNull(first.getRequest(), "an answered exchange keeps nothing of its request");
    }

    @Test
    void shouldFallBackToTheNewestForARequestThatAHandlerHasReplaced() {
        assertNull(exchanges.of(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/")));
        List<HttpRequest> requests = receive(GET + GET);
        HttpRequest other = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        assertNull(exchanges.ofDecoded(other));
        assertSame(requests.get(1), exchanges.of(other).getRequest());
        server.answer(HttpResponseStatus.OK, "1");
        server.answer(HttpResponseStatus.OK, "2");
        assertNull(exchanges.of(other));
        assertNull(exchanges.ofDecoded(requests.get(1)));
        assertEquals(List.of(), open());
        assertNull(exchanges.current());
        assertEquals(0, exchanges.unanswered());
    }

    @Test
    void shouldSkipAnAnsweredExchangeAmongOpenOnes() {
        List<HttpRequest> requests = receive(GET.repeat(3));
        exchanges.ofDecoded(requests.get(1)).end();
        exchanges.ofDecoded(requests.get(2)).end();
        assertEquals(requests.subList(0, 1), open());
        assertNull(exchanges.ofDecoded(requests.get(1)));
        assertNull(exchanges.ofDecoded(requests.get(2)));
        assertNull(exchanges.of(requests.get(2)), "the newest is over, too");
    }

    @Test
    void shouldBeDueOnceTheAnswersBeforeHaveBeenPassedOn() {
        receive(GET + GET);
        Exchange first = exchanges.current();
        Exchange second = exchanges.newest();
        assertTrue(exchanges.isDue(first));
        assertFalse(exchanges.isDue(second));
        first.end();
        assertSame(second, exchanges.current());
        assertFalse(exchanges.isDue(second), "encoded, but not passed on");
        codec.onPassed(first);
        assertTrue(exchanges.isDue(second));
        second.end();
        assertFalse(exchanges.isDue(second));
        assertTrue(exchanges.isDue(null));
    }

    // ---- what arrives ----

    @Test
    void shouldCountWhatWasReceived() {
        assertEquals(0, exchanges.receivedRequests());
        receive(GET + GET + "GE");
        assertEquals(2, exchanges.receivedRequests());
        assertEquals(2 * GET.length() + 2, exchanges.receivedBytes());
        receive("T /\r\n\r\n");
        assertEquals(2, exchanges.receivedRequests(), "a refused head is no request");
        assertEquals(3, exchanges.unanswered(), "but is answered");
    }

    @Test
    void shouldReturnWhetherPartOfAHeadHasArrived() {
        assertFalse(exchanges.isReceivingHead());
        for (String part : List.of("\r", "\n", "G", "ET / HTTP/1.1\r\n", "Host: a\r\n\r")) {
            receive(part);
            assertTrue(exchanges.isReceivingHead(), part);
        }
        receive("\n");
        assertFalse(exchanges.isReceivingHead());
        receive("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n");
        assertFalse(exchanges.isReceivingHead());
        receive("ab");
        assertFalse(exchanges.isReceivingHead());
        server.receive("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (String part : List.of("2;", "a\r\n", "b", "c", "\r\n0\r\nA:")) {
            server.receive(part);
            assertFalse(exchanges.isReceivingHead(), part);
        }
    }

    @Test
    void shouldReceiveNoHeadAfterTheLastRequest() {
        receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nGE");
        assertFalse(exchanges.isReceivingHead());
    }

    @Test
    void shouldNotTakeWaitingBytesForPartOfAHead() {
        receive(GET.repeat(4));
        assertFalse(exchanges.hasUndecodedInput());
        receive("GE");
        assertFalse(exchanges.isReceivingHead());
        assertTrue(exchanges.hasUndecodedInput());
        server.answer(HttpResponseStatus.OK, "");
        assertTrue(exchanges.isReceivingHead());
        assertFalse(exchanges.hasUndecodedInput());
    }

    @Test
    void shouldReturnWhetherPartOfTheContentHasNotArrived() {
        assertFalse(exchanges.isReceivingContent());
        receive("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na");
        assertTrue(exchanges.isReceivingContent());
        assertEquals(2, exchanges.newest().getContentLength());
        receive("b");
        assertFalse(exchanges.isReceivingContent());
        server.receive("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertTrue(exchanges.isReceivingContent());
        assertEquals(-1, exchanges.newest().getContentLength());
        server.receive("0\r\n\r\n");
        assertFalse(exchanges.isReceivingContent());
        server.receive("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
        assertFalse(exchanges.isReceivingContent());
    }

    @Test
    void shouldReturnWhetherTheConnectionHasLeftHttp() {
        receive("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\nraw");
        assertFalse(exchanges.isUpgraded());
        assertFalse(exchanges.hasUndecodedInput());
        server.channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertTrue(exchanges.isUpgraded());
        assertFalse(exchanges.isRemoved());
        server.channel.getPipeline().remove(codec);
        assertTrue(exchanges.isRemoved());
    }

    // ---- heads that are refused ----

    @Test
    void shouldReserveThePlaceOfTheAnswerToAHeadThatIsLate() {
        receive(GET + "GE");
        Channels.fireExceptionCaught(server.channel, new Refusal(HttpResponseStatus.REQUEST_TIMEOUT));
        Channels.fireExceptionCaught(server.channel, new Refusal(HttpResponseStatus.REQUEST_TIMEOUT));
        assertEquals(2, exchanges.unanswered());
        Exchange late = exchanges.newest();
        assertNull(late.getRequest());
        assertFalse(late.isKeptAlive());
        assertFalse(exchanges.isDue(late));
        server.answer(HttpResponseStatus.OK, "");
        assertTrue(exchanges.isDue(late));
    }

    @ParameterizedTest
    @CsvSource({
        "'',408",
        "GE,503",
        "'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na',408",
    })
    void shouldReserveNoPlaceForOtherFailures(String received, int status) {
        server.receive(received);
        int before = exchanges.unanswered();
        Channels.fireExceptionCaught(server.channel, new Refusal(HttpResponseStatus.valueOf(status)));
        assertEquals(before, exchanges.unanswered());
    }

    // ---- one exchange ----

    @ParameterizedTest
    @CsvSource({
        "GET,1.1,,true,false,false,false",
        "HEAD,1.1,close,false,true,false,false",
        "GET,1.0,,false,false,false,true",
        "HEAD,1.0,keep-alive,true,true,false,true",
        "CONNECT,1.1,,true,false,true,false",
    })
    void shouldDescribeTheRequest(
            String method,
            String version,
            String connection,
            boolean keptAlive,
            boolean head,
            boolean connect,
            boolean http10) {
        String target = method.equals("CONNECT") ? "h:1" : "/";
        String asks = connection == null ? "" : "Connection: " + connection + "\r\n";
        receive(method + " " + target + " HTTP/" + version + "\r\nHost: h:1\r\n" + asks + "\r\n");
        Exchange exchange = exchanges.current();
        assertEquals(keptAlive, exchange.isKeptAlive());
        assertEquals(head, exchange.isHead());
        assertEquals(connect, exchange.isConnect());
        assertEquals(http10, exchange.isHttp10());
        assertEquals(-1, exchange.getContentLength());
        assertEquals(HttpExpectation.NONE, exchange.getExpectation());
    }

    @ParameterizedTest
    @CsvSource({
        "100-Continue,1.1,CONTINUE",
        "100-continue,1.0,NONE",
        "fast,1.1,UNKNOWN",
        "100-continuex,1.1,UNKNOWN",
    })
    void shouldReturnWhatTheClientExpects(String value, String version, HttpExpectation expectation) {
        server.receive("PUT / HTTP/" + version + "\r\nHost: a\r\nExpect: " + value + "\r\nContent-Length: 2\r\n\r\n");
        Exchange exchange = exchanges.current();
        assertEquals(expectation, exchange.getExpectation());
        assertEquals(expectation == HttpExpectation.CONTINUE, exchange.isAwaitingContinue());
        server.answer(HttpResponseStatus.OK, "");
        assertEquals(expectation, exchange.getExpectation());
        assertFalse(exchange.isAwaitingContinue());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103})
    void shouldAwaitContinueUntilItIsSent(int code) {
        server.receive("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        server.channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(code)));
        assertEquals(code != 100, exchanges.current().isAwaitingContinue());
        server.receive("a");
        assertFalse(exchanges.current().isAwaitingContinue(), "the client doesn't wait");
        assertTrue(exchanges.current().isReceivingContent());
    }

    @Test
    void shouldBeAwaitedUntilItsAnswerBegins() {
        receive(GET);
        Exchange exchange = exchanges.current();
        assertTrue(exchange.isAwaited());
        assertFalse(exchange.hasBegun());
        assertTrue(exchange.claim());
        assertTrue(exchange.isAwaited());
        assertFalse(exchange.claim());
        exchange.withdrawClaim();

        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 2);
        server.channel.write(response);
        assertFalse(exchange.isAwaited());
        assertTrue(exchange.hasBegun());
        assertFalse(exchange.isDone());
        exchange.withdrawClaim();
        assertTrue(exchange.hasBegun(), "a claim is withdrawn before the head is written");
        server.channel.write(ChannelBuffers.wrappedBuffer(new byte[1]));
        assertEquals(1, exchange.remainingBytes());
        server.channel.write(ChannelBuffers.wrappedBuffer(new byte[1]));
        assertFalse(exchange.hasBegun());
        assertTrue(exchange.isDone());
    }

    @Test
    void shouldKeepWhatHandlersAttachUntilTheAnswerHasBeenPassedOn() {
        receive(GET);
        Exchange exchange = exchanges.current();
        Object owner = new Object();
        assertNull(exchange.attachment(owner));
        exchange.attach(owner, "old");
        exchange.attach("other", "x");
        exchange.attach(owner, "new");
        assertEquals("new", exchange.attachment(owner));
        assertEquals("x", exchange.attachment("other"));
        assertNull(exchange.attachment(new Object()));
        server.answer(HttpResponseStatus.OK, "");
        assertNull(exchange.attachment(owner));
    }
}
