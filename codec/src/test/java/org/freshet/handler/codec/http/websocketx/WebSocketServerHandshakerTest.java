package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.ACCEPT;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpFailure;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketServerHandshakerTest {
    /** Hand-written server code in the style of Netty 3: receives the request, and frames afterwards. */
    private static final class Upgrader extends SimpleChannelUpstreamHandler {
        final WebSocketServerHandshakerFactory factory;
        WebSocketServerHandshaker handshaker;
        ChannelFuture done;

        Upgrader(String subprotocols) {
            factory = new WebSocketServerHandshakerFactory("ws://example.com/chat", subprotocols, false);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (!(e.getMessage() instanceof HttpRequest request)) {
                ctx.sendUpstream(e);
                return;
            }
            handshaker = factory.newHandshaker(request);
            done = handshaker == null
                    ? factory.sendUnsupportedWebSocketVersionResponse(ctx.getChannel())
                    : handshaker.handshake(ctx.getChannel(), request);
        }
    }

    private final Upgrader upgrader = new Upgrader("chat, superchat");

    // ---- RFC 6455 ----

    @ParameterizedTest
    @EnumSource
    void shouldSwitchToFrames(Http http) {
        MemoryChannel channel = http.serverChannel(upgrader);
        channel.receive(bytes(request()));
        assertEquals(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                        + ACCEPT + "\r\n\r\n",
                takeSent(channel));
        assertTrue(upgrader.done.isSuccess());
        assertEquals(WebSocketVersion.V13, upgrader.handshaker.getVersion());
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "Hello")));
        assertEquals(List.of("Text 'Hello'"), Frames.describe(channel.takeReceived()));
        channel.write(new TextWebSocketFrame("Hello"));
        assertEquals(List.of("bytes 810548656c6c6f"), Frames.describe(channel.takeWritten()));
        assertEquals(List.of("wsdecoder", "wsencoder"), webSocketHandlers(channel));
        assertNull(channel.getPipeline().get(HttpServerCodec.class));
        assertEquals(List.of(), channel.takeCaught());
    }

    private static List<String> webSocketHandlers(MemoryChannel channel) {
        List<String> names = new ArrayList<>(channel.getPipeline().getNames());
        names.removeIf(name -> !name.startsWith("ws"));
        names.sort(null);
        return names;
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeFramesReceivedWithTheRequestHoweverTheyAreSplit(Http http) {
        byte[] input =
                concat(request().getBytes(ISO_8859_1), masked(0x81, "one"), masked(0x89, ""), masked(0x81, "two"));
        for (int cut = 1; cut < input.length; cut++) {
            Upgrader fresh = new Upgrader(null);
            MemoryChannel channel = http.serverChannel(fresh);
            channel.receive(ChannelBuffers.copiedBuffer(input, 0, cut));
            channel.receive(ChannelBuffers.copiedBuffer(input, cut, input.length - cut));
            assertEquals(
                    List.of("Text 'one'", "Ping ", "Text 'two'"),
                    Frames.describe(channel.takeReceived()),
                    "cut " + cut);
            assertEquals(List.of(), channel.takeCaught());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecodeFramesAfterTheRequestEvenIfTheAnswerIsStillBeingWritten(Http http) {
        MemoryChannel channel = http.serverChannel(upgrader).holdWrites();
        channel.receive(ChannelBuffers.wrappedBuffer(
                concat(request().getBytes(ISO_8859_1), masked(0x81, "one"), masked(0x81, "two"))));
        channel.write(new TextWebSocketFrame("early"));
        assertFalse(upgrader.done.isDone());
        assertEquals(List.of("Text 'one'", "Text 'two'"), Frames.describe(channel.takeReceived()));
        channel.completeWrites();
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "three")));
        channel.write(new TextWebSocketFrame("late"));
        assertEquals(List.of("Text 'three'"), Frames.describe(channel.takeReceived()));
        assertTrue(takeSent(channel).endsWith("\r\n\r\n\u0081\u0005early\u0081\u0004late"));
        assertEquals(List.of(), channel.takeCaught());
    }

    @Test
    void shouldSendTheAnswerFirstEvenIfFramesArriveBeforeTheHandshakeIsDone() {
        List<HttpRequest> requests = new ArrayList<>();
        MemoryChannel channel = Http.CODEC.serverChannel(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpRequest request) {
                    requests.add(request);
                } else {
                    ctx.getChannel().write(e.getMessage());
                }
            }
        });
        channel.receive(bytes(request()));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "Hi")));
        new WebSocketServerHandshaker13("ws://x", null, false).handshake(channel, requests.get(0));
        String sent = takeSent(channel);
        assertTrue(sent.startsWith("HTTP/1.1 101 ") && sent.endsWith("\r\n\r\n\u0081\u0002Hi"), sent);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRemoveTheAggregator(Http http) {
        MemoryChannel channel = http.serverChannel(new HttpChunkAggregator(1000), upgrader);
        channel.receive(bytes(request()));
        assertNull(channel.getPipeline().get(HttpChunkAggregator.class));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a, superchat, chat; chat, superchat; superchat",
                "chat; chat,superchat; chat",
                "anything, else; *; anything",
            })
    void shouldChooseTheFirstSubprotocolThatBothSupport(String asked, String spoken, String chosen) {
        Upgrader own = new Upgrader(spoken);
        MemoryChannel channel = Http.CODEC.serverChannel(own);
        channel.receive(bytes(request("Sec-WebSocket-Protocol: " + asked)));
        assertTrue(takeSent(channel).contains("Sec-WebSocket-Protocol: " + chosen + "\r\n"));
        assertEquals(chosen, own.handshaker.getSelectedSubprotocol());
    }

    @Test
    void shouldReadSubprotocolsFromSeveralHeaders() {
        MemoryChannel channel = Http.CODEC.serverChannel(upgrader);
        channel.receive(bytes(request("Sec-WebSocket-Protocol: a", "Sec-WebSocket-Protocol: chat")));
        assertEquals("chat", upgrader.handshaker.getSelectedSubprotocol());
        assertEquals(new LinkedHashSet<>(List.of("chat", "superchat")), upgrader.handshaker.getSubprotocols());
    }

    @Test
    void shouldRefuseUnsupportedSubprotocols() {
        shouldRefuse(
                Http.CODEC,
                request("Sec-WebSocket-Protocol: a"),
                "the server supports none of the requested sub-protocols: a");
    }

    /** CVE-2026-59898, and similar attacks. */
    @ParameterizedTest
    @ValueSource(strings = {"13", "8", "7"})
    void shouldCheckTheRequestOfEveryVersion(String version) {
        String good = request().replace("Version: 13", "Version: " + version);
        String handshake = "cannot switch the request to WebSocket: ";
        for (Http http : Http.values()) {
            shouldRefuse(
                    http, good.replace("Upgrade: websocket\r\n", ""), handshake + "Upgrade does not name websocket");
            shouldRefuse(
                    http,
                    good.replace("Upgrade: websocket", "Upgrade: h2c"),
                    handshake + "Upgrade does not name websocket");
            shouldRefuse(
                    http, good.replace("Connection: Upgrade\r\n", ""), handshake + "Connection does not name Upgrade");
            shouldRefuse(
                    http,
                    good.replace("Connection: Upgrade", "Connection: keep-alive, notupgrade"),
                    handshake + "Connection does not name Upgrade");
            shouldRefuse(http, good.replace("GET", "POST"), handshake + "its method is POST");
            shouldRefuse(
                    http,
                    good.replace("HTTP/1.1", "HTTP/1.0").replace("Connection: U", "Connection: keep-alive, U"),
                    handshake + "its version is HTTP/1.0");
            shouldRefuse(
                    http,
                    good.replace("Upgrade: w", "Content-Length: 2\r\nUpgrade: w") + "ab",
                    handshake + "it has content");
            shouldRefuse(http, good.replaceAll("Sec-WebSocket-Key: .*\r\n", ""), handshake + "it has no key");
            for (String key : List.of(
                    "x",
                    "dGhlIHNhbXBsZSBub25jZQ",
                    "dGhlIHNhbXBsZSBub25j",
                    "dGhlIHNhbXBsZSBub25jZQ=x",
                    "",
                    "*".repeat(24))) {
                shouldRefuse(
                        http, good.replace(HandshakeTexts.KEY, key), handshake + "its key is not 16 bytes in Base64");
            }
            shouldRefuse(
                    http,
                    good.replace("Sec-WebSocket-Key: ", "Sec-WebSocket-Key: x\r\nSec-WebSocket-Key: "),
                    handshake + "its key is not 16 bytes in Base64");
        }
    }

    private static void shouldRefuse(Http http, String request, String why) {
        Upgrader own = new Upgrader(null);
        MemoryChannel channel = http.serverChannel(own);
        channel.receive(bytes(request));
        List<Throwable> caught = channel.takeCaught();
        assertEquals(1, caught.size(), () -> request + caught);
        assertEquals(why, caught.get(0).getMessage());
        assertInstanceOf(WebSocketHandshakeException.class, caught.get(0));
        assertEquals(400, ((HttpFailure) caught.get(0)).suggestedStatus().getCode());
        assertEquals("", takeSent(channel));
        assertEquals(List.of(), webSocketHandlers(channel));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAcceptTokensInAnyCaseAndAmongOthers(Http http) {
        MemoryChannel channel = http.serverChannel(upgrader);
        channel.receive(bytes(request()
                .replace("Connection: Upgrade", "Connection: keep-alive, upgrade")
                .replace("Upgrade: websocket", "Upgrade: h2c, WebSocket")));
        assertTrue(takeSent(channel).startsWith("HTTP/1.1 101 "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "0", "x", "1", "-13", "13, 8"})
    void shouldAnswerUnknownVersionWith426(String version) {
        MemoryChannel channel = Http.CODEC.serverChannel(upgrader);
        channel.receive(bytes(request().replace("Version: 13", "Version: " + version)));
        assertEquals(
                "HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\nContent-Length: 0\r\n\r\n",
                takeSent(channel));
    }

    @Test
    void shouldSendCloseFrameAndThenClose() {
        MemoryChannel channel = Http.CODEC.serverChannel(upgrader);
        channel.receive(bytes(request()));
        takeSent(channel);
        channel.holdWrites();
        upgrader.handshaker.close(channel, new CloseWebSocketFrame(1001, "bye"));
        assertEquals(List.of("bytes 880503e9627965"), Frames.describe(channel.takeWritten()));
        assertTrue(channel.isOpen());
        channel.completeWrites();
        assertFalse(channel.isOpen());
    }

    @Test
    void shouldNameTheRemedyIfThePipelineHasNoHttpHandlers() {
        MemoryChannel channel = MemoryChannel.connected(new HttpChunkAggregator(100));
        WebSocketServerHandshaker13 handshaker = new WebSocketServerHandshaker13("ws://x", null, false);
        MemoryChannel parser = Http.CODEC.serverChannel();
        parser.receive(bytes(request()));
        HttpRequest request = (HttpRequest) parser.takeReceived().get(0);
        Throwable failure = assertThrows(IllegalStateException.class, () -> handshaker.handshake(channel, request));
        assertTrue(failure.getMessage().contains("HttpServerCodec"), failure::getMessage);
    }

    // ---- drafts ----

    @ParameterizedTest
    @CsvSource({"8, V08", "7, V07"})
    void shouldSupportTheHybiDrafts(String header, WebSocketVersion version) {
        MemoryChannel channel = Http.DECODER_AND_ENCODER.serverChannel(upgrader);
        channel.receive(bytes(request("Sec-WebSocket-Protocol: chat").replace("Version: 13", "Version: " + header)));
        String sent = takeSent(channel);
        assertTrue(sent.contains("Sec-WebSocket-Accept: " + ACCEPT + "\r\n"), sent);
        assertTrue(sent.contains("Sec-WebSocket-Protocol: chat\r\n"), sent);
        assertEquals(version, upgrader.handshaker.getVersion());
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0x81, "Hello")));
        assertEquals(List.of("Text 'Hello'"), Frames.describe(channel.takeReceived()));
    }

    /** The example of draft-hixie-thewebsocketprotocol-76, section 1.3. */
    private static final String HIXIE_76 = "GET /demo HTTP/1.1\r\nHost: example.com\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key2: 12998 5 Y3 1  .P00\r\nSec-WebSocket-Protocol: chat\r\nUpgrade: WebSocket\r\n"
            + "Sec-WebSocket-Key1: 4 @1  46546xW%0l 1 5\r\nOrigin: http://example.com\r\n\r\n^n:ds[4U";

    @ParameterizedTest
    @EnumSource
    void shouldSupportDraft00(Http http) {
        byte[] input = concat(HIXIE_76.getBytes(ISO_8859_1), Frames.hex("00 48656c6c6f ff"));
        for (int cut = 1; cut < input.length; cut++) {
            MemoryChannel channel = http.serverChannel(upgrader);
            channel.receive(ChannelBuffers.copiedBuffer(input, 0, cut));
            channel.receive(ChannelBuffers.copiedBuffer(input, cut, input.length - cut));
            assertEquals(
                    "HTTP/1.1 101 WebSocket Protocol Handshake\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Origin: http://example.com\r\nSec-WebSocket-Location: ws://example.com/chat\r\n"
                            + "Sec-WebSocket-Protocol: chat\r\n\r\n8jKS'y:G*Co,Wxa-",
                    takeSent(channel));
            assertEquals(List.of("Text 'Hello'"), Frames.describe(channel.takeReceived()));
            assertEquals(List.of(), channel.takeCaught());
            channel.close();
            channel.getPipeline().remove(upgrader);
        }
    }

    @Test
    void shouldSupportHixie75() {
        MemoryChannel channel = Http.CODEC.serverChannel(upgrader);
        channel.receive(bytes("GET /demo HTTP/1.1\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\nHost: example.com\r\n"
                + "Origin: http://example.com\r\nWebSocket-Protocol: chat\r\n\r\n"));
        assertEquals(
                "HTTP/1.1 101 Web Socket Protocol Handshake\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
                        + "WebSocket-Origin: http://example.com\r\nWebSocket-Location: ws://example.com/chat\r\n"
                        + "WebSocket-Protocol: chat\r\n\r\n",
                takeSent(channel));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-WebSocket-Key1: 4@14654600l15", // no blanks
                "Sec-WebSocket-Key1: 4 @1  46546xW%0l 1 6", // not a multiple of the number of blanks
                "Sec-WebSocket-Key1: 9999999999999999999999 9",
            })
    void shouldRefuseMalformedDraft00Key(String key) {
        MemoryChannel channel = Http.CODEC.serverChannel(upgrader);
        channel.receive(bytes(HIXIE_76.replace("Sec-WebSocket-Key1: 4 @1  46546xW%0l 1 5", key)));
        assertInstanceOf(WebSocketHandshakeException.class, channel.takeCaught().get(0));
        assertEquals("", takeSent(channel));
    }

    // ---- extensions ----

    @Test
    void shouldAcceptTheFirstOfferThatItsNegotiatorAccepts() {
        MemoryChannel channel = Http.CODEC.serverChannel(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpRequest request) {
                    new WebSocketServerHandshaker13(
                                    "ws://x", null, HttpLimits.standard(), List.of(new ReverseExtension()))
                            .handshake(ctx.getChannel(), request);
                } else {
                    ctx.sendUpstream(e);
                }
            }
        });
        channel.receive(bytes(request(
                "Sec-WebSocket-Extensions: unknown; a=1, x-reverse; bad, x-reverse; ok=\"1\"",
                "Sec-WebSocket-Extensions: x-reverse; ok=2")));
        assertTrue(takeSent(channel).contains("\r\nSec-WebSocket-Extensions: x-reverse; ok=1\r\n"));
        channel.receive(ChannelBuffers.wrappedBuffer(
                concat(masked(0xc1, "abc"), masked(0x81, "abc"), masked(0x89, "abc"), masked(0x41, "abc"))));
        assertEquals(
                List.of("Text 'cba'", "Text 'abc'", "Ping 616263", "Text more 636261"),
                Frames.describe(channel.takeReceived()));
        channel.write(new TextWebSocketFrame("abc"));
        channel.write(new PongWebSocketFrame());
        assertEquals(List.of("bytes c103636261", "bytes 8a00"), Frames.describe(channel.takeWritten()));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0xc0, "abc")));
        assertEquals(
                "reserved bits 4 set in a frame with opcode 0",
                channel.takeCaught().get(0).getMessage());
    }

    @Test
    void shouldCheckTextAfterAnExtensionHasDecodedIt() {
        DecoderSplitChecker.of(() -> new WebSocket13FrameDecoder(
                        true, false, HttpLimits.standard(), List.of(new ReverseExtension.Reverse())))
                .comparing(Frames::describe)
                .check(concat(masked(0x41, Frames.hex("a9c3")), masked(0x80, Frames.hex("80")), masked(0x81, "x")));
        MemoryChannel channel = MemoryChannel.connected(new WebSocket13FrameDecoder(
                true, false, HttpLimits.standard(), List.of(new ReverseExtension.Reverse())));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0xc1, Frames.hex("a9c3"))));
        assertEquals(List.of("Text 'é'"), Frames.describe(channel.takeReceived()));
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0xc1, Frames.hex("c3a9"))));
        assertEquals(1007, ((WebSocketFailure) channel.takeCaught().get(0)).closeCode());
    }

    @Test
    void shouldRefuseMalformedExtensions() {
        for (String bad : List.of(";", "a;", "a b", "a; b=", "a; b=\"", "a; b=\"x y\"", "a; =b", "ä")) {
            assertThrows(WebSocketHandshakeException.class, () -> WebSocketExtensionSpec.parse(List.of(bad)), bad);
        }
        assertEquals(List.of(), WebSocketExtensionSpec.parse(List.of("", " , ")));
        assertEquals(
                "[a; b; c=d, e]",
                WebSocketExtensionSpec.parse(List.of(" a ; b;c = \"d\" ", "e")).toString());
    }
}
