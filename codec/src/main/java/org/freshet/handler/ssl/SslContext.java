package org.freshet.handler.ssl;

import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.freshet.util.Timer;

/**
 * The common settings of one server's, or one client's, TLS connections: certificates, trust, ciphers, sessions. Creates an
 * {@link SslHandler} for each connection. Immutable; any thread may use it.
 *
 * <p>{@link SslContextBuilder} has all options; the factory methods here cover common cases.
 *
 * <p>Certificates are PEM files that begin with your own certificate, followed by the one that signed it, and so on. Keys are
 * PEM files in PKCS#8. Null, an empty list or 0 as a parameter means the JDK's default. Any problem with them is reported as an
 * SSLException.
 */
public abstract class SslContext {
    private final SslBufferPool bufferPool;
    private final Timer timer;
    private final long handshakeTimeoutMillis;
    private final Executor taskExecutor;

    SslContext(SslContextBuilder settings) {
        bufferPool = settings.bufferPool;
        timer = settings.timer;
        handshakeTimeoutMillis = settings.handshakeTimeoutMillis;
        taskExecutor = settings.taskExecutor;
    }

    /** The provider of a server's context if none is given: {@link SslProvider#JDK}. */
    public static SslProvider defaultServerProvider() {
        return SslProvider.JDK;
    }

    /** The provider of a client's context if none is given: {@link SslProvider#JDK}. */
    public static SslProvider defaultClientProvider() {
        return SslProvider.JDK;
    }

    // ---- servers ----

    /** For a key without a password. */
    public static SslContext newServerContext(File certChainFile, File keyFile) throws SSLException {
        return newServerContext(certChainFile, keyFile, null);
    }

    /** @param keyPassword null if the key is not encrypted */
    public static SslContext newServerContext(File certChainFile, File keyFile, String keyPassword)
            throws SSLException {
        return newServerContext((SslBufferPool) null, certChainFile, keyFile, keyPassword, null, null, 0, 0);
    }

    /**
     * @param bufferPool null uses {@link SslHandler#getDefaultBufferPool()}
     * @param keyPassword null if the key is not encrypted
     * @param ciphers names of cipher suites, best first
     * @param nextProtocols names for ALPN, best first; none disables it
     * @param sessionCacheSize the number of sessions kept for resumption
     * @param sessionTimeout how long they are kept, in seconds
     */
    public static SslContext newServerContext(
            SslBufferPool bufferPool,
            File certChainFile,
            File keyFile,
            String keyPassword,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long sessionCacheSize,
            long sessionTimeout)
            throws SSLException {
        return new JdkSslServerContext(
                bufferPool,
                certChainFile,
                keyFile,
                keyPassword,
                ciphers,
                nextProtocols,
                sessionCacheSize,
                sessionTimeout);
    }

    /** For a key without a password. */
    public static SslContext newServerContext(SslProvider provider, File certChainFile, File keyFile)
            throws SSLException {
        return newServerContext(provider, certChainFile, keyFile, null);
    }

    /** @param keyPassword null if the key is not encrypted */
    public static SslContext newServerContext(
            SslProvider provider, File certChainFile, File keyFile, String keyPassword) throws SSLException {
        return newServerContext(provider, null, certChainFile, keyFile, keyPassword, null, null, 0, 0);
    }

    /**
     * See the method without a provider.
     *
     * @param provider null uses the default
     */
    public static SslContext newServerContext(
            SslProvider provider,
            SslBufferPool bufferPool,
            File certChainFile,
            File keyFile,
            String keyPassword,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long sessionCacheSize,
            long sessionTimeout)
            throws SSLException {
        checkAvailable(provider);
        return newServerContext(
                bufferPool,
                certChainFile,
                keyFile,
                keyPassword,
                ciphers,
                nextProtocols,
                sessionCacheSize,
                sessionTimeout);
    }

    // ---- clients ----

    /** Trusts the JDK's authorities. */
    public static SslContext newClientContext() throws SSLException {
        return newClientContext(null, null, null);
    }

    /** @param certChainFile the certificates to trust, instead of the JDK's */
    public static SslContext newClientContext(File certChainFile) throws SSLException {
        return newClientContext(null, certChainFile, null);
    }

    /** @param trustManagerFactory decides whom to trust; must already be initialized, or need no key store */
    public static SslContext newClientContext(TrustManagerFactory trustManagerFactory) throws SSLException {
        return newClientContext(null, null, trustManagerFactory);
    }

    /**
     * @param certChainFile the certificates to trust; null leaves that to the factory
     * @param trustManagerFactory will be initialized with the certificates; null uses the JDK's
     */
    public static SslContext newClientContext(File certChainFile, TrustManagerFactory trustManagerFactory)
            throws SSLException {
        return newClientContext(null, certChainFile, trustManagerFactory);
    }

