package org.freshet.handler.ssl;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
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

    /** The JDK's context for a client that trusts nothing but this certificate. */
    public static SSLContext trusting(X509Certificate certificate) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("server", certificate);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
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
