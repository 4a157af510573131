package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.freshet.channel.local.LocalAddress;
import org.freshet.handler.ssl.util.InsecureTrustManagerFactory;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.MemoryChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client created the Netty 3 way, {@code new SslHandler(context.createSSLEngine())}, verifies the host that its
 * channel connects to.
 */
@Tag("crypto")
class NamelessEngineTest {
    private static final String[] VERSIONS = {TlsPair.TLS_1_2, TlsPair.TLS_1_3};

    private static SSLEngine engine(String... protocols) throws SSLException {
        SSLEngine engine = TlsSockets.jdk(SslContextBuilder.forClient()
                        .trust(
                                Certificates.LOCALHOST.cert(),
                                Certificates.LOOPBACK_ADDRESS.cert(),
                                Certificates.OTHER.cert()))
                .createSSLEngine();
        engine.setUseClientMode(true);
        if (protocols.length > 0) {
            engine.setEnabledProtocols(protocols);
        }
        return engine;
    }

    private static SocketAddress at(String name) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(name, new byte[] {127, 0, 0, 1}), 443);
    }

    private static SocketAddress unnamed(String address) throws UnknownHostException {
        return new InetSocketAddress(
                InetAddress.getByAddress(InetAddress.getByName(address).getAddress()), 443);
    }

    private static TlsPair connect(SslHandler client, SocketAddress address, SelfSignedCertificate certificate)
            throws SSLException {
        client.setIssueHandshake(true);
        SslHandler server = Certificates.server(certificate).build().newHandler();
        TlsPair pair = new TlsPair(
                client, MemoryChannel.connected(address, client), server, MemoryChannel.connected(server), () -> 1000);
        pair.pump();
        return pair;
    }

    private static TlsPair connect(SSLEngine engine, SocketAddress address, SelfSignedCertificate certificate)
            throws SSLException {
        return connect(new SslHandler(engine), address, certificate);
    }

    private static String refusal(TlsPair pair) {
        assertFalse(pair.client.isOpen());
        assertEquals(List.of(), pair.server.takeReceived());
        return assertInstanceOf(
                        SSLException.class, pair.clientHandler.handshake().getCause())
                .getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {TlsPair.TLS_1_2, TlsPair.TLS_1_3})
    void shouldVerifyTheNameThatTheChannelConnectsTo(String version) throws Exception {
        connect(engine(version), at("localhost"), Certificates.LOCALHOST).established();
        connect(engine(version), at("other.example."), Certificates.OTHER).established();
        assertFalse(refusal(connect(engine(version), at("localhost"), Certificates.OTHER))
                .isEmpty());
        refusal(connect(engine(version), at("localhost"), Certificates.LOOPBACK_ADDRESS));
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.2,127.0.0.1,127.0.0.2", "TLSv1.3,127.0.0.1,127.0.0.2", "TLSv1.2,::1,::2", "TLSv1.3,::1,fe80::1"})
    void shouldVerifyTheAddressThatTheChannelConnectsTo(String version, String right, String wrong) throws Exception {
        SelfSignedCertificate certificate = Certificates.named(right);
        SslContextBuilder trusting = SslContextBuilder.forClient()
                .trust(certificate.cert(), Certificates.LOCALHOST.cert())
                .protocols(version);
        SslContext clients = trusting.build();
        connect(new SslHandler(nameless(clients)), unnamed(right), certificate).established();
        String refusal = refusal(connect(new SslHandler(nameless(clients)), unnamed(wrong), certificate));
        assertTrue(refusal.contains(InetAddress.getByName(wrong).getHostAddress()), refusal);
        refusal(connect(new SslHandler(nameless(clients)), unnamed(right), Certificates.LOCALHOST));
    }

    private static SSLEngine nameless(SslContext clients) {
        SSLEngine engine = ((JdkSslContext) clients).context().createSSLEngine();
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(clients.newEngine().getEnabledProtocols());
        return engine;
    }

    /** The address is compared after the JDK's handshake, so earlier writes must not be sent to a wrong server. */
    @ParameterizedTest
    @ValueSource(strings = {TlsPair.TLS_1_2, TlsPair.TLS_1_3})
    void shouldSendNothingToAServerWithAnotherAddress(String version) throws Exception {
        SslHandler client = new SslHandler(engine(version));
        MemoryChannel channel = MemoryChannel.connected(unnamed("127.0.0.2"), client);
        var written = channel.write(org.freshet.buffer.ChannelBuffers.copiedBuffer(new byte[] {1, 2, 3}));
        SslHandler server =
                Certificates.server(Certificates.LOOPBACK_ADDRESS).build().newHandler();
        TlsPair pair = new TlsPair(client, channel, server, MemoryChannel.connected(server), () -> 1000);
        pair.pump();
        refusal(pair);
        assertTrue(written.isDone() && !written.isSuccess());
    }

    @Test
    void shouldVerifyAnEngineThatOnlyLacksTheName() throws Exception {
        SSLEngine engine = Certificates.client().build().newEngine();
        connect(engine, at("localhost"), Certificates.LOCALHOST).established();
        refusal(connect(Certificates.client().build().newEngine(), at("example.com"), Certificates.LOCALHOST));
        String refusal = refusal(
                connect(Certificates.client().build().newEngine(), unnamed("127.0.0.1"), Certificates.LOCALHOST));
        assertTrue(refusal.contains("newHandler(host, port)"), refusal);
    }

    @Test
    void shouldVerifyTheNameSetInTheEngine() throws Exception {
        for (String version : VERSIONS) {
            connect(asking("other.example", version), at("localhost"), Certificates.OTHER)
                    .established();
            refusal(connect(asking("other.example", version), at("localhost"), Certificates.LOCALHOST));
        }
    }

    private static SSLEngine asking(String name, String version) throws SSLException {
        SSLEngine engine = engine(version);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Test
    void shouldSendTheServerANameButNeverAnAddress() throws Exception {
        List<String> asked = new ArrayList<>();
        for (SocketAddress address : List.of(at("localhost"), unnamed("127.0.0.1"))) {
            SslHandler client = new SslHandler(engine());
            MemoryChannel server = MemoryChannel.connected(new SniHandler(name -> {
                asked.add(name);
                return null;
            }));
            MemoryChannel channel = MemoryChannel.connected(address, client);
            client.handshake();
            new TlsPair(client, channel, null, server, () -> 1000).pump();
        }
        assertEquals("localhost", asked.get(0));
        assertNull(asked.get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"under_score.example", "-.example"})
    void shouldRefuseANameThatCannotBeVerified(String name) throws Exception {
        String refusal = refusal(connect(engine(), at(name), Certificates.LOCALHOST));
        assertTrue(refusal.contains(name) && refusal.contains("createSSLEngine(host, port)"), refusal);
    }

    @Test
    void shouldRefuseAServerWithoutAKnownNameOrAddress() throws Exception {
        String refusal = refusal(connect(engine(), new LocalAddress("a server"), Certificates.LOCALHOST));
        assertTrue(refusal.contains("createSSLEngine(host, port)"), refusal);
        assertTrue(refusal.contains("algorithm"), refusal);
    }

    @Test
    void shouldVerifyNothingWithAnEmptyAlgorithm() throws Exception {
        for (SocketAddress address : List.of(at("example.com"), unnamed("127.0.0.2"), new LocalAddress("a server"))) {
            SSLEngine engine = engine();
            HostnameVerification.set(engine, false);
            connect(engine, address, Certificates.LOCALHOST).established();
        }
    }

    @Test
    void shouldLeaveNamesToATrustManagerThatTrustsAll() throws Exception {
        SslContext clients = SslContextBuilder.forClient()
                .trust(InsecureTrustManagerFactory.INSTANCE)
                .build();
        for (SocketAddress address : List.of(at("example.com"), new LocalAddress("a server"))) {
            connect(nameless(clients), address, Certificates.LOCALHOST).established();
        }
    }

    /** The owner of an address chooses the name that a reverse lookup returns. */
    @Test
    void shouldNotUseANameLookedUpForTheAddressInTheMeantime() throws Exception {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        InetSocketAddress address = new InetSocketAddress(loopback, 443);
        SslHandler client = new SslHandler(engine());
        MemoryChannel channel = MemoryChannel.connected(address, client);
        address.getHostName(); // from now on, getHostString() returns the result of the lookup
        client.handshake();
        SslHandler server =
                Certificates.server(Certificates.LOOPBACK_ADDRESS).build().newHandler();
        new TlsPair(client, channel, server, MemoryChannel.connected(server), () -> 1000).established();
    }

    @Test
    void shouldRefuseAnEngineThatIgnoresTheAlgorithm() throws Exception {
        SSLEngine ignoring = new FaultyEngine(engine()) {
            @Override
            public void setSSLParameters(SSLParameters parameters) {
                parameters.setEndpointIdentificationAlgorithm(null);
                super.setSSLParameters(parameters);
            }
        };
        String refusal = refusal(connect(ignoring, at("localhost"), Certificates.LOCALHOST));
        assertTrue(refusal.contains("ignores"), refusal);
    }

    @Test
    void shouldAcceptSuchEnginesWithAWarningIfTheJvmIsConfiguredSo() throws Exception {
        SslHandler handler = new SslHandler(engine());
        MemoryChannel channel = MemoryChannel.connected(at("example.com"), handler);
        try (CapturedLog log = CapturedLog.start()) {
            SSLEngine engine = engine();
            HostnameVerification lax = new HostnameVerification(true);
            assertNull(lax.prepare(engine, ServerName.of(at("example.com")), channel.context(handler)));
            lax.prepare(engine, ServerName.of(at("example.com")), channel.context(handler));
            assertNull(engine.getSSLParameters().getEndpointIdentificationAlgorithm());
            String warning = log.only().text();
            assertTrue(warning.contains("example.com:443") && warning.contains(channel.toString()), warning);
            assertTrue(warning.contains('"' + channel.context(handler).getName() + '"'), warning);
        }
    }
}
