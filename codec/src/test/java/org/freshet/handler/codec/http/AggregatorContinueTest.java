package org.freshet.handler.codec.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Which clients an {@link HttpChunkAggregator} asks to send their content. */
class AggregatorContinueTest {
    private static final String GET = "GET / HTTP/1.1\r\n\r\n";
    private static final String WAITING_PUT = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private final HttpChunkAggregator aggregator = new HttpChunkAggregator(10);

    private HttpTestServer pipelining() {
        HttpLimits limits =
                HttpLimits.defaults().toBuilder().maxPipelinedRequests(2).build();
        return new HttpTestServer(new HttpServerCodec(limits), aggregator);
    }

    @Test
    void shouldSendContinueWithoutACodec() {
        HttpTestServer server = new HttpTestServer(new HttpRequestDecoder(), new HttpResponseEncoder(), aggregator);
        server.receive(WAITING_PUT);
        assertEquals(CONTINUE, server.takeSent());
        server.receive("ab");
        assertEquals(List.of("PUT / HTTP/1.1 Expect:100-continue Content-Length:2 <ab>"), server.takeReceived());
    }

    /** A response doesn't wait for anything, whatever its headers are. */
    @Test
    void shouldSendNothingForAResponse() {
        HttpTestServer client = new HttpTestServer(new HttpClientCodec(), aggregator);
        client.channel.write(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        client.takeSent();
        client.receive("HTTP/1.1 200 OK\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertEquals("", client.takeSent());
    }

    @Test
    void shouldSendNothingWhenNoClientWaits() {
        HttpTestServer server = pipelining();
        server.receive("PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\na");
        server.channel.setReadable(false);
        server.channel.setReadable(true);
        assertEquals("", server.takeSent());
        assertEquals(List.of(), server.takeReceived());
    }

    /** Once is enough, however many answers and other events follow. */
    @Test
    void shouldSendContinueOnce() {
        HttpTestServer server = pipelining();
        server.receive(GET + WAITING_PUT);
        server.answer(HttpResponseStatus.OK, "one");
        assertTrue(server.takeSent().endsWith("one" + CONTINUE));
        server.channel.setReadable(false);
        server.channel.setReadable(true);
        assertEquals("", server.takeSent());
    }

    @Test
    void shouldForgetAWaitingClientWhenItIsRemoved() {
        HttpTestServer server = pipelining();
        server.receive(GET + WAITING_PUT);
        server.channel.getPipeline().remove(aggregator);
        MemoryChannel other = MemoryChannel.connected(aggregator);
        server.answer(HttpResponseStatus.OK, "one");
        other.setReadable(false);
        assertEquals(List.of(), other.takeWritten());
    }

    @Test
    void shouldPassOnWhetherTheChannelIsWritable() {
        MemoryChannel channel = MemoryChannel.connected(new HttpChunkAggregator(10));
        channel.takeUpstream();
        channel.turnWritable(false);
        assertTrue(channel.takeUpstream().stream()
                .anyMatch(
                        e -> e instanceof ChannelStateEvent change && change.getState() == ChannelState.INTEREST_OPS));
    }
}
