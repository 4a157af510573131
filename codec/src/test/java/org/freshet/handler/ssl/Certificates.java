package org.freshet.handler.ssl;

import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** Certificates for tests; creating a key is slow, so they are created once. Threadsafe. */
public final class Certificates {
    private static final Map<String, SelfSignedCertificate> NAMED = new ConcurrentHashMap<>();

    static final SelfSignedCertificate LOCALHOST = named("localhost");
    static final SelfSignedCertificate LOOPBACK_ADDRESS = named("127.0.0.1");
    static final SelfSignedCertificate OTHER = named("other.example");

    private Certificates() {}

    /** Returns the same certificate for the same name; each name has a key of its own. */
    public static SelfSignedCertificate named(String name) {
        return NAMED.computeIfAbsent(name, Certificates::make);
    }

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
