package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.buffer.ByteString;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.server.route.HttpResponses;
import org.freshet.handler.codec.http.server.route.RequestHandler;
import org.freshet.handler.codec.http.server.route.RoutedRequest;
import org.freshet.handler.codec.http2.Http2Settings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolEncoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolSettings;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolTls;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolTlv;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolVersion;
import org.freshet.testing.Await;
import org.freshet.testing.FakeTimer;
import org.freshet.testing.MemoryChannel;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How a ready-made pipeline handles the PROXY protocol. HttpServerPipelineMatrixTest covers it with each other option,
 * over every protocol.
 */
class ProxyProtocolPipelineTest {
    private static final String REQUEST =
            "GET /source HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n";

    private final BlockingQueue<AccessLogEntry> log = new LinkedBlockingQueue<>();

    private static String line(String client) {
        return "PROXY TCP4 " + client + " 198.51.100.1 4711 443\r\n";
    }

    private static HttpServerPipeline.Builder trusting(HttpServerPipeline.Builder builder) {
        return builder.proxyProtocol("127.0.0.0/8", "::1/128");
    }

    /** Sends a request after a header, and returns the content of the answer. */
    private static String ask(ScriptedPeer peer, String header) throws IOException {
        peer.send(header + REQUEST);
        int length = -1;
        String head = peer.readLine();
        assertEquals("HTTP/1.1 200 OK", head);
        while (!head.isEmpty()) {
            head = peer.readLine();
            if (head.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(head.substring(15).strip());
            }
        }
        return peer.readText(length);
    }

    private static HttpResponse tell(RoutedRequest request) {
        RequestSource source = request.source();
        boolean isSecure = RequestOrigin.isSame("https://a.example", request.request(), request.channel());
        return HttpResponses.text(source.scheme() + " " + source.address() + (isSecure ? " secure" : ""));
    }

    private static void addTelling(HttpServerPipeline.Builder builder) {
        builder.firstHandler("tell", () -> RequestHandler.of(ProxyProtocolPipelineTest::tell));
    }

    @ParameterizedTest
    @EnumSource
    void shouldIdentifyTheClientOfEachRequest(ReadyServer.Kind kind) throws Exception {
        try (ReadyServer server = new ReadyServer(kind, builder -> {
                    addTelling(trusting(builder));
                    builder.accessLog(entry -> {
                        log.add(entry);
                        return null;
                    });
                });
                ScriptedPeer peer = ScriptedPeer.connect(server.address())) {
            for (int request = 0; request < 3; request++) {
                assertEquals("http /203.0.113.7:4711", ask(peer, request == 0 ? line("203.0.113.7") : ""));
                AccessLogEntry entry = log.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertEquals(new InetSocketAddress("203.0.113.7", 4711), entry.clientAddress());
                assertEquals(peer.localAddress(), entry.remoteAddress());
            }
        }
    }

    /** The header names the peer that connected to the balancer: another proxy, or a client that forges headers. */
    @Test
    void shouldTrustForwardedHeadersOfAClientNamedByTheBalancer() throws Exception {
        try (ReadyServer server = new ReadyServer(ReadyServer.Kind.NIO, builder -> {
            addTelling(trusting(builder));
            builder.forwarded(TrustedProxies.xForwarded("10.0.0.0/8", "127.0.0.0/8"));
        })) {
            String[] clients = {"10.1.2.3", "203.0.113.7"};
            String[] sources = {"http /192.0.2.9:0", "http /203.0.113.7:4711"};
            for (int i = 0; i < clients.length; i++) {
                try (ScriptedPeer peer = ScriptedPeer.connect(server.address())) {
                    assertEquals(sources[i], ask(peer, line(clients[i])));
                }
            }
        }
    }

    @Test
    void shouldTakeTheSchemeFromABalancerThatTerminatesTls() throws Exception {
        ProxyProtocolSettings settings = ProxyProtocolSettings.trusting("127.0.0.0/8");
        ProxyProtocolHeader header = ProxyProtocolHeader.proxied(
                        new InetSocketAddress("203.0.113.7", 4711), new InetSocketAddress("198.51.100.1", 443))
                .withTlv(
                        ProxyProtocolTlv.SSL,
                        new ProxyProtocolTls(true, false, false, "TLSv1.3", null, null).toByteString());
        for (boolean isKept : new boolean[] {true, false}) {
            try (ReadyServer server = new ReadyServer(ReadyServer.Kind.NIO, builder -> {
                        addTelling(builder);
                        builder.proxyProtocol(isKept ? settings.withTlvs(ProxyProtocolTlv.SSL) : settings);
                    });
                    ScriptedPeer peer = ScriptedPeer.connect(server.address())) {
                assertEquals(
                        isKept ? "https /203.0.113.7:4711 secure" : "http /203.0.113.7:4711", ask(peer, block(header)));
            }
        }
    }

    private static String block(ProxyProtocolHeader header) {
        MemoryChannel channel =
                MemoryChannel.connected(new ProxyProtocolEncoder(ProxyProtocolVersion.V2, header, true));
        return new String(
                ByteString.copyOf((ChannelBuffer) channel.takeWritten().get(0)).toByteArray(), ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {REQUEST, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PROXY TCP4 203.0.113.7\r\n" + REQUEST})
    void shouldAnswerNothingToWhatIsNoHeader(String bytes) throws Exception {
        for (ReadyServer.Kind kind : ReadyServer.Kind.values()) {
            try (ReadyServer server =
                            new ReadyServer(kind, builder -> trusting(builder).http2(Http2Settings.defaults()));
                    ScriptedPeer peer = ScriptedPeer.connect(server.address())) {
                Await.until(() -> server.open.size() <= 1, "no connection except perhaps the peer's");
                peer.send(bytes);
                peer.awaitEnd();
                assertTrue(server.targets.isEmpty());
            }
        }
    }

    @Test
    void shouldNotAnswerAnUntrustedPeer() throws Exception {
        BlockingQueue<Channel> closed = new LinkedBlockingQueue<>();
        try (ReadyServer server = new ReadyServer(
                        ReadyServer.Kind.NIO,
                        builder -> builder.proxyProtocol("10.0.0.0/8")
                                .firstHandler("watch", () -> (ChannelUpstreamHandler) (ctx, e) -> {
                                    ctx.getChannel()
                                            .getCloseFuture()
                                            .addListener(done -> closed.add(done.getChannel()));
                                    ctx.sendUpstream(e);
                                }));
                ScriptedPeer peer = ScriptedPeer.connect(server.address())) {
            peer.awaitEnd();
            Channel channel = closed.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertEquals(Kind.REFUSED, channel.getCloseReason().kind());
        }
    }

    @Test
    void shouldRefuseToBuildInvalidCombinations() {
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(new FakeTimer());
        assertThrows(IllegalArgumentException.class, () -> builder.proxyProtocol());
        assertThrows(IllegalArgumentException.class, () -> builder.proxyProtocol("10.0.0.1"));
        builder.handler("proxyProtocol", () -> RequestHandler.of(ProxyProtocolPipelineTest::tell));
        assertThrows(IllegalStateException.class, builder::build);
    }
}
