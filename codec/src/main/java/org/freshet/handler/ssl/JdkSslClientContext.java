package org.freshet.handler.ssl;

import java.io.File;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** A client's context based on the JDK's {@link SSLContext}. See {@link SslContext} for the parameters. */
public final class JdkSslClientContext extends JdkSslContext {
    /** Trusts the JDK's authorities. */
    public JdkSslClientContext() throws SSLException {
        this(null, null);
    }

    /** @param certChainFile the certificates to trust, instead of the JDK's */
    public JdkSslClientContext(File certChainFile) throws SSLException {
        this(certChainFile, null);
    }

    /** @param trustManagerFactory decides whom to trust; must already be initialized, or need no key store */
    public JdkSslClientContext(TrustManagerFactory trustManagerFactory) throws SSLException {
        this(null, trustManagerFactory);
    }

    /**
     * @param certChainFile the certificates to trust; null leaves that to the factory
     * @param trustManagerFactory will be initialized with the certificates; null uses the JDK's
     */
    public JdkSslClientContext(File certChainFile, TrustManagerFactory trustManagerFactory) throws SSLException {
        this(null, certChainFile, trustManagerFactory, null, null, 0, 0);
    }

    /**
     * See {@link SslContext#newClientContext(SslBufferPool, File, TrustManagerFactory, Iterable, Iterable, long, long)}.
     *
     * @param bufferPool null uses {@link SslHandler#getDefaultBufferPool()}
     * @param certChainFile the certificates to trust; null leaves that to the factory
     * @param trustManagerFactory will be initialized with the certificates; null uses the JDK's
     * @param ciphers names of cipher suites, best first
     * @param nextProtocols names for ALPN, best first; none disables it
     * @param sessionCacheSize the number of sessions kept for resumption
     * @param sessionTimeout how long they are kept, in seconds
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
