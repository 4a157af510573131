package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.handler.codec.http.websocketx.Frames.concat;
import static org.freshet.handler.codec.http.websocketx.Frames.hex;
import static org.freshet.handler.codec.http.websocketx.Frames.masked;
import static org.freshet.handler.codec.http.websocketx.HandshakeTexts.request;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.group.ChannelGroup;
import org.freshet.channel.group.DefaultChannelGroup;
import org.freshet.handler.codec.http.EndlessClient;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.testing.Await;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Misbehaving clients, over sockets. */
class WebSocketFaultTest {
    private static final int TRIES = 10;

    private final ChannelGroup connections = new DefaultChannelGroup();
    private Rig rig;

    @AfterEach
    void close() {
        rig.close();
    }

    private InetSocketAddress serve(SocketTransport transport) {
        rig = transport.newRig();
        WebSocketServerConfig config = WebSocketServerConfig.builder("/chat").build();
        rig.server()
                .setPipelineFactory(() -> Channels.pipeline(
                        new HttpServerCodec(), new WebSocketServerProtocolHandler(config), new WebSocketHandler() {
                            @Override
                            public void webSocketOpened(ChannelHandlerContext ctx, WebSocketHandshakeEvent e) {
                                connections.add(ctx.getChannel());
                            }

                            @Override
                            public void frameReceived(ChannelHandlerContext ctx, WebSocketFrame frame) {
                                ctx.getChannel().write(frame);
                            }

                            @Override
                            public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
                                if (!(e.getCause() instanceof WebSocketFailure)) {
                                    e.getChannel().close();
                                }
                            }
                        }));
        return (InetSocketAddress) rig.server()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
    }

    private static ScriptedPeer open(InetSocketAddress server) throws IOException {
        ScriptedPeer peer = ScriptedPeer.connect(server).send(request());
        assertEquals("HTTP/1.1 101 Switching Protocols", peer.readLine());
        while (!peer.readLine().isEmpty()) {
            // the other headers
        }
        return peer;
    }

    @ParameterizedTest
    @EnumSource
    void shouldContinueWhereverClientsDisappear(SocketTransport transport) throws IOException {
        InetSocketAddress server = serve(transport);
        byte[] conversation = concat(
                request().getBytes(ISO_8859_1), masked(0x81, "Hello"), masked(0x02, new byte[1000]), masked(0x88, ""));
        for (int length = 0; length < conversation.length; length += 37) {
            ScriptedPeer peer = ScriptedPeer.connect(server).send(Arrays.copyOf(conversation, length));
            peer.reset();
        }
        try (ScriptedPeer peer = open(server)) {
            peer.send(masked(0x81, "Hello"));
            assertArrayEquals(hex("810548656c6c6f"), peer.read(7));
            peer.send(masked(0x88, hex("03e8")));
            assertArrayEquals(hex("880203e8"), peer.readToEnd());
        }
        Await.until(connections::isEmpty, () -> "the end of all connections; there are " + connections.size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendARefusedClientTheReason(SocketTransport transport) throws IOException {
        InetSocketAddress server = serve(transport);
        byte[][] refused = {hex("8100"), hex("82ff0000000001000001"), masked(0x81, hex("ff"))};
        String[] closes = {"880203ea", "880203f1", "880203ef"};
        for (int i = 0; i < refused.length; i++) {
            try (ScriptedPeer peer = open(server).send(refused[i])) {
                assertArrayEquals(hex(closes[i]), peer.readToEnd());
            }
        }
    }

    /** A plain close would reset the connection, because there are always unread bytes. */
    @ParameterizedTest
    @EnumSource
    void shouldSendARefusedClientThatSendsForeverTheReason(SocketTransport transport) throws IOException {
        InetSocketAddress server = serve(transport);
        String endless = "Content-Length: 1000000000000\r\n\r\n";
        String evil = request().replace("\r\n\r\n", "\r\nOrigin: http://evil.example\r\n" + endless);
        String old = request().replace("Version: 13", "Version: 6").replace("\r\n\r\n", "\r\n" + endless);
        for (int i = 0; i < TRIES; i++) {
            String forbidden = EndlessClient.converse(server, evil, new byte[65536]);
            assertTrue(forbidden.startsWith("HTTP/1.1 403 "), "try " + i + ": " + forbidden);
            assertTrue(forbidden.endsWith("origin not allowed"), "try " + i + ": " + forbidden);
            String unknown = EndlessClient.converse(server, old, new byte[65536]);
            assertTrue(unknown.startsWith("HTTP/1.1 426 "), "try " + i + ": " + unknown);
            assertTrue(unknown.contains("\r\nSec-WebSocket-Version: 13\r\n"), "try " + i + ": " + unknown);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendAClientThatSendsForeverTheReasonThatItsFrameIsTooLong(SocketTransport transport) throws IOException {
        InetSocketAddress server = serve(transport);
        byte[] tooLong = concat(hex("82ff0000000001000001"), new byte[65536]);
        for (int i = 0; i < TRIES; i++) {
            String sent = EndlessClient.converse(server, request(), tooLong);
            assertTrue(sent.endsWith("\r\n\r\n\u0088\u0002\u0003\u00f1"), "try " + i + ": " + sent);
        }
    }
}
