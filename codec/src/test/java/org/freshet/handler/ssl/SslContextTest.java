package org.freshet.handler.ssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.freshet.handler.ssl.util.FingerprintTrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("crypto")
class SslContextTest {
    private static final File CERTIFICATE = Certificates.LOCALHOST.certificate();
    private static final File KEY = Certificates.LOCALHOST.privateKey();

    @TempDir
    Path directory;

    @Test
    void shouldCreateServersFromPemFiles() throws Exception {
        SslContext context = SslContext.newServerContext(CERTIFICATE, KEY);
        assertTrue(context.isServer());
        assertFalse(context.isClient());
        assertSame(SslHandler.getDefaultBufferPool(), context.bufferPool());
        assertEquals(List.of(), context.nextProtocols());
        assertTrue(context.cipherSuites().contains("TLS_AES_128_GCM_SHA256"));
        new TlsPair(Certificates.client().build().newHandler("localhost", 1), context.newHandler(), () -> 1000)
                .established();
        assertTrue(
                SslContext.newServerContext(SslProvider.JDK, CERTIFICATE, KEY).isServer());
        assertTrue(new JdkSslServerContext(CERTIFICATE, KEY).isServer());
    }

    @Test
    void shouldCreateClientsThatTrustAFile() throws Exception {
        SslContext context = SslContext.newClientContext(CERTIFICATE);
        assertTrue(context.isClient());
        SslHandler handler = context.newHandler("localhost", 1);
        assertTrue(handler.isIssueHandshake());
        new TlsPair(handler, Certificates.server().build().newHandler(), () -> 1000).established();
        assertTrue(SslContext.newClientContext().isClient());
        assertTrue(SslContext.newClientContext(SslProvider.JDK, CERTIFICATE).isClient());
        assertTrue(new JdkSslClientContext().isClient());
    }

    @Test
    void shouldApplyTheParametersOfTheLongFactoryMethods() throws Exception {
        SslBufferPool pool = new SslBufferPool(1);
        List<String> ciphers = List.of("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");
        SslContext server = SslContext.newServerContext(
                SslProvider.JDK, pool, CERTIFICATE, KEY, null, ciphers, List.of("h2"), 100, 200);
        SslContext client =
                SslContext.newClientContext(SslProvider.JDK, pool, CERTIFICATE, null, ciphers, List.of("h2"), 100, 200);
        for (SslContext context : List.of(server, client)) {
            assertSame(pool, context.bufferPool());
            assertEquals(ciphers, context.cipherSuites());
            assertEquals(List.of("h2"), context.nextProtocols());
            assertEquals(100, context.sessionCacheSize());
            assertEquals(200, context.sessionTimeout());
        }
        TlsPair pair = new TlsPair(client.newHandler("localhost", 1), server.newHandler(), () -> 1000).established();
        assertEquals("h2", pair.clientHandler.getEngine().getApplicationProtocol());
        assertEquals(
                "TLS_AES_256_GCM_SHA384",
                pair.clientHandler.getEngine().getSession().getCipherSuite());
    }

