package org.freshet.handler.ssl.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The certificate, and the two ways of trusting that tests use. */
@Tag("crypto")
class SelfSignedCertificateTest {
    private static SelfSignedCertificate made;

    @BeforeAll
    static void make() throws CertificateException {
        made = new SelfSignedCertificate("www.example.com");
    }

    @AfterAll
    static void delete() {
        made.delete();
        assertFalse(made.certificate().exists() || made.privateKey().exists());
        made.delete();
    }

    @Test
    void shouldCreateACertificateForTheName() throws Exception {
        X509Certificate certificate = made.cert();
        certificate.verify(certificate.getPublicKey());
        certificate.checkValidity(new Date());
        assertEquals(3, certificate.getVersion());
        assertEquals("CN=www.example.com", certificate.getSubjectX500Principal().getName());
        assertEquals(certificate.getSubjectX500Principal(), certificate.getIssuerX500Principal());
        assertEquals(List.of(List.of(2, "www.example.com")), List.copyOf(certificate.getSubjectAlternativeNames()));
        assertTrue(certificate.getBasicConstraints() >= 0, "an authority");
        assertTrue(certificate.getSerialNumber().signum() > 0);
        assertEquals("SHA256withRSA", certificate.getSigAlgName());
        assertEquals(2048, ((RSAKey) certificate.getPublicKey()).getModulus().bitLength());
    }

    @Test
    void shouldWritePemFiles() throws Exception {
        String certificate = Files.readString(made.certificate().toPath());
        String key = Files.readString(made.privateKey().toPath());
        assertTrue(certificate.startsWith("-----BEGIN CERTIFICATE-----\n"), certificate);
        assertTrue(certificate.endsWith("\n-----END CERTIFICATE-----\n"), certificate);
        assertTrue(key.startsWith("-----BEGIN PRIVATE KEY-----\n"));
        assertTrue(certificate.lines().allMatch(line -> line.length() <= 64), certificate);
    }

    /** CVE-2021-21290. */
    @Test
    void shouldWriteAPrivateKeyThatItsOwnerAloneReads() throws Exception {
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(made.privateKey().toPath())));
    }

    @Test
    void shouldAlsoSupportAddresses() throws Exception {
        for (String address : List.of("127.0.0.1", "::1", "10.1.2.3")) {
            SelfSignedCertificate certificate = new SelfSignedCertificate(address, new SecureRandom(), 1024);
            List<?> name =
                    certificate.cert().getSubjectAlternativeNames().iterator().next();
            assertEquals(7, name.get(0));
            assertTrue(address.equals(name.get(1)) || "0:0:0:0:0:0:0:1".equals(name.get(1)), () -> "" + name);
            certificate.delete();
        }
    }

    @Test
    void shouldCheckItsArguments() {
        SecureRandom random = new SecureRandom();
        assertThrows(NullPointerException.class, () -> new SelfSignedCertificate(null));
        assertThrows(NullPointerException.class, () -> new SelfSignedCertificate("a", null, 2048));
        assertThrows(IllegalArgumentException.class, () -> new SelfSignedCertificate(""));
        assertThrows(IllegalArgumentException.class, () -> new SelfSignedCertificate("a", random, 1023));
    }

    @Test
    void shouldTrustTheFingerprintsItWasGiven() throws Exception {
        X509Certificate[] chain = {made.cert()};
        for (String algorithm : List.of("SHA-1", "SHA-256")) {
            byte[] digest =
                    MessageDigest.getInstance(algorithm).digest(made.cert().getEncoded());
            String colons = HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest);
            String other = "00".repeat(digest.length);
            for (TrustManagerFactory factory : List.of(
                    new FingerprintTrustManagerFactory(digest),
                    new FingerprintTrustManagerFactory(other, colons),
                    new FingerprintTrustManagerFactory(List.of(colons.replace(":", ""))))) {
                manager(factory).checkServerTrusted(chain, "RSA");
                manager(factory).checkClientTrusted(chain, "RSA");
                assertEquals(0, manager(factory).getAcceptedIssuers().length);
            }
            X509TrustManager stranger = manager(new FingerprintTrustManagerFactory(other));
            CertificateException refusal =
                    assertThrows(CertificateException.class, () -> stranger.checkServerTrusted(chain, "RSA"));
            assertTrue(refusal.getMessage().contains("CN=www.example.com"), refusal::getMessage);
            assertThrows(CertificateException.class, () -> stranger.checkClientTrusted(chain, "RSA"));
        }
    }

    @Test
    void shouldRefuseInvalidFingerprints() {
        assertThrows(IllegalArgumentException.class, () -> new FingerprintTrustManagerFactory("00"));
        assertThrows(IllegalArgumentException.class, () -> new FingerprintTrustManagerFactory("xy".repeat(20)));
        assertThrows(IllegalArgumentException.class, () -> new FingerprintTrustManagerFactory(new byte[21]));
        assertThrows(IllegalArgumentException.class, () -> new FingerprintTrustManagerFactory(List.of()));
    }

    @Test
    void shouldTrustAllPeersWithTheInsecureOne() throws Exception {
        X509TrustManager manager = manager(InsecureTrustManagerFactory.INSTANCE);
        assertTrue(manager instanceof X509ExtendedTrustManager, "otherwise the JDK would verify names");
        manager.checkServerTrusted(new X509Certificate[] {made.cert()}, "RSA");
        manager.checkClientTrusted(new X509Certificate[] {made.cert()}, "RSA");
    }

    private static X509TrustManager manager(TrustManagerFactory factory) throws Exception {
        factory.init((java.security.KeyStore) null);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }
}
