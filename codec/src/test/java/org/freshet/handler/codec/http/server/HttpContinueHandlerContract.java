package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Supplier;
import org.freshet.channel.ChannelHandler;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.junit.jupiter.api.Test;

/** Behavior shared by HTTP/1.1 and HTTP/2. */
abstract class HttpContinueHandlerContract {
    static final String GO_ON = "HTTP/1.1 100 Continue\r\n\r\n";

    private final TextClient.Wire wire;

    HttpContinueHandlerContract(TextClient.Wire wire) {
        this.wire = wire;
    }

    final WireExchange client(Supplier<HttpContinueHandler> handler) {
        return new WireExchange(wire, () -> new ChannelHandler[] {new HttpErrorResponder(), handler.get()});
    }

    static String post(String expectation, int length) {
        return "POST /up HTTP/1.1\r\nHost: a\r\nExpect: " + expectation + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void shouldSend100ContinueOnce() {
        WireExchange client =
                new WireExchange(wire, () -> new ChannelHandler[] {
                    new HttpErrorResponder(), new HttpContinueHandler(), new HttpChunkAggregator(100)
                });
        client.receive(post("100-Continue", 3));
        assertEquals(GO_ON, client.sent());
        client.receive("abc");
        HttpRequest request = (HttpRequest) client.takeReceived().get(0);
        assertFalse(request.headers().contains("Expect"));
        client.answer("ok");
        assertTrue(client.sent().endsWith("ok"));
        client.receive(post("100-continue", 3));
        assertEquals(GO_ON, client.sent());
    }

    @Test
    void shouldAnswerAnUnknownExpectationWith417() {
        WireExchange client = client(() -> new HttpContinueHandler());
        client.receive(post("200-ok", 3) + "abc");
        assertTrue(client.sent().startsWith("HTTP/1.1 417 "));
        assertEquals(List.of(), client.targets());
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldAnswer413InsteadOfAcceptingTooMuch() {
        WireExchange client = client(() -> new HttpContinueHandler(10));
        client.receive(post("100-continue", 11));
        assertTrue(client.sent().startsWith("HTTP/1.1 413 "));
        WireExchange other = client(() -> new HttpContinueHandler(10));
        other.receive("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n01234567890");
        assertTrue(other.sent().startsWith("HTTP/1.1 413 "));
        assertEquals(List.of(), other.targets());
    }

    @Test
    void shouldAnswerAsTheFunctionDecides() {
        WireExchange client = client(
                () -> new HttpContinueHandler(request -> request.headers().contains("Authorization")
                        ? HttpResponseStatus.CONTINUE
                        : HttpResponseStatus.UNAUTHORIZED));
        client.receive(
                "POST /up HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc");
        assertEquals(GO_ON, client.sent());
        client.channel().write(response(204, ""));
        client.sent();
        client.receive(post("100-continue", 3));
        assertTrue(client.sent().startsWith("HTTP/1.1 401 "));
        assertEquals(List.of("/up"), client.targets());
    }

    @Test
    void shouldPassARequestWithoutAnExpectation() {
        WireExchange client = client(() -> new HttpContinueHandler(10));
        client.receive("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
        assertEquals("", client.sent());
        assertEquals(List.of("/up"), client.targets());
    }
}