    /**
     * @param bufferPool null uses {@link SslHandler#getDefaultBufferPool()}
     * @param certChainFile the certificates to trust; null leaves that to the factory
     * @param trustManagerFactory will be initialized with the certificates; null uses the JDK's
     * @param ciphers names of cipher suites, best first
     * @param nextProtocols names for ALPN, best first; none disables it
     * @param sessionCacheSize the number of sessions kept for resumption
     * @param sessionTimeout how long they are kept, in seconds
     */
    public static SslContext newClientContext(
            SslBufferPool bufferPool,
            File certChainFile,
            TrustManagerFactory trustManagerFactory,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long sessionCacheSize,
            long sessionTimeout)
            throws SSLException {
        return new JdkSslClientContext(
                bufferPool,
                certChainFile,
                trustManagerFactory,
                ciphers,
                nextProtocols,
                sessionCacheSize,
                sessionTimeout);
    }

    /** Trusts the JDK's authorities. */
    public static SslContext newClientContext(SslProvider provider) throws SSLException {
        return newClientContext(provider, null, null);
    }

    /** @param certChainFile the certificates to trust, instead of the JDK's */
    public static SslContext newClientContext(SslProvider provider, File certChainFile) throws SSLException {
        return newClientContext(provider, certChainFile, null);
    }

    /** @param trustManagerFactory decides whom to trust; must already be initialized, or need no key store */
    public static SslContext newClientContext(SslProvider provider, TrustManagerFactory trustManagerFactory)
            throws SSLException {
        return newClientContext(provider, null, trustManagerFactory);
    }

    /**
     * See the method without a provider.
     *
     * @param provider null uses the default
     */
    public static SslContext newClientContext(
            SslProvider provider, File certChainFile, TrustManagerFactory trustManagerFactory) throws SSLException {
        return newClientContext(provider, null, certChainFile, trustManagerFactory, null, null, 0, 0);
    }

    /**
     * See the method without a provider.
     *
     * @param provider null uses the default
     */
    public static SslContext newClientContext(
            SslProvider provider,
            SslBufferPool bufferPool,
            File certChainFile,
            TrustManagerFactory trustManagerFactory,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long sessionCacheSize,
            long sessionTimeout)
            throws SSLException {
        checkAvailable(provider);
        return newClientContext(
                bufferPool,
                certChainFile,
                trustManagerFactory,
                ciphers,
                nextProtocols,
                sessionCacheSize,
                sessionTimeout);
    }

    private static void checkAvailable(SslProvider provider) throws SSLException {
        if (provider != null && provider != SslProvider.JDK) {
            throw new SSLException("TLS provider is not available: " + provider + "; use " + SslProvider.JDK);
        }
    }

    // ---- properties ----

    public final boolean isServer() {
        return !isClient();
    }

    public abstract boolean isClient();

    /** The buffer pool of the handlers created here. */
    public final SslBufferPool bufferPool() {
        return bufferPool;
    }

    /** The enabled cipher suites, best first. */
    public abstract List<String> cipherSuites();

    /** The number of sessions kept for resumption; 0 means no limit. */
    public abstract long sessionCacheSize();

    /** How long a session can be resumed, in seconds; 0 means forever. */
    public abstract long sessionTimeout();

    /** The names offered or accepted by ALPN, best first; empty if it is disabled. */
    public abstract List<String> nextProtocols();

    // ---- engines and handlers ----

    /**
     * Creates an engine for one connection. A client's engine has no name to verify. An {@link SslHandler} gives it the name of
     * the host that the channel connects to, but cannot give it an IP address. {@link #newHandler()} handles both, and resumes
     * sessions.
     */
    public abstract SSLEngine newEngine();

    /**
     * Creates an engine for one connection. On a client, it verifies the name, requests it from the server (SNI), and tries to
     * resume an earlier session with that server.
     */
    public abstract SSLEngine newEngine(String peerHost, int peerPort);

    /**
     * Creates a handler for one connection. A client's handler starts the handshake when it is connected, and verifies the name
     * or address that the channel was asked to connect to: {@code "example.com"} for {@code new
     * InetSocketAddress("example.com", 443)}. A handler added later verifies the target of the
     * {@link org.freshet.handler.proxy.ProxyHandler} that connected the channel, or otherwise the channel's remote address. If
     * other code talks to a proxy, use {@link #newHandler(String, int)}.
     */
    public final SslHandler newHandler() {
        SslHandler handler = newHandler(newEngine());
        if (isClient()) {
            handler.setEnginesByServer(this::newEngine);
        }
        return handler;
    }

    /**
     * Creates a handler with {@link #newEngine(String, int)} for one connection. A client's handler starts the handshake when
     * it is connected.
     */
    public final SslHandler newHandler(String peerHost, int peerPort) {
        return newHandler(newEngine(Objects.requireNonNull(peerHost, "peerHost"), peerPort));
    }

    private SslHandler newHandler(SSLEngine engine) {
        SslHandler handler = new SslHandler(engine, bufferPool, false, timer, handshakeTimeoutMillis);
        handler.setIssueHandshake(isClient());
        handler.setDelegatedTaskExecutor(taskExecutor);
        return handler;
    }
}
