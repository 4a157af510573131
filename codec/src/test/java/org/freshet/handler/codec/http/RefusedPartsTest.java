package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.NotYetConnectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.NameResolver;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.testing.Await;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request or an answer that is refused on its way to the socket never counts as sent, and nothing takes its place. */
class RefusedPartsTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static HttpRequest request(HttpMethod method) {
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, "/");
    }

    private static HttpRequest put(long length) {
        HttpRequest request = request(HttpMethod.PUT);
        request.setChunked(true);
        if (length > 0) {
            HttpHeaders.setContentLength(request, length);
        }
        return request;
    }

    private static HttpResponse response() {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.setChunked(true);
        return response;
    }

    private static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, ISO_8859_1);
    }

    private static HttpChunk chunk(String text) {
        return new DefaultHttpChunk(bytes(text));
    }

    /** From now on, writes are refused. */
    private static void fill(MemoryChannel channel) {
        channel.holdWrites();
        channel.turnWritable(false);
        channel.limit((int) WriteAccount.waitingBytes(channel), WriteOverflow.FAIL);
    }

    private static void drain(MemoryChannel channel) {
        channel.limit(0);
        channel.turnWritable(true);
    }

    private static void assertOverflow(ChannelFuture written) {
        assertInstanceOf(WriteOverflowException.class, written.getCause());
    }

    private static void assertFailed(ChannelFuture written) {
        assertNotNull(written.getCause());
    }

    private static void assertEnded(HttpTestServer side, String sent) {
        drain(side.channel);
        assertEquals(sent, side.takeSent());
        assertFalse(side.channel.isOpen());
        assertEquals(CloseReason.Kind.OVERFLOW, side.channel.getCloseReason().kind());
        assertEquals(0, WriteAccount.waitingBytes(side.channel));
    }

    // ---- a client ----

    private final HttpTestServer client = new HttpTestServer(new HttpClientCodec(HttpLimits.defaults(), true));

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT"})
    void shouldForgetAWholeRequestThatIsRefused(String method) {
        client.channel.write(request(HttpMethod.valueOf(method)));
        client.channel.write(request(HttpMethod.HEAD));
        client.takeSent();
        fill(client.channel);
        assertOverflow(client.channel.write(request(HttpMethod.HEAD)));
        assertOverflow(client.channel.write(request(HttpMethod.valueOf(method))));
        drain(client.channel);
        client.channel.write(request(HttpMethod.valueOf(method)));
        assertEquals(method + " / HTTP/1.1\r\n\r\n", client.takeSent());
        client.receive(OK + "ab" + OK + OK + "cd");
        assertEquals(
                List.of(
                        "200 OK HTTP/1.1 Content-Length:2 <ab>",
                        "200 OK HTTP/1.1 Content-Length:2 <>",
                        "200 OK HTTP/1.1 Content-Length:2 <cd>"),
                client.takeReceived());
        client.channel.close();
        assertEquals(List.of(), client.channel.takeCaught(), "no answer is missing");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 10})
    void shouldSendNothingOfARequestWhoseHeadIsRefused(long length) {
        fill(client.channel);
        assertOverflow(client.channel.write(put(length)));
        drain(client.channel);
        client.channel.write(chunk("GET / HTTP"));
        client.channel.write(bytes("GET / HTTP"));
        client.channel.write(HttpChunk.LAST_CHUNK);
        client.channel.write(request(HttpMethod.GET));
        assertEnded(client, "");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 4})
    void shouldCloseIfAChunkOfARequestIsRefused(long length) {
        client.channel.write(put(length));
        client.takeSent();
        fill(client.channel);
        assertOverflow(client.channel.write(chunk("ab")));
        drain(client.channel);
        assertFailed(client.channel.write(chunk("cd")));
        assertEnded(client, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONNECT", "GET"})
    void shouldSendNothingAfterARefusedRequestThatMayEndHttp(String method) {
        HttpRequest upgrade = request(HttpMethod.valueOf(method));
        upgrade.headers().set("Upgrade", "x");
        fill(client.channel);
        assertOverflow(client.channel.write(upgrade));
        drain(client.channel);
        assertFailed(client.channel.write(bytes("raw")));
        assertEnded(client, "");
    }

    @Test
    void shouldSendNothingThatTheListenerOfARefusedChunkWrites() {
        client.channel.write(put(-1));
        client.takeSent();
        fill(client.channel);
        ChannelFuture refused = Channels.future(client.channel);
        List<ChannelFuture> end = new ArrayList<>();
        boolean[] wasOpen = {true};
        refused.addListener(done -> {
            drain(client.channel);
            end.add(client.channel.write(HttpChunk.LAST_CHUNK));
            wasOpen[0] = client.channel.isOpen();
        });
        client.channel
                .getPipeline()
                .sendDownstream(new DownstreamMessageEvent(client.channel, refused, chunk("a"), null));
        assertOverflow(refused);
        assertFailed(end.get(0));
        assertFalse(wasOpen[0]);
        assertEnded(client, "");
    }

    /** The close may take a while, for example if a handler below announces it to the peer. */
    @Test
    void shouldSendNothingThatTheListenerOfARefusedChunkWritesBeforeTheClose() {
        LinkedBlockingQueue<ChannelStateEvent> closes = new LinkedBlockingQueue<>();
        HttpTestServer slow = new HttpTestServer(
                new SimpleChannelDownstreamHandler() {
                    @Override
                    public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
                        closes.add(e);
                    }
                },
                new HttpClientCodec());
        slow.channel.write(put(-1));
        slow.takeSent();
        fill(slow.channel);
        ChannelFuture refused = Channels.future(slow.channel);
        refused.addListener(done -> {
            drain(slow.channel);
            slow.channel.write(HttpChunk.LAST_CHUNK);
        });
        slow.channel.getPipeline().sendDownstream(new DownstreamMessageEvent(slow.channel, refused, chunk("a"), null));
        assertEquals("", slow.takeSent());
        assertFalse(closes.isEmpty());
    }

    @Test
    void shouldGoOnAfterARequestThatContradictsItself() {
        HttpRequest request = request(HttpMethod.POST);
        request.setContent(bytes("abc"));
        HttpHeaders.setContentLength(request, 2);
        assertInstanceOf(
                IllegalArgumentException.class, client.channel.write(request).getCause());
        client.channel.takeCaught();
        assertTrue(client.channel.write(request(HttpMethod.GET)).isSuccess());
        client.receive(OK + "ab");
        assertEquals(List.of("200 OK HTTP/1.1 Content-Length:2 <ab>"), client.takeReceived());
    }

    // ---- a client that isn't connected yet ----

    private static final class Answers extends SimpleChannelUpstreamHandler {
        final BlockingQueue<String> received = new LinkedBlockingQueue<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            received.add(Decoded.describe(e.getMessage()));
        }
    }

    private static ChannelFuture connect(Rig rig, ScriptedServer server, Answers answers, CountDownLatch known) {
        ClientBootstrap bootstrap = rig.client();
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new HttpClientCodec(), answers));
        NameResolver slow = host -> {
            Await.latch(known, "the test knows what happened to the early request");
            return List.of(InetAddress.getLoopbackAddress());
        };
        bootstrap.setOption(ChannelOption.NAME_RESOLVER, slow);
        return bootstrap.connect(InetSocketAddress.createUnresolved(
                "server.example", server.address().getPort()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldForgetAWholeRequestThatIsWrittenTooEarly(SocketTransport transport) throws Exception {
        try (Rig rig = transport.newRig();
                ScriptedServer server = ScriptedServer.listen()) {
            Answers answers = new Answers();
            CountDownLatch known = new CountDownLatch(1);
            ChannelFuture connected = connect(rig, server, answers, known);
            Channel channel = connected.getChannel();
            ChannelFuture head = channel.write(request(HttpMethod.HEAD));
            assertInstanceOf(NotYetConnectedException.class, Await.failure(head, "the early request"));
            known.countDown();
            try (ScriptedPeer peer = server.accept()) {
                Await.success(connected, "the connect");
                Await.success(channel.write(request(HttpMethod.GET)), "the request");
                peer.send((OK + "ab").getBytes(ISO_8859_1));
                assertEquals(
                        "200 OK HTTP/1.1 Content-Length:2 <ab>",
                        answers.received.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendNothingOfARequestWhoseHeadIsWrittenTooEarly(SocketTransport transport) throws Exception {
        try (Rig rig = transport.newRig();
                ScriptedServer server = ScriptedServer.listen()) {
            CountDownLatch known = new CountDownLatch(1);
            ChannelFuture connected = connect(rig, server, new Answers(), known);
            Channel channel = connected.getChannel();
            ChannelFuture head = channel.write(put(10));
            assertInstanceOf(NotYetConnectedException.class, Await.failure(head, "the early head"));
            known.countDown();
            Await.failure(channel.write(chunk("GET / HTTP")), "its content");
            Await.success(channel.getCloseFuture(), "the close");
            assertEquals(CloseReason.Kind.WRITE_FAILED, channel.getCloseReason().kind());
        }
    }

    // ---- a server ----

    private final HttpTestServer server = new HttpTestServer(new HttpServerCodec());

    @Test
    void shouldCloseIfAWholeAnswerIsRefused() {
        server.receive(GET + GET);
        fill(server.channel);
        server.answer(HttpResponseStatus.OK, "secret");
        drain(server.channel);
        server.answer(HttpResponseStatus.OK, "other");
        assertEnded(server, "");
    }

    @Test
    void shouldCloseIfAHeadIsRefused() {
        server.receive(GET);
        fill(server.channel);
        assertOverflow(server.channel.write(response()));
        drain(server.channel);
        assertFailed(server.channel.write(chunk("HTTP/1.1 200 OK\r\n\r\n")));
        assertEnded(server, "");
    }

    @Test
    void shouldCloseIfAChunkOfAnAnswerIsRefused() {
        server.receive(GET);
        server.channel.write(response());
        server.takeSent();
        fill(server.channel);
        assertOverflow(server.channel.write(chunk("ab")));
        drain(server.channel);
        assertFailed(server.channel.write(HttpChunk.LAST_CHUNK));
        assertEnded(server, "");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAlsoCloseWithoutACodec(boolean isChunk) {
        HttpTestServer plain = new HttpTestServer(new HttpRequestDecoder(), new HttpResponseEncoder());
        plain.receive(GET);
        if (isChunk) {
            plain.channel.write(response());
            plain.takeSent();
        }
        fill(plain.channel);
        assertOverflow(plain.channel.write(isChunk ? chunk("ab") : response()));
        assertEnded(plain, "");
    }

    @Test
    void shouldStayOpenIfAWriteIsRefusedAfterASwitchOfProtocols() {
        server.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
        HttpResponse switching = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        switching.headers().set("Connection", "Upgrade").set("Upgrade", "x");
        server.channel.write(switching);
        server.takeSent();
        fill(server.channel);
        assertOverflow(server.channel.write(bytes("frame")));
        drain(server.channel);
        server.channel.write(bytes("next"));
        assertEquals("next", server.takeSent());
    }
}
