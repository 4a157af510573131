package org.freshet.handler.codec.http.websocketx;

import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.bytes;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.takeSent;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpLimits;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.internal.WebSocketProof;
import org.freshet.handler.codec.http.websocketx.HandshakeTexts.Http;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several extensions a connection uses, and that those it doesn't use are released. */
class WebSocketExtensionChoiceTest {
    private final List<Marking> extensions = new ArrayList<>();

    /** Puts a mark before what is sent. It is released once or more. */
    private record Marking(String mark, int rsv, List<String> released) implements WebSocketExtension {
        @Override
        public WebSocketFrame decode(WebSocketFrame frame) {
            frame.setRsv(0);
            return new TextWebSocketFrame(mark + ((TextWebSocketFrame) frame).getText());
        }

        @Override
        public WebSocketFrame encode(WebSocketFrame frame) {
            return new TextWebSocketFrame(
                    true, frame.getRsv() | rsv, mark + new TextWebSocketFrame(frame.content()).getText());
        }

        @Override
        public void release() {
            released.add(mark);
        }
    }

    /** An extension that a peer refuses with the parameter {@code no}, and that fails with {@code fails}. */
    private final class Negotiator implements WebSocketExtensionNegotiator {
        private final String name;
        private final int rsv;

        Negotiator(String name, int rsv) {
            this.name = name;
            this.rsv = rsv;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Accepted accept(WebSocketExtensionSpec offer, HttpLimits limits) {
            if (offer.toString().contains("fails")) {
                throw new IllegalStateException("planned");
            }
            return offer.toString().contains("no") ? null : new Accepted(offer, extension());
        }

        @Override
        public List<WebSocketExtensionSpec> offers() {
            return List.of(new WebSocketExtensionSpec(name));
        }

        @Override
        public WebSocketExtension agree(WebSocketExtensionSpec answer, HttpLimits limits) {
            if (answer.toString().contains("fails")) {
                throw new IllegalStateException("planned");
            }
            return extension();
        }

        private WebSocketExtension extension() {
            Marking marking = new Marking(name, rsv, new ArrayList<>());
            extensions.add(marking);
            return marking;
        }
    }

    private final List<WebSocketExtensionNegotiator> negotiators =
            List.of(new Negotiator("a", 4), new Negotiator("b", 2), new Negotiator("c", 4), new Negotiator("d", 6));

    private List<String> released() {
        return extensions.stream()
                .filter(each -> !each.released.isEmpty())
                .map(Marking::mark)
                .toList();
    }

    // ---- a server ----

    private MemoryChannel server() {
        return Http.CODEC.serverChannel(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpRequest request) {
                    new WebSocketServerHandshaker13("ws://x", null, HttpLimits.standard(), negotiators)
                            .handshake(ctx.getChannel(), request);
                } else {
                    ctx.sendUpstream(e);
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "a, b | a, b | ''",
                "b, a | b, a | ''",
                "a, c, b | a, b | c",
                "c, a | c | a",
                "a, d | a | d",
                "b, d | b | d",
                "d, a, b | d | ab",
                "a; no, c | c | ''",
                "a, a; x | a | ''",
                "x, b | b | ''",
                "x | none | ''",
            })
    void shouldAcceptTheClientsFirstForEachReservedBit(String offered, String accepted, String unused) {
        MemoryChannel channel = server();
        channel.receive(bytes(request("Sec-WebSocket-Extensions: " + offered)));
        String sent = takeSent(channel);
        assertEquals(accepted != null, sent.contains("Sec-WebSocket-Extensions"));
        assertTrue(accepted == null || sent.contains("\r\nSec-WebSocket-Extensions: " + accepted + "\r\n"), sent);
        assertEquals(unused, String.join("", released()));
        channel.close();
        assertEquals(extensions.size(), released().size(), "all are released in the end");
    }

    @Test
    void shouldUseThemInTheOrderOfTheOffers() {
        MemoryChannel channel = server();
        channel.receive(bytes(request("Sec-WebSocket-Extensions: b, a")));
        takeSent(channel);
        channel.write(new TextWebSocketFrame("x"));
        assertEquals(List.of("bytes e103616278"), Frames.describe(channel.takeWritten()), "a of b of x");
        channel.receive(ChannelBuffers.wrappedBuffer(masked(0xe1, "x")));
        assertEquals(List.of("Text 'bax'"), Frames.describe(channel.takeReceived()), "b of a of x");
    }

