package org.freshet.handler.ssl;

import java.security.cert.CertificateException;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** Certificates for tests; creating a key is slow, so they are created once. */
final class Certificates {
    static final SelfSignedCertificate LOCALHOST = make("localhost");
    static final SelfSignedCertificate LOOPBACK_ADDRESS = make("127.0.0.1");
    static final SelfSignedCertificate OTHER = make("other.example");

    private Certificates() {}

    private static SelfSignedCertificate make(String name) {
        try {
            return new SelfSignedCertificate(name);
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }

    /** A server named {@code localhost}. */
    static SslContextBuilder server() {
        return server(LOCALHOST);
    }

    static SslContextBuilder server(SelfSignedCertificate certificate) {
        return SslContextBuilder.forServer(certificate.key(), certificate.cert());
    }

    /** A client that trusts {@link #LOCALHOST}. */
    static SslContextBuilder client() {
        return SslContextBuilder.forClient().trust(LOCALHOST.cert());
    }
}
