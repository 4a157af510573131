package org.freshet.handler.ssl;

import java.io.File;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** A server's context based on the JDK's {@link SSLContext}. See {@link SslContext} for the parameters. */
public final class JdkSslServerContext extends JdkSslContext {
    /** For a key without a password. */
    public JdkSslServerContext(File certChainFile, File keyFile) throws SSLException {
        this(certChainFile, keyFile, null);
    }

    /** @param keyPassword null if the key is not encrypted */
    public JdkSslServerContext(File certChainFile, File keyFile, String keyPassword) throws SSLException {
        this(null, certChainFile, keyFile, keyPassword, null, null, 0, 0);
    }

    /**
     * See {@link SslContext#newServerContext(SslBufferPool, File, File, String, Iterable, Iterable, long, long)}.
     *
     * @param bufferPool null uses {@link SslHandler#getDefaultBufferPool()}
     * @param keyPassword null if the key is not encrypted
     * @param ciphers names of cipher suites, best first
     * @param nextProtocols names for ALPN, best first; none disables it
     * @param sessionCacheSize the number of sessions kept for resumption
     * @param sessionTimeout how long they are kept, in seconds
     */
    public JdkSslServerContext(
            SslBufferPool bufferPool,
            File certChainFile,
            File keyFile,
            String keyPassword,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long sessionCacheSize,
            long sessionTimeout)
            throws SSLException {
        this(SslContextBuilder.forServer(certChainFile, keyFile, keyPassword)
                .orDefaults(bufferPool, ciphers, nextProtocols, sessionCacheSize, sessionTimeout));
    }

    JdkSslServerContext(SslContextBuilder settings) throws SSLException {
        super(settings);
    }

    @Override
    public boolean isClient() {
        return false;
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