    @Test
    void shouldReleaseThemIfAnotherOneFails() {
        MemoryChannel channel = server();
        channel.receive(bytes(request("Sec-WebSocket-Extensions: a, b; fails")));
        assertInstanceOf(IllegalStateException.class, channel.takeCaught().get(0));
        assertEquals(List.of("a"), released());
    }

    @Test
    void shouldReleaseThemIfThePipelineCannotSwitch() {
        MemoryChannel parser = Http.CODEC.serverChannel();
        parser.receive(bytes(request("Sec-WebSocket-Extensions: a, b")));
        HttpRequest request = (HttpRequest) parser.takeReceived().get(0);
        WebSocketServerHandshaker handshaker =
                new WebSocketServerHandshaker13("ws://x", null, HttpLimits.standard(), negotiators);
        MemoryChannel channel = MemoryChannel.connected();
        assertThrows(IllegalStateException.class, () -> handshaker.handshake(channel, request));
        assertEquals(List.of("a", "b"), released());
    }

    // ---- a client ----

    private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S{24})\r\n");

    /** Returns the channel after the server's answer. */
    private MemoryChannel answered(String extensions) throws Exception {
        WebSocketClientHandshaker handshaker =
                new WebSocketClientHandshaker13(URI.create("ws://x/"), null, null, HttpLimits.standard(), negotiators);
        MemoryChannel channel = Http.CODEC.clientChannel(new SimpleChannelUpstreamHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                if (e.getMessage() instanceof HttpResponse response) {
                    handshaker.finishHandshake(ctx.getChannel(), response);
                } else {
                    ctx.sendUpstream(e);
                }
            }
        });
        handshaker.handshake(channel);
        String request = takeSent(channel);
        assertTrue(request.contains("\r\nSec-WebSocket-Extensions: a, b, c, d\r\n"), request);
        Matcher key = KEY.matcher(request);
        assertTrue(key.find());
        channel.receive(bytes(HandshakeTexts.response("Sec-WebSocket-Extensions: " + extensions)
                .replace(HandshakeTexts.ACCEPT, WebSocketProof.of(key.group(1)))));
        return channel;
    }

    @Test
    void shouldUseTheServersChoiceInItsOrder() throws Exception {
        MemoryChannel channel = answered("b, a");
        assertEquals(List.of(), channel.takeCaught());
        channel.receive(ChannelBuffers.wrappedBuffer(Frames.unmasked(0xe1, "x")));
        assertEquals(List.of("Text 'bax'"), Frames.describe(channel.takeReceived()));
        assertEquals(List.of(), released());
        channel.close();
        assertEquals(List.of("b", "a"), released());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a, c | the server chose two extensions that use the same reserved bit: c",
                "a, b, d | the server chose two extensions that use the same reserved bit: d",
                "a, x | the server chose an extension that was not offered: x",
                "a, a | the server chose an extension that was not offered: a",
                "a, b; fails | planned"
            })
    void shouldReleaseAllIfItRefusesTheServersChoice(String chosen, String why) throws Exception {
        MemoryChannel channel = answered(chosen);
        assertEquals(why, channel.takeCaught().get(0).getMessage());
        assertFalse(channel.isOpen());
        assertFalse(extensions.isEmpty());
        assertEquals(extensions.size(), released().size());
    }

    @Test
    void shouldAcceptWhatTheApplicationHandlesItself() throws Exception {
        WebSocketClientHandshaker13 own =
                new WebSocketClientHandshaker13(URI.create("ws://x/"), WebSocketVersion.V13, null, true, null);
        MemoryChannel channel = Http.CODEC.clientChannel();
        own.handshake(channel);
        Matcher key = KEY.matcher(takeSent(channel));
        assertTrue(key.find());
        channel.receive(bytes(HandshakeTexts.response("Sec-WebSocket-Extensions: own")
                .replace(HandshakeTexts.ACCEPT, WebSocketProof.of(key.group(1)))));
        own.finishHandshake(channel, (HttpResponse) channel.takeReceived().get(0));
        channel.receive(ChannelBuffers.wrappedBuffer(Frames.unmasked(0xd2, "x")));
        assertEquals(List.of("Binary rsv5 78"), Frames.describe(channel.takeReceived()));
    }
}
