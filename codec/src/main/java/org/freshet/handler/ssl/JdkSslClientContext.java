package org.freshet.handler.ssl;

import java.io.File;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** A client's context over the JDK's {@link SSLContext}. See {@link SslContext} about the parameters. */
public final class JdkSslClientContext extends JdkSslContext {
    /** Trusts what the JDK trusts. */
    public JdkSslClientContext() throws SSLException {
        this(null, null);
    }

    /** @param certChainFile certificates to trust instead of the JDK's */
    public JdkSslClientContext(File certChainFile) throws SSLException {
        this(certChainFile, null);
    }

    /** @param trustManagerFactory tells whom to trust; is initialized already, or needs no key store */
    public JdkSslClientContext(TrustManagerFactory trustManagerFactory) throws SSLException {
        this(null, trustManagerFactory);
    }

    /**
     * @param certChainFile certificates to trust; null to leave it to the factory
     * @param trustManagerFactory is initialized with the certificates; null for the JDK's
     */
    public JdkSslClientContext(File certChainFile, TrustManagerFactory trustManagerFactory) throws SSLException {
        this(null, certChainFile, trustManagerFactory, null, null, 0, 0);
    }

    /**
     * As {@link SslContext#newClientContext(SslBufferPool, File, TrustManagerFactory, Iterable, Iterable, long, long)}.
     *
     * @param bufferPool null for {@link SslHandler#getDefaultBufferPool()}
     * @param certChainFile certificates to trust; null to leave it to the factory
     * @param trustManagerFactory is initialized with the certificates; null for the JDK's
     * @param ciphers names of cipher suites, the best first
     * @param nextProtocols names for ALPN, the best first; none switches it off
     * @param sessionCacheSize how many sessions are kept to be resumed
     * @param sessionTimeout seconds for which they are
     */
    public JdkSslClientContext(
            SslBufferPool bufferPool,
            File certChainFile,
            TrustManagerFactory trustManagerFactory,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long sessionCacheSize,
            long sessionTimeout)
            throws SSLException {
        this(SslContextBuilder.forClient()
                .trust(certChainFile, trustManagerFactory)
                .orDefaults(bufferPool, ciphers, nextProtocols, sessionCacheSize, sessionTimeout));
    }

    JdkSslClientContext(SslContextBuilder settings) throws SSLException {
        super(settings);
    }

    @Override
    public boolean isClient() {
        return true;
    }

    @Override
    public List<String> nextProtocols() {
        return applicationProtocols();
    }

    @Override
    public SSLContext context() {
        return jdkContext();
    }
}
