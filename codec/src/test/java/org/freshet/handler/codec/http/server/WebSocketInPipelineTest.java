package org.freshet.handler.codec.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.EndlessClient;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.codec.http.websocketx.TextWebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.codec.http.websocketx.WebSocketHandler;
import org.freshet.handler.codec.http.websocketx.WebSocketServerConfig;
import org.freshet.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSocket after the ready-made handlers, with all of them in the pipeline. */
class WebSocketInPipelineTest {
    private static final String LONG_TEXT = "text of the application; ".repeat(100);

    private static final String UPGRADE =
            "GET /chat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Accept-Encoding: gzip\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final HashedWheelTimer timer = new HashedWheelTimer();
    private Rig rig;

    @AfterEach
    void close() {
        rig.close();
        timer.stop();
    }

    private InetSocketAddress serve(SocketTransport transport) {
        rig = transport.newRig();
        WebSocketServerConfig chat =
                WebSocketServerConfig.builder("/chat").timer(timer).build();
        rig.server()
                .setPipelineFactory(HttpServerPipeline.builder(timer)
                        .aggregate(64 * 1024)
                        .accessLog(entry -> {
                            log.add(entry.target() + ' ' + entry.status());
                            return null;
                        })
                        .compress(CompressionRules.defaults())
                        .cors(CorsRules.builder()
                                .allow("https://example.com", rule -> {})
                                .build())
                        .chunkedWrites()
                        .handler("webSocket", () -> new WebSocketServerProtocolHandler(chat))
                        .handler("chat", Chat::new)
                        .handler("application", Application::new)
                        .build());
        return (InetSocketAddress)
                rig.server().bind(new InetSocketAddress("127.0.0.1", 0)).getLocalAddress();
    }

    private static final class Chat extends WebSocketHandler {
        @Override
        public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
            if (frame instanceof TextWebSocketFrame text && text.getText().equals("throw")) {
                throw new IllegalStateException("a fault of the application");
            }
            ctx.getChannel().write(frame);
        }
    }

    private static final class Application extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            assertTrue(e.getMessage() instanceof HttpRequest, () -> "not a request: " + e.getMessage());
            HttpResponse response = WireExchange.response(200, LONG_TEXT);
            response.headers().set("Content-Type", "text/plain");
            e.getChannel().write(response);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSwitchAConnectionThatHasServedRequests(SocketTransport transport) throws IOException {
        try (ScriptedPeer client = ScriptedPeer.connect(serve(transport))) {
            client.send("GET /text HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
            List<String> head = readHead(client);
            assertEquals("HTTP/1.1 200 OK", head.get(0));
            client.read(Integer.parseInt(value(head, "Content-Length")));
            assertEquals("gzip", value(head, "Content-Encoding"));
            open(client);
            client.send(text("Hello")).send(text("again"));
            assertArrayEquals(bytes("810548656c6c6f" + "8105616761696e"), client.read(14));
            client.send(frame(0x88, bytes("03e8")));
            assertArrayEquals(bytes("880203e8"), client.readToEnd());
        }
        awaitLog("/text 200", "/chat 101");
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndAConnectionWhoseHandlerFailsWithACloseFrame(SocketTransport transport) throws IOException {
        try (ScriptedPeer client = ScriptedPeer.connect(serve(transport))) {
            open(client);
            client.send(text("throw"));
            assertArrayEquals(bytes("880203e8"), client.readToEnd());
        }
        awaitLog("/chat 101");
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendTheReasonToAClientThatSendsForever(SocketTransport transport) throws IOException {
        InetSocketAddress server = serve(transport);
        byte[] tooLong = new byte[65536];
        System.arraycopy(bytes("82ff0000000001000001"), 0, tooLong, 0, 10);
        String evil =
                UPGRADE.replace("\r\n\r\n", "\r\nOrigin: http://evil.example\r\nContent-Length: 1000000000000\r\n\r\n");
        for (int i = 0; i < 5; i++) {
            String sent = EndlessClient.converse(server, UPGRADE, tooLong);
            assertTrue(sent.endsWith("\r\n\r\n\u0088\u0002\u0003\u00f1"), "try " + i + ": " + sent);
            String refused = EndlessClient.converse(server, evil, new byte[65536]);
            assertTrue(refused.startsWith("HTTP/1.1 4"), "try " + i + ": " + refused);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAHandshakeWithALoggedAnswer(SocketTransport transport) throws IOException {
        try (ScriptedPeer client = ScriptedPeer.connect(serve(transport))) {
            client.send(UPGRADE.replace("Version: 13", "Version: 12"));
            List<String> head = readHead(client);
            assertEquals("HTTP/1.1 426 Upgrade Required", head.get(0));
            assertEquals("13", value(head, "Sec-WebSocket-Version"));
            assertEquals("close", value(head, "Connection"));
            client.awaitEnd();
        }
        awaitLog("/chat 426");
    }

    // ---- helpers ----

    private void awaitLog(String... lines) {
        Await.until(() -> log.size() >= lines.length, () -> "the log; so far: " + log);
        assertEquals(List.of(lines), log);
    }

    private static void open(ScriptedPeer client) throws IOException {
        client.send(UPGRADE);
        List<String> head = readHead(client);
        assertEquals("HTTP/1.1 101 Switching Protocols", head.get(0));
        assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", value(head, "Sec-WebSocket-Accept"));
        assertEquals("Upgrade", value(head, "Connection"));
    }

    private static List<String> readHead(ScriptedPeer client) throws IOException {
        List<String> lines = new CopyOnWriteArrayList<>();
        for (String line = client.readLine(); !line.isEmpty(); line = client.readLine()) {
            lines.add(line);
        }
        return lines;
    }

    private static String value(List<String> head, String name) {
        return head.stream()
                .filter(line -> line.startsWith(name + ": "))
                .map(line -> line.substring(name.length() + 2))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + head));
    }

    private static byte[] text(String text) {
        return frame(0x81, text.getBytes(ISO_8859_1));
    }

    /** With the mask 0, which changes nothing. */
    private static byte[] frame(int first, byte[] content) {
        byte[] frame = new byte[6 + content.length];
        frame[0] = (byte) first;
        frame[1] = (byte) (0x80 | content.length);
        System.arraycopy(content, 0, frame, 6, content.length);
        return frame;
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
