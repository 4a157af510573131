package org.freshet.testkit.matrix;

import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** Shared by all cells with TLS. Created when the first one needs it. */
final class TlsContexts {
    static final SslContext SERVER;
    static final SslContext CLIENT;

    static {
        try {
            SelfSignedCertificate certificate = new SelfSignedCertificate("localhost");
            SERVER = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                    .build();
            CLIENT = SslContextBuilder.forClient().trust(certificate.cert()).build();
        } catch (CertificateException | SSLException e) {
            throw new AssertionError(e);
        }
    }

    private TlsContexts() {}
}
