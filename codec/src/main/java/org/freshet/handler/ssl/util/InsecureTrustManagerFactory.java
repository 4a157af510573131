package org.freshet.handler.ssl.util;

import java.net.Socket;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * Trusts every peer, no matter what its certificate says: the connection is encrypted, but perhaps to an attacker. For tests
 * only. To trust one known certificate, use {@link FingerprintTrustManagerFactory}.
 */
public final class InsecureTrustManagerFactory extends SimpleTrustManagerFactory {
    /** Needs no {@code init}. */
    public static final TrustManagerFactory INSTANCE = initialized();

    private static final InternalLogger logger = InternalLoggerFactory.getInstance(InsecureTrustManagerFactory.class);

    /** An extended trust manager, because otherwise the JDK would verify the name. */
    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            accept(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
            accept(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            accept(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            accept(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
            accept(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            accept(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }

        private static void accept(X509Certificate[] chain) {
            if (logger.isDebugEnabled()) {
                logger.debug("accepting a certificate without checking it: " + chain[0].getSubjectX500Principal());
            }
        }
    }

    private InsecureTrustManagerFactory() {
        super("insecure");
    }

    private static TrustManagerFactory initialized() {
        try {
            TrustManagerFactory factory = new InsecureTrustManagerFactory();
            factory.init((KeyStore) null);
            return factory;
        } catch (KeyStoreException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    protected void engineInit(KeyStore keyStore) throws Exception {
        // Its content makes no difference.
    }

    @Override
    protected void engineInit(ManagerFactoryParameters managerFactoryParameters) throws Exception {
        // They make no difference.
    }

    @Override
    protected TrustManager[] engineGetTrustManagers() {
        return new TrustManager[] {new TrustAll()};
    }
}
