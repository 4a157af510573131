package org.freshet.handler.ssl.util;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.regex.Pattern;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A certificate that no authority has signed, and its key, in two temporary PEM files. For tests and experiments, never for
 * production. It uses RSA with SHA-256, is valid for a year from yesterday, and is for one host name or IP address.
 *
 * <p>Only the current user can read the files, on systems that support this. They are deleted when the JVM ends, or by
 * {@link #delete()}.
 */
public final class SelfSignedCertificate {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(SelfSignedCertificate.class);

    private static final String SHA256_WITH_RSA = "1.2.840.113549.1.1.11";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";

    /** Alternatives of a GeneralName. */
    private static final int DNS_NAME = 2;

    private static final int IP_ADDRESS = 7;

    private static final int DEFAULT_KEY_BITS = 2048;
    private static final int MIN_KEY_BITS = 1024;
    private static final Duration VALIDITY = Duration.ofDays(365);
    private static final Duration CLOCK_SKEW = Duration.ofDays(1);
    private static final Pattern IP_LITERAL = Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F]*:[0-9a-fA-F:.]*]?");
    private static final byte[] NULL = {5, 0};

    private final File certificateFile;
    private final File privateKeyFile;
    private final X509Certificate certificate;
    private final PrivateKey key;

    /** For {@code localhost}. */
    public SelfSignedCertificate() throws CertificateException {
        this("localhost");
    }

    /** @param fqdn a host name or an IP address */
    public SelfSignedCertificate(String fqdn) throws CertificateException {
        this(fqdn, new SecureRandom(), DEFAULT_KEY_BITS);
    }

    /**
     * @param fqdn a host name or an IP address
     * @param random the source of the key
     * @param bits the length of the key, 1024 or more
     * @throws CertificateException if the files cannot be written, or the runtime has no RSA
     */
    public SelfSignedCertificate(String fqdn, SecureRandom random, int bits) throws CertificateException {
        Objects.requireNonNull(fqdn, "fqdn");
        Objects.requireNonNull(random, "random");
        if (fqdn.isEmpty()) {
            throw new IllegalArgumentException("fqdn is empty");
        }
        if (bits < MIN_KEY_BITS) {
            throw new IllegalArgumentException("bits < " + MIN_KEY_BITS + ": " + bits);
        }
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits, random);
            KeyPair keys = generator.generateKeyPair();
            byte[] encoded = encode(fqdn, keys, random);
            key = keys.getPrivate();
            certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
            certificateFile = write("certificate", "CERTIFICATE", encoded);
            privateKeyFile = write("key", "PRIVATE KEY", key.getEncoded());
        } catch (GeneralSecurityException | IOException e) {
            throw new CertificateException("cannot create a certificate for " + fqdn, e);
        }
    }

    private static byte[] encode(String host, KeyPair keys, SecureRandom random)
            throws GeneralSecurityException, UnknownHostException {
        byte[] algorithm = Der.sequence(Der.oid(SHA256_WITH_RSA), NULL);
        byte[] name = Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(host))));
        Instant now = Instant.now();
        byte[] toBeSigned = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)), // version 3
                Der.integer(new BigInteger(64, random).setBit(64)),
                algorithm,
                name,
                Der.sequence(Der.time(now.minus(CLOCK_SKEW)), Der.time(now.plus(VALIDITY))),
                name,
                keys.getPublic().getEncoded(),
                Der.explicit(3, extensions(host)));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate(), random);
        signature.update(toBeSigned);
        return Der.sequence(toBeSigned, algorithm, Der.bitString(signature.sign()));
    }

    /** It is its own authority: otherwise it could not be added to the trusted certificates. */
    private static byte[] extensions(String host) throws UnknownHostException {
        return Der.sequence(
                Der.sequence(Der.oid(BASIC_CONSTRAINTS), Der.bool(true), Der.octetString(Der.sequence(Der.bool(true)))),
                Der.sequence(Der.oid(SUBJECT_ALTERNATIVE_NAME), Der.octetString(Der.sequence(generalName(host)))));
    }

    private static byte[] generalName(String host) throws UnknownHostException {
        return IP_LITERAL.matcher(host).matches()
                ? Der.implicit(IP_ADDRESS, InetAddress.getByName(host).getAddress()) // a literal needs no name server
                : Der.implicit(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }

    private static File write(String what, String pemType, byte[] encoded) throws IOException {
        Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
        Path file = Files.createTempFile("freshet-self-signed-", "-" + what + ".pem");
        file.toFile().deleteOnExit();
        Files.writeString(
                file,
                "-----BEGIN " + pemType + "-----\n" + lines.encodeToString(encoded) + "\n-----END " + pemType
                        + "-----\n");
        return file.toFile();
    }

    /** The PEM file of the certificate. */
    public File certificate() {
        return certificateFile;
    }

    /** The PEM file of the key: PKCS#8, without a password. */
    public File privateKey() {
        return privateKeyFile;
    }

    /** The certificate itself. */
    public X509Certificate cert() {
        return certificate;
    }

    /** The key itself. */
    public PrivateKey key() {
        return key;
    }

    /** Deletes both files. If one cannot be deleted, that is logged. */
    public void delete() {
        delete(certificateFile);
        delete(privateKeyFile);
    }

    private static void delete(File file) {
        try {
            Files.deleteIfExists(file.toPath());
        } catch (IOException e) {
            logger.warn("cannot delete " + file, e);
        }
    }
}
