package org.freshet.handler.codec.http.server;

import static org.freshet.handler.codec.http.server.WireExchange.response;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;

/** Requests decoded after the previous answer has been written, and answers written within others. */
class HttpLateRequestsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private final FakeTimer timer = new FakeTimer();

    @Test
    void shouldAnswerALateRefusalOfAHead() {
        List<String> lines = new ArrayList<>();
        WireExchange client = new WireExchange(
                new HttpServerCodec(),
                new AccessLogHandler(AccessLogFormat.common(), lines::add),
                new HttpErrorResponder());
        client.receive(GET + "GET / HTTP/1.1\r\nHost : a\r\n\r\n");
        client.answer("one");
        String sent = client.sent();
        assertTrue(sent.contains("HTTP/1.1 400 "), sent);
        assertTrue(lines.size() == 2, lines::toString);
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldNotTreatAClientAsIdleWhoseRequestWaited() {
        WireExchange client = new WireExchange(
                new HttpTimeoutHandler(timer, HttpTimeouts.defaults(), timer::nanos), new HttpServerCodec());
        ((MemoryChannel) client.channel()).holdTasks();
        client.receive(GET + GET);
        client.answer("one");
        ((MemoryChannel) client.channel()).runTasks();
        timer.advanceMillis(200_000);
        ((MemoryChannel) client.channel()).runTasks();
        assertTrue(client.channel().isOpen(), "closed while the handler works");
        client.answer("two");
        timer.advanceMillis(59_000);
        ((MemoryChannel) client.channel()).runTasks();
        assertTrue(client.channel().isOpen(), "idle for less than the limit");
        timer.advanceMillis(1_000);
        ((MemoryChannel) client.channel()).runTasks();
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldLimitTheAnswerToARequestThatWaited() {
        WireExchange client = new WireExchange(
                new HttpTimeoutHandler(
                        timer, HttpTimeouts.defaults().withResponse(Duration.ofSeconds(5)), timer::nanos),
                new HttpServerCodec(),
                new HttpErrorResponder());
        client.receive(GET + GET);
        timer.advanceMillis(4_000);
        client.answer("one");
        client.sent();
        timer.advanceMillis(4_000);
        assertTrue(client.channel().isOpen());
        timer.advanceMillis(2_000); // of a waiting request, up to twice the limit
        assertTrue(client.sent().startsWith("HTTP/1.1 503 "));
        assertFalse(client.channel().isOpen());
    }

    @Test
    void shouldNotCloseAfterAHeadWhoseListenerWritesTheContent() {
        MemoryChannel channel = MemoryChannel.connected(new HttpServerCodec(), new HttpKeepAliveHandler(false));
        channel.receive(WireExchange.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);
        ChannelFuture sent = Channels.future(channel);
        sent.addListener((ChannelFutureListener) done -> {
            channel.holdWrites();
            channel.write(HttpChunk.LAST_CHUNK);
        });
        channel.getPipeline().sendDownstream(new DownstreamMessageEvent(channel, sent, head, null));
        assertTrue(channel.isOpen(), "closed before the content was sent");
        channel.completeWrites();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldServeRequestsOfACodecThatReplacesAnother() {
        MemoryChannel channel = MemoryChannel.connected(new HttpServerCodec(), new HttpKeepAliveHandler(false));
        channel.receive(WireExchange.bytes(GET));
        channel.write(response(200, "one"));
        channel.getPipeline().replace(HttpServerCodec.class, "other", new HttpServerCodec());
        channel.takeWritten();
        channel.receive(WireExchange.bytes("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        channel.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertFalse(channel.isOpen(), "the client asked for that");
    }
}
