package org.freshet.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A connection through a proxy whose side the test plays byte by byte. */
abstract class ProxyConversation {
    static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("target.invalid", 443);

    /** The requests of the handlers for {@link #TARGET}, in hexadecimal, and the answers. */
    static final String INIT = "050100";

    static final String INIT_ANSWER = "0500";
    static final String CMD = "050100030e" + hex("target.invalid") + "01bb";
    static final String CMD_ANSWER = "05000001000000000000";

    final Recorder client = new Recorder();
    Rig rig;
    ScriptedServer proxy;

    @BeforeEach
    void start() throws IOException {
        rig = new Rig(new NioServerSocketChannelFactory(), new NioClientSocketChannelFactory());
        proxy = ScriptedServer.listen();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        rig.close();
    }

    static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(ISO_8859_1));
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    static void assertSends(ScriptedPeer peer, String hex) throws IOException {
        assertEquals(hex, HexFormat.of().formatHex(peer.read(hex.length() / 2)));
    }

    /** Plays a SOCKS 5 proxy that wants no credentials and opens the tunnel. */
    static void openTunnel(ScriptedPeer peer) throws IOException {
        peer.send(bytes(INIT_ANSWER));
        assertSends(peer, CMD);
        peer.send(bytes(CMD_ANSWER));
    }

    static void readSocks4Request(ScriptedPeer peer) throws IOException {
        peer.read(8 + 1 + TARGET.getHostString().length() + 1);
    }

    ChannelFuture connecting(ChannelHandler... handlers) {
        return rig.connecting(TARGET, handlers);
    }

    ProxyConnectException failure(ChannelFuture connected) {
        return assertInstanceOf(ProxyConnectException.class, Await.failure(connected, "the tunnel"));
    }

    static String reason(ProxyConnectException e) {
        return e.getMessage().substring(e.getMessage().indexOf(": ") + 2);
    }
}
