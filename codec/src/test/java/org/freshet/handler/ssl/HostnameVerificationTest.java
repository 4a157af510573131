package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.ssl.util.InsecureTrustManagerFactory;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client talks only to the server it intended to reach. */
@Tag("crypto")
class HostnameVerificationTest {
    @Test
    void shouldRefuseAServerWithAnotherName() throws Exception {
        TlsPair pair = new TlsPair(
                Certificates.client().build().newHandler("example.com", 1),
                Certificates.server().build().newHandler(),
                () -> 1000);
        pair.pump();
        String refusal = pair.clientHandler.handshake().getCause().getMessage();
        assertTrue(refusal.contains("example.com"), refusal);
        assertFalse(pair.server.isOpen());
    }

    @Test
    void shouldVerifyIpAddresses() throws Exception {
        SslContextBuilder client = SslContextBuilder.forClient().trust(Certificates.LOOPBACK_ADDRESS.cert());
        SslContext server = Certificates.server(Certificates.LOOPBACK_ADDRESS).build();
        new TlsPair(client.build().newHandler("127.0.0.1", 1), server.newHandler(), () -> 1000).established();
        TlsPair wrong = new TlsPair(client.build().newHandler("127.0.0.2", 1), server.newHandler(), () -> 1000);
        wrong.pump();
        assertFalse(wrong.clientHandler.handshake().isSuccess());
    }

    private static TlsPair connected(SslHandler client, SocketAddress address, SslContextBuilder servers)
            throws Exception {
        SslHandler server = servers.build().newHandler();
        TlsPair pair = new TlsPair(
                client, MemoryChannel.connected(address, client), server, MemoryChannel.connected(server), () -> 1000);
        pair.pump();
        return pair;
    }

