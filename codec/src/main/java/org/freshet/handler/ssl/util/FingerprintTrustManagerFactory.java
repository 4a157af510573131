package org.freshet.handler.ssl.util;

import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts peers whose own certificate has one of the given fingerprints, no matter which authority signed it. A fingerprint is
 * the SHA-256 or SHA-1 hash of the certificate; prefer SHA-256. Note that a new certificate, even a renewed one, is rejected
 * until you add its fingerprint.
 *
 * <pre>openssl x509 -in certificate.pem -noout -fingerprint -sha256</pre>
 *
 * <p>As with any trust manager, the name in a server's certificate is still verified, unless you disable that.
 */
public final class FingerprintTrustManagerFactory extends SimpleTrustManagerFactory {
    private static final int SHA1_BYTES = 20;
    private static final int SHA256_BYTES = 32;

    private final List<byte[]> fingerprints = new ArrayList<>();

    /** Deliberately not an extended trust manager: the JDK adds its other checks only to the simple kind. */
    private final class Pinned implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            check(chain[0]);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            check(chain[0]);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** @param fingerprints in hexadecimal, with or without colons; 40 digits for SHA-1, 64 for SHA-256 */
    public FingerprintTrustManagerFactory(Iterable<String> fingerprints) {
        super("fingerprint");
        for (String fingerprint : Objects.requireNonNull(fingerprints, "fingerprints")) {
            add(parse(fingerprint));
        }
        checkNotEmpty();
    }

    /** @param fingerprints in hexadecimal, with or without colons; 40 digits for SHA-1, 64 for SHA-256 */
    public FingerprintTrustManagerFactory(String... fingerprints) {
        this(Arrays.asList(fingerprints));
    }

    /** @param fingerprints 20 bytes each for SHA-1, 32 for SHA-256 */
    public FingerprintTrustManagerFactory(byte[]... fingerprints) {
        super("fingerprint");
        for (byte[] fingerprint : Objects.requireNonNull(fingerprints, "fingerprints")) {
            add(fingerprint.clone());
        }
        checkNotEmpty();
    }

    private static byte[] parse(String fingerprint) {
        try {
            return HexFormat.of().parseHex(fingerprint.replace(":", ""));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("fingerprint is not hexadecimal: " + fingerprint, e);
        }
    }

    private void add(byte[] fingerprint) {
        if (fingerprint.length != SHA1_BYTES && fingerprint.length != SHA256_BYTES) {
            throw new IllegalArgumentException("fingerprint has neither " + SHA1_BYTES + " nor " + SHA256_BYTES
                    + " bytes: " + HexFormat.of().formatHex(fingerprint));
        }
        fingerprints.add(fingerprint);
    }

    private void checkNotEmpty() {
        if (fingerprints.isEmpty()) {
            throw new IllegalArgumentException("fingerprints is empty");
        }
    }

    private void check(X509Certificate certificate) throws CertificateException {
        byte[] encoded = certificate.getEncoded();
        for (byte[] fingerprint : fingerprints) {
            if (MessageDigest.isEqual(fingerprint, digest(fingerprint.length, encoded))) {
                return;
            }
        }
        throw new CertificateException("unknown fingerprint "
                + HexFormat.of().formatHex(digest(SHA256_BYTES, encoded)) + " of "
                + certificate.getSubjectX500Principal());
    }

    private static byte[] digest(int bytes, byte[] encoded) throws CertificateException {
        try {
            return MessageDigest.getInstance(bytes == SHA1_BYTES ? "SHA-1" : "SHA-256")
                    .digest(encoded);
        } catch (NoSuchAlgorithmException e) {
            throw new CertificateException(e);
        }
    }

    @Override
    protected void engineInit(KeyStore keyStore) throws Exception {
        // The fingerprints are all it needs.
    }

    @Override
    protected void engineInit(ManagerFactoryParameters managerFactoryParameters) throws Exception {
        // The fingerprints are all it needs.
    }

    @Override
    protected TrustManager[] engineGetTrustManagers() {
        return new TrustManager[] {new Pinned()};
    }
}
