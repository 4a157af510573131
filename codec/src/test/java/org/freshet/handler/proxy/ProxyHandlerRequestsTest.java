package org.freshet.handler.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.freshet.buffer.ChannelBuffers.copiedBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelOption;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.DefaultHttpHeaders;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.testing.Await;
import org.freshet.testing.Recorder;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a proxy is asked for, and when the tunnel is open. */
@Tag("crypto")
class ProxyHandlerRequestsTest extends ProxyConversation {
    @Test
    void shouldSendNothingElseBeforeTheAnswer() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address(), "me", "pw"), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, "05020002");
            assertFalse(connected.isDone());
            peer.sendByteByByte(bytes("0502"));
            assertSends(peer, "01026d65027077");
            peer.sendByteByByte(bytes("0100"));
            assertSends(peer, CMD);
            assertFalse(connected.isDone());
            assertEquals(List.of("open", "bound"), client.states());
            peer.sendByteByByte(bytes(CMD_ANSWER));
            Await.success(connected, "the tunnel");
            peer.send("early");
            client.awaitText("early");
        }
    }

    @Test
    void shouldNotAuthenticateUnlessTheProxyAsksForIt() throws Exception {
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address(), "me", "pw"), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, "05020002");
            openTunnel(peer);
            Await.success(connected, "the tunnel");
        }
    }

    @Test
    void shouldReadAnHttpAnswerByteByByteAndTheTargetsBytesAfterIt() throws Exception {
        HttpHeaders headers = new DefaultHttpHeaders();
        headers.add("User-Agent", "test");
        headers.add("Host", "elsewhere");
        ChannelFuture connected = connecting(new HttpProxyHandler(proxy.address(), headers), client);
        try (ScriptedPeer peer = proxy.accept()) {
            assertEquals("CONNECT target.invalid:443 HTTP/1.1", peer.readLine());
            assertEquals("User-Agent: test", peer.readLine());
            assertEquals("Host: target.invalid:443", peer.readLine());
            assertEquals("", peer.readLine());
            peer.sendByteByByte("HTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 200 \r\nVia: x\r\n\r\n".getBytes(ISO_8859_1));
            Await.success(connected, "the tunnel");
            peer.send("HTTP/1.1 is no longer spoken");
            client.awaitText("HTTP/1.1 is no longer spoken");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 05010001c000020101bb, 040101bbc000020100, 192.0.2.1:443",
        "2001:db8::1, 0501000420010db800000000000000000000000101bb, , [2001:db8:0:0:0:0:0:1]:443",
    })
    void shouldSendTheAddressOfAResolvedTargetAndOfALiteral(
            String address, String socks5, String socks4, String authority) throws Exception {
        InetAddress resolved = InetAddress.getByAddress(
                "localhost", InetAddress.getByName(address).getAddress());
        for (InetSocketAddress target : new InetSocketAddress[] {
            new InetSocketAddress(resolved, 443), InetSocketAddress.createUnresolved(address, 443)
        }) {
            assertAsked(new Socks5ProxyHandler(proxy.address()), target, INIT, INIT_ANSWER, socks5);
            assertAsked(
                    new HttpProxyHandler(proxy.address()),
                    target,
                    "",
                    "",
                    hex("CONNECT " + authority + " HTTP/1.1\r\n"));
            if (socks4 != null) {
                assertAsked(new Socks4ProxyHandler(proxy.address()), target, "", "", socks4);
            } else {
                ChannelFuture refused = rig.connecting(target, new Socks4ProxyHandler(proxy.address()), new Recorder());
                assertEquals("SOCKS 4 does not support IPv6 addresses; use SOCKS 5", reasonOf(refused));
            }
        }
    }

    /** The address in the message contains colons, too. */
    private String reasonOf(ChannelFuture failed) {
        String message = failure(failed).getMessage();
        return message.substring(message.lastIndexOf(": ") + 2);
    }

    private void assertAsked(
            ProxyHandler handler, InetSocketAddress target, String first, String answer, String request)
            throws IOException {
        Recorder recorder = new Recorder();
        ChannelFuture connected = rig.connecting(target, handler, recorder);
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, first);
            peer.send(bytes(answer));
            assertSends(peer, request);
        }
        failure(connected);
        recorder.awaitClosed();
    }

    @Test
    void shouldSendANameInDnsForm() throws Exception {
        InetSocketAddress target = InetSocketAddress.createUnresolved("b\u00fccher.example", 80);
        assertAsked(
                new HttpProxyHandler(proxy.address()),
                target,
                "",
                "",
                hex("CONNECT xn--bcher-kva.example:80 HTTP/1.1"));
    }

    /** The request waits with the writes, and is sent after them. */
    @Test
    void shouldEndTheOutputWhenTheTunnelIsOpen() throws Exception {
        rig.client().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        ChannelFuture connected = connecting(new Socks5ProxyHandler(proxy.address()), client);
        connected.getChannel().write(copiedBuffer("all", ISO_8859_1));
        Channels.shutdownOutput(connected.getChannel());
        try (ScriptedPeer peer = proxy.accept()) {
            assertSends(peer, INIT);
            openTunnel(peer);
            assertEquals("all", new String(peer.readToEnd(), ISO_8859_1));
            peer.send("answer");
            client.awaitText("answer");
        }
    }
}