    @Test
    void shouldTrustAFactoryWithCertificates() throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        SslContext client = SslContext.newClientContext(CERTIFICATE, factory);
        new TlsPair(
                        client.newHandler("localhost", 1),
                        Certificates.server().build().newHandler(),
                        () -> 1000)
                .established();
    }

    /** A plain X509TrustManager (CVE-2026-50010): the name is still verified. */
    @Test
    void shouldVerifyTheNameWithASimpleTrustManager() throws Exception {
        byte[] fingerprint = java.security.MessageDigest.getInstance("SHA-256")
                .digest(Certificates.LOCALHOST.cert().getEncoded());
        SslContext client = SslContext.newClientContext(new FingerprintTrustManagerFactory(fingerprint));
        SslContext server = Certificates.server().build();
        new TlsPair(client.newHandler("localhost", 1), server.newHandler(), () -> 1000).established();
        TlsPair wrong = new TlsPair(client.newHandler("example.com", 1), server.newHandler(), () -> 1000);
        wrong.pump();
        assertFalse(wrong.clientHandler.handshake().isSuccess());
        assertFalse(wrong.client.isOpen());
    }

    @Test
    void shouldVerifyNamesOfClientEnginesByDefault() throws Exception {
        SSLEngine engine = Certificates.client().build().newEngine("localhost", 443);
        assertEquals("HTTPS", engine.getSSLParameters().getEndpointIdentificationAlgorithm());
        assertEquals("localhost", engine.getPeerHost());
        assertTrue(engine.getUseClientMode());
        SSLEngine server = Certificates.server().build().newEngine();
        assertEquals(null, server.getSSLParameters().getEndpointIdentificationAlgorithm());
        assertFalse(server.getUseClientMode());
    }

    @Test
    void shouldRefuseTheNativeProvider() {
        SSLException refusal = assertThrows(
                SSLException.class, () -> SslContext.newServerContext(SslProvider.OPENSSL, CERTIFICATE, KEY));
        assertTrue(refusal.getMessage().contains("OPENSSL"), refusal::getMessage);
        assertThrows(SSLException.class, () -> SslContext.newClientContext(SslProvider.OPENSSL));
        assertEquals(SslProvider.JDK, SslContext.defaultServerProvider());
        assertEquals(SslProvider.JDK, SslContext.defaultClientProvider());
    }

    @Test
    void shouldReportWhatIsWrongWithAFile() throws Exception {
        assertMessage("no BEGIN CERTIFICATE in " + KEY, () -> SslContext.newServerContext(KEY, KEY));
        File empty = directory.resolve("empty.pem").toFile();
        Files.writeString(empty.toPath(), "");
        assertMessage("no BEGIN PRIVATE KEY in " + empty, () -> SslContext.newServerContext(CERTIFICATE, empty));
        File traditional = pem("traditional.pem", "RSA PRIVATE KEY", new byte[10]);
        assertMessage("openssl pkcs8 -topk8", () -> SslContext.newServerContext(CERTIFICATE, traditional));
        File locked = directory.resolve("locked.pem").toFile();
        Files.writeString(
                locked.toPath(),
                "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n"
                        + "-----END RSA PRIVATE KEY-----\n");
        assertMessage("openssl pkcs8 -topk8", () -> SslContext.newServerContext(CERTIFICATE, locked, "secret"));
        File nonsense = pem("nonsense.pem", "CERTIFICATE", new byte[10]);
        assertMessage("nonsense.pem", () -> SslContext.newServerContext(nonsense, KEY));
        File sealed = pem("sealed.pem", "ENCRYPTED PRIVATE KEY", new byte[10]);
        assertMessage("sealed.pem", () -> SslContext.newServerContext(CERTIFICATE, sealed, "secret"));
        File broken = pem("broken.pem", "PRIVATE KEY", new byte[10]);
        assertMessage("unknown kind of key", () -> SslContext.newServerContext(CERTIFICATE, broken));
        assertMessage(
                "not supported: TLSv9",
                () -> SslContextBuilder.forClient().protocols("TLSv9").build());
        assertMessage(
                "not supported: ROT13",
                () -> SslContextBuilder.forClient().ciphers("ROT13").build());
    }

    @Test
    void shouldReportWhichFileCannotBeReadAndWhy() throws Exception {
        File missing = directory.resolve("missing.pem").toFile();
        assertMessage(
                "no such file for the private key: " + missing,
                () -> SslContext.newServerContext(CERTIFICATE, missing));
        assertMessage("no such file for the certificates: " + missing, () -> SslContext.newServerContext(missing, KEY));
        assertMessage(
                "no such file for the certificates: " + missing,
                () -> SslContextBuilder.forClient().trust(missing).build());
        assertMessage(
                "no such file for the private key: " + new File("missing.pem").getAbsolutePath(),
                () -> SslContext.newServerContext(CERTIFICATE, new File("missing.pem")));
        assertMessage(
                "cannot read the private key: " + directory,
                () -> SslContext.newServerContext(CERTIFICATE, directory.toFile()));
    }

    @Test
    void shouldAskWhetherCertificateAndKeyAreSwapped() {
        assertMessage(
                CERTIFICATE + " holds a certificate, not a private key: are the two files swapped?",
                () -> SslContext.newServerContext(KEY, CERTIFICATE));
    }

    @Test
    void shouldAcceptTheCertificatesBeforeTheirKey() throws Exception {
        SslContext server = SslContextBuilder.forServer(
                        List.of(Certificates.LOCALHOST.cert()), Certificates.LOCALHOST.key())
                .build();
        new TlsPair(Certificates.client().build().newHandler("localhost", 1), server.newHandler(), () -> 1000)
                .established();
        SslContext client = Certificates.client()
                .key(List.of(Certificates.OTHER.cert()), Certificates.OTHER.key())
                .build();
        SslContext asking = Certificates.server()
                .clientAuth(ClientAuth.REQUIRE)
                .trust(Certificates.OTHER.cert())
                .build();
        new TlsPair(client.newHandler("localhost", 1), asking.newHandler(), () -> 1000).established();
    }

    @Test
    void shouldRefuseAKeyThatDoesNotMatchItsCertificate() throws Exception {
        File other = Certificates.OTHER.privateKey();
        assertMessage(other + " and " + CERTIFICATE, () -> SslContext.newServerContext(CERTIFICATE, other));
        assertMessage(
                "does not match the certificate of CN=localhost",
                () -> SslContext.newServerContext(CERTIFICATE, other));
        assertMessage(
                "does not match",
                () -> SslContextBuilder.forServer(Certificates.OTHER.key(), Certificates.LOCALHOST.cert())
                        .build());
        assertMessage(
                "does not match",
                () -> SslContextBuilder.forClient()
                        .key(Certificates.OTHER.key(), Certificates.LOCALHOST.cert())
                        .build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "DSA", "Ed25519"})
    void shouldRefuseAKeyOfAnyOtherKind(String algorithm) throws Exception {
        PrivateKey key =
                KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
        assertMessage(
                "does not match",
                () -> SslContextBuilder.forServer(key, Certificates.LOCALHOST.cert())
                        .build());
    }

    @Test
    void shouldReportAChainInTheWrongOrder() {
        assertMessage(
                "matches certificate 2 of the chain",
                () -> SslContextBuilder.forServer(
                                Certificates.LOCALHOST.key(), Certificates.OTHER.cert(), Certificates.LOCALHOST.cert())
                        .build());
    }

    private static void assertMessage(String part, org.junit.jupiter.api.function.Executable action) {
        SSLException failure = assertThrows(SSLException.class, action);
        assertTrue(failure.getMessage().contains(part), failure::getMessage);
    }

    /** As written by openssl: PBES2 with AES, in its current and former versions, and the format before that. */
    @ParameterizedTest
    @ValueSource(strings = {"ec-key-aes256.pem", "ec-key-aes128-sha1.pem", "ec-key-3des.pem"})
    void shouldReadEncryptedKeys(String name) throws Exception {
        File file = resource(name);
        assertEquals(PemFiles.privateKey(resource("ec-key.pem"), null), PemFiles.privateKey(file, "secret"));
        assertMessage("wrong password?", () -> SslContext.newServerContext(CERTIFICATE, file, "wrong"));
        assertMessage("no password was given", () -> SslContext.newServerContext(CERTIFICATE, file));
        assertMessage("no password was given", () -> SslContext.newServerContext(CERTIFICATE, file, ""));
    }

    private static File resource(String name) throws Exception {
        return new File(SslContextTest.class.getResource(name).toURI());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "DSA", "Ed25519"})
    void shouldReadKeysOfEveryKind(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("EC")) {
            generator.initialize(new ECGenParameterSpec("secp256r1"));
        }
        PrivateKey key = generator.generateKeyPair().getPrivate();
        assertEquals(key, PemFiles.privateKey(pem("key.pem", "PRIVATE KEY", key.getEncoded()), null));
    }

    @Test
    void shouldFindAChainAmongOtherContent() throws Exception {
        Path chain = directory.resolve("chain.pem");
        String text = "a comment\r\n" + Files.readString(CERTIFICATE.toPath()).replace("\n", "\r\n")
                + Files.readString(KEY.toPath())
                + Files.readString(Certificates.OTHER.certificate().toPath());
        Files.writeString(chain, text);
        assertEquals(
                List.of(Certificates.LOCALHOST.cert(), Certificates.OTHER.cert()),
                List.of(PemFiles.certificates(chain.toFile())));
        assertNotNull(PemFiles.privateKey(chain.toFile(), "ignored"));
    }

    @Test
    void shouldPassItsSettingsToItsHandlers() throws Exception {
        Executor executor = Runnable::run;
        SslContext context = Certificates.server()
                .handshakeTimeout(Duration.ofSeconds(5))
                .sessionCacheSize(7)
                .sessionTimeout(Duration.ofMinutes(3))
                .delegatedTaskExecutor(executor)
                .bufferPool(new SslBufferPool(1))
                .protocols("TLSv1.3")
                .build();
        SslHandler handler = context.newHandler();
        assertEquals(5_000, handler.getHandshakeTimeout());
        assertFalse(handler.isIssueHandshake());
        assertTrue(handler.getCloseOnSSLException());
        assertEquals(7, context.sessionCacheSize());
        assertEquals(180, context.sessionTimeout());
        assertEquals(List.of("TLSv1.3"), List.of(handler.getEngine().getEnabledProtocols()));
        assertThrows(NullPointerException.class, () -> context.newHandler(null, 1));
    }

    @Test
    void shouldCheckArguments() {
        SslContextBuilder builder = SslContextBuilder.forClient();
        assertThrows(IllegalArgumentException.class, () -> builder.sessionCacheSize(0));
        assertThrows(IllegalArgumentException.class, () -> builder.sessionTimeout(Duration.ofMillis(999)));
        assertThrows(IllegalArgumentException.class, () -> builder.handshakeTimeout(Duration.ZERO));
        assertThrows(NullPointerException.class, () -> builder.trust((File) null));
        assertThrows(NullPointerException.class, () -> SslContextBuilder.forServer(null, KEY));
        assertThrows(IllegalArgumentException.class, () -> SslContextBuilder.forServer(Certificates.LOCALHOST.key()));
    }

    private File pem(String name, String type, byte[] content) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        Path file = directory.resolve(name);
        Files.writeString(file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
        return file.toFile();
    }
}