    private static InetSocketAddress named(String name) throws Exception {
        return new InetSocketAddress(InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1}), 443);
    }

    @Test
    void shouldVerifyTheNameThatTheChannelWasConnectedTo() throws Exception {
        SslContext client = Certificates.client().build();
        connected(client.newHandler(), named("localhost"), Certificates.server())
                .established();
        TlsPair wrong = connected(client.newHandler(), named("example.com"), Certificates.server());
        String refusal = wrong.clientHandler.handshake().getCause().getMessage();
        assertTrue(refusal.contains("example.com"), refusal);
        assertFalse(wrong.server.isOpen());
    }

    @Test
    void shouldVerifyTheAddressThatTheChannelWasConnectedTo() throws Exception {
        SslContext client = SslContextBuilder.forClient()
                .trust(Certificates.LOOPBACK_ADDRESS.cert(), Certificates.LOCALHOST.cert())
                .build();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 443);
        connected(client.newHandler(), address, Certificates.server(Certificates.LOOPBACK_ADDRESS))
                .established();
        TlsPair wrong = connected(client.newHandler(), address, Certificates.server());
        assertInstanceOf(
                SSLHandshakeException.class, wrong.clientHandler.handshake().getCause());
        assertFalse(wrong.server.isOpen());
    }

    /** The owner of an address chooses the name returned by a reverse lookup. */
    @Test
    void shouldVerifyTheRequestedAddressAndNoNameLookedUpLater() throws Exception {
        SslHandler client = Certificates.client().build().newHandler();
        MemoryChannel channel = MemoryChannel.open(client);
        InetSocketAddress resolved = named("localhost");
        channel.getPipeline().addFirst("resolver", (ChannelDownstreamHandler) (ctx, e) -> {
            if (e instanceof ChannelStateEvent change && change.getState() == ChannelState.CONNECTED) {
                Channels.connect(ctx, e.getFuture(), resolved);
            } else {
                ctx.sendDownstream(e);
            }
        });
        channel.connect(InetSocketAddress.createUnresolved("192.0.2.1", 443));
        SslHandler server = Certificates.server().build().newHandler();
        TlsPair pair = new TlsPair(client, channel, server, MemoryChannel.connected(server), () -> 1000);
        pair.pump();
        assertTrue(client.handshake().getCause().getMessage().contains("192.0.2.1"), () -> "" + client.handshake());
    }

    @Test
    void shouldVerifyTheRemoteAddressIfTheHandlerIsAddedToAConnectedChannel() throws Exception {
        SslHandler server = Certificates.server().build().newHandler();
        SslHandler client = Certificates.client().build().newHandler();
        MemoryChannel channel = MemoryChannel.connected(named("localhost"));
        channel.getPipeline().addFirst("tls", client);
        new TlsPair(client, channel, server, MemoryChannel.connected(server), () -> 1000).established();
    }

    @Test
    void shouldRequestTheNameAndKeepTheSettingsOfTheEngine() throws Exception {
        SslHandler client = SslContextBuilder.forClient()
                .trust(Certificates.OTHER.cert())
                .protocols(TlsPair.TLS_1_2)
                .applicationProtocols("h2")
                .build()
                .newHandler();
        SSLParameters parameters = client.getEngine().getSSLParameters();
        parameters.setCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
        client.getEngine().setSSLParameters(parameters);
        SslContext servers = Certificates.server(Certificates.OTHER)
                .applicationProtocols("h2")
                .build();
        List<String> asked = new ArrayList<>();
        MemoryChannel server = MemoryChannel.connected(new SniHandler(name -> {
            asked.add(name);
            return servers;
        }));
        MemoryChannel channel = MemoryChannel.connected(named("other.example"), client);
        new TlsPair(client, channel, null, server, () -> 1000).pump();
        assertTrue(client.handshake().isSuccess(), () -> "" + client.handshake());
        assertEquals(List.of("other.example"), asked);
        SSLEngine engine = client.getEngine();
        assertEquals("other.example", engine.getPeerHost());
        assertEquals("h2", engine.getApplicationProtocol());
        assertEquals(
                "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", engine.getSession().getCipherSuite());
    }

    @Test
    void shouldNameBothRemediesIfThereIsNoNameToVerify() throws Exception {
        SocketAddress nameless = new LocalAddress("a server in this JVM");
        SslContext client = Certificates.client().build();
        for (SslHandler handler : List.of(client.newHandler(), new SslHandler(client.newEngine()))) {
            handler.setIssueHandshake(true);
            TlsPair pair = connected(handler, nameless, Certificates.server());
            Throwable refusal = handler.handshake().getCause();
            assertInstanceOf(SSLHandshakeException.class, refusal);
            assertTrue(refusal.getMessage().contains("newHandler(host, port)"), refusal::getMessage);
            assertTrue(refusal.getMessage().contains("verifyHostname(false)"), refusal::getMessage);
            assertInstanceOf(SSLHandshakeException.class, refusal.getCause());
            assertFalse(pair.server.isOpen());
        }
    }

    @Test
    void shouldNotVerifyTheNameIfConfigured() throws Exception {
        SslContext client = Certificates.client().verifyHostname(false).build();
        new TlsPair(
                        client.newHandler("example.com", 1),
                        Certificates.server().build().newHandler(),
                        () -> 1000)
                .established();
        new TlsPair(client.newHandler(), Certificates.server().build().newHandler(), () -> 1000).established();
    }

    /** CVE-2023-4586. */
    @Test
    void shouldVerifyTheNameForAnEngineOfTheUsers() throws Exception {
        JdkSslContext context = (JdkSslContext) Certificates.client().build();
        SSLEngine engine = context.context().createSSLEngine("example.com", 1);
        engine.setUseClientMode(true);
        TlsPair pair = new TlsPair(
                new SslHandler(engine), Certificates.server().build().newHandler(), () -> 1000);
        pair.clientHandler.handshake();
        pair.pump();
        assertFalse(pair.clientHandler.handshake().isSuccess());
        assertInstanceOf(
                SSLHandshakeException.class, pair.clientHandler.handshake().getCause());
    }

    @Test
    void shouldAcceptAnyServerWithInsecureTrust() throws Exception {
        SslContextBuilder client = SslContextBuilder.forClient().trust(InsecureTrustManagerFactory.INSTANCE);
        new TlsPair(
                        client.build().newHandler("example.com", 1),
                        Certificates.server().build().newHandler(),
                        () -> 1000)
                .established();
    }
}
