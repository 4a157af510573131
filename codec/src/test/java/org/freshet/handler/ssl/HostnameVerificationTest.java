package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import org.freshet.handler.ssl.util.InsecureTrustManagerFactory;
import org.junit.jupiter.api.Test;

/** A client talks only to the server that it wanted to reach. */
class HostnameVerificationTest {
    @Test
    void shouldRefuseAServerOfAnotherName() throws Exception {
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

    @Test
    void shouldRefuseAnyServerIfThereIsNoNameToVerify() throws Exception {
        TlsPair pair = new TlsPair(
                Certificates.client().build().newHandler(),
                Certificates.server().build().newHandler(),
                () -> 1000);
        pair.pump();
        assertInstanceOf(
                SSLHandshakeException.class, pair.clientHandler.handshake().getCause());
    }

    @Test
    void shouldNotVerifyTheNameIfToldSo() throws Exception {
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
    void shouldTakeAnyServerWithInsecureTrust() throws Exception {
        SslContextBuilder client = SslContextBuilder.forClient().trust(InsecureTrustManagerFactory.INSTANCE);
        new TlsPair(
                        client.build().newHandler("example.com", 1),
                        Certificates.server().build().newHandler(),
                        () -> 1000)
                .established();
    }
}
