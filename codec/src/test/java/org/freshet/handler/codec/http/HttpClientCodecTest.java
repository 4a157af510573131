package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.InputShutdownEvent;
import org.freshet.handler.codec.PrematureChannelClosureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HttpClientCodecTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";

    private final HttpTestServer client = new HttpTestServer(new HttpClientCodec(4096, 8192, 8192, true));

    @Test
    void shouldReadTheAnswerToHeadWithoutContent() {
        ask(HttpMethod.HEAD);
        ask(HttpMethod.GET);
        client.receive(OK + OK + "ab");
        assertEquals(
                List.of("200 OK HTTP/1.1 Content-Length:2 <>", "200 OK HTTP/1.1 Content-Length:2 <ab>"),
                client.takeReceived());
    }

    @Test
    void shouldNotTakeAnInterimResponseForTheAnswer() {
        ask(HttpMethod.GET);
        ask(HttpMethod.HEAD);
        client.receive("HTTP/1.1 103 x\r\n\r\nHTTP/1.1 100 y\r\n\r\n" + OK + "ab" + OK);
        assertEquals(
                List.of(
                        "103 x HTTP/1.1 <>",
                        "100 y HTTP/1.1 <>",
                        "200 OK HTTP/1.1 Content-Length:2 <ab>",
                        "200 OK HTTP/1.1 Content-Length:2 <>"),
                client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.takeReceived());
    }

    @Test
    void shouldRefuseAnUnsolicitedResponse() {
        ask(HttpMethod.GET);
        client.receive(OK + "ab" + OK + "cd");
        assertEquals(List.of("200 OK HTTP/1.1 Content-Length:2 <ab>", "failure 502"), client.takeReceived());
        assertFalse(client.channel.isOpen());
    }

    @Test
    void shouldRefuseASwitchOfProtocolsThatWasNotAskedFor() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nraw");
        List<String> received = client.takeReceived();
        assertEquals(2, received.size(), "the failure, and that the response is missing");
        assertEquals("failure 502", received.get(1));
        assertFalse(client.channel.isOpen());
    }

    @Test
    void shouldSwitchProtocolsIfRequested() {
        HttpRequest upgrade = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        upgrade.headers().set("Upgrade", "x").set("Connection", "Upgrade");
        client.channel.write(upgrade);
        client.receive("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nraw");
        assertEquals(List.of("101 x HTTP/1.1 Upgrade:x Connection:Upgrade <>", "raw raw"), client.takeReceived());
    }

    @Test
    void shouldPassBytesThroughATunnel() {
        ask(HttpMethod.CONNECT);
        client.receive("HTTP/1.1 201 x\r\nTransfer-Encoding: chunked\r\n\r\nraw");
        assertEquals("raw raw", client.takeReceived().get(1));
    }

    @Test
    void shouldReadTheRefusalOfATunnelAsAResponse() {
        ask(HttpMethod.CONNECT);
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 407 x\r\nContent-Length: 2\r\n\r\nab" + OK + "cd");
        assertEquals(
                List.of("407 x HTTP/1.1 Content-Length:2 <ab>", "200 OK HTTP/1.1 Content-Length:2 <cd>"),
                client.takeReceived());
    }

    @Test
    void shouldFailForEachResponseThatIsMissingWhenTheChannelCloses() {
        ask(HttpMethod.GET);
        ask(HttpMethod.GET);
        client.receive(OK + "a");
        client.channel.close();
        List<Throwable> caught = client.channel.takeCaught();
        assertEquals(1, caught.size());
        assertEquals(PrematureChannelClosureException.class, caught.get(0).getClass());
        assertTrue(caught.get(0).getMessage().contains("2 response"), caught.get(0)::getMessage);
    }

    @Test
    void shouldCountAResponseThatEndsWithTheConnection() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        client.channel.close();
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab", "end"), client.takeReceived());
    }

    @ParameterizedTest
    @EnumSource(
            value = CloseReason.Kind.class,
            names = {"PEER_RESET", "READ_FAILED", "TIMED_OUT", "TLS", "SHUTDOWN"})
    void shouldNotCountAResponseThatIsCutOff(CloseReason.Kind kind) {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        Channels.noteCloseReason(client.channel, CloseReason.of(kind));
        client.channel.close();
        List<Throwable> caught = client.channel.takeCaught();
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab"), client.takeReceived());
        assertEquals(2, caught.size(), "one for the response, one for its request");
        assertEquals(PrematureChannelClosureException.class, caught.get(0).getClass());
    }

    @Test
    void shouldEndAResponseThatTheEndOfTheInputEnds() {
        ask(HttpMethod.GET);
        client.receive("HTTP/1.1 200 OK\r\n\r\nab");
        client.channel.getPipeline().sendUpstream(new InputShutdownEvent(client.channel));
        assertEquals(List.of("200 OK HTTP/1.1 chunked", "chunk ab", "end"), client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.takeReceived());
        assertEquals(List.of(), client.channel.takeCaught());
    }

    private void ask(HttpMethod method) {
        client.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/"));
    }
}
