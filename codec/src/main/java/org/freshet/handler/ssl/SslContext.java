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
 * What the TLS connections of one server, or of one client, have in common: certificates, trust, ciphers, sessions. Makes a
 * {@link SslHandler} for each connection. Cannot be changed once it is made; any thread may use it.
 *
 * <p>{@link SslContextBuilder} says all there is to say; the factory methods here are for what is said often.
 *
 * <p>Certificates are PEM files that begin with the own certificate, then the one that signed it, and so on. Keys are PEM
 * files in PKCS#8. A parameter that is null, an empty list or 0 stands for the JDK's default. Everything that is wrong with
 * them is told by an SSLException.
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

    /** What a server's context is made with when it names no provider: {@link SslProvider#JDK}. */
    public static SslProvider defaultServerProvider() {
        return SslProvider.JDK;
    }

    /** What a client's context is made with when it names no provider: {@link SslProvider#JDK}. */
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
     * @param bufferPool null for {@link SslHandler#getDefaultBufferPool()}
     * @param keyPassword null if the key is not encrypted
     * @param ciphers names of cipher suites, the best first
     * @param nextProtocols names for ALPN, the best first; none switches it off
     * @param sessionCacheSize how many sessions are kept to be resumed
     * @param sessionTimeout seconds for which they are
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
     * As the one without a provider.
     *
     * @param provider null for the default
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

    /** Trusts what the JDK trusts. */
    public static SslContext newClientContext() throws SSLException {
        return newClientContext(null, null, null);
    }

    /** @param certChainFile certificates to trust instead of the JDK's */
    public static SslContext newClientContext(File certChainFile) throws SSLException {
        return newClientContext(null, certChainFile, null);
    }

    /** @param trustManagerFactory tells whom to trust; is initialized already, or needs no key store */
    public static SslContext newClientContext(TrustManagerFactory trustManagerFactory) throws SSLException {
        return newClientContext(null, null, trustManagerFactory);
    }

    /**
     * @param certChainFile certificates to trust; null to leave it to the factory
     * @param trustManagerFactory is initialized with the certificates; null for the JDK's
     */
    public static SslContext newClientContext(File certChainFile, TrustManagerFactory trustManagerFactory)
            throws SSLException {
        return newClientContext(null, certChainFile, trustManagerFactory);
    }

    /**
     * @param bufferPool null for {@link SslHandler#getDefaultBufferPool()}
     * @param certChainFile certificates to trust; null to leave it to the factory
     * @param trustManagerFactory is initialized with the certificates; null for the JDK's
     * @param ciphers names of cipher suites, the best first
     * @param nextProtocols names for ALPN, the best first; none switches it off
     * @param sessionCacheSize how many sessions are kept to be resumed
     * @param sessionTimeout seconds for which they are
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

    /** Trusts what the JDK trusts. */
    public static SslContext newClientContext(SslProvider provider) throws SSLException {
        return newClientContext(provider, null, null);
    }

    /** @param certChainFile certificates to trust instead of the JDK's */
    public static SslContext newClientContext(SslProvider provider, File certChainFile) throws SSLException {
        return newClientContext(provider, certChainFile, null);
    }

    /** @param trustManagerFactory tells whom to trust; is initialized already, or needs no key store */
    public static SslContext newClientContext(SslProvider provider, TrustManagerFactory trustManagerFactory)
            throws SSLException {
        return newClientContext(provider, null, trustManagerFactory);
    }

    /**
     * As the one without a provider.
     *
     * @param provider null for the default
     */
    public static SslContext newClientContext(
            SslProvider provider, File certChainFile, TrustManagerFactory trustManagerFactory) throws SSLException {
        return newClientContext(provider, null, certChainFile, trustManagerFactory, null, null, 0, 0);
    }

    /**
     * As the one without a provider.
     *
     * @param provider null for the default
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
            throw new SSLException("provider is not available: " + provider + "; there is only " + SslProvider.JDK);
        }
    }

    // ---- what it is ----

    public final boolean isServer() {
        return !isClient();
    }

    public abstract boolean isClient();

    /** The pool of the handlers made here. */
    public final SslBufferPool bufferPool() {
        return bufferPool;
    }

    /** The enabled cipher suites, the best first. */
    public abstract List<String> cipherSuites();

    /** How many sessions are kept to be resumed; 0 for no limit. */
    public abstract long sessionCacheSize();

    /** For how many seconds a session can be resumed; 0 for ever. */
    public abstract long sessionTimeout();

    /** The names offered or taken by ALPN, the best first; empty if it is off. */
    public abstract List<String> nextProtocols();

    // ---- what it makes ----

    /**
     * An engine for one connection. A client's knows no name to verify: an {@link SslHandler} gives it that of the host the
     * channel connects to, but not an IP address; {@link #newHandler()} does both, and resumes sessions.
     */
    public abstract SSLEngine newEngine();

    /**
     * An engine for one connection; for a client, verifies the name, asks the server for it (SNI) and tries to resume an
     * earlier session with it.
     */
    public abstract SSLEngine newEngine(String peerHost, int peerPort);

    /**
     * A handler to be used once. A client's starts the handshake when it is connected, and verifies the name or the address
     * that the channel was asked to connect to: {@code "example.com"} for {@code new InetSocketAddress("example.com", 443)}. A
     * handler that is added later takes the target of the {@link org.freshet.handler.proxy.ProxyHandler} that connected the
     * channel, else the channel's remote address. Where other code speaks to a proxy, use {@link #newHandler(String, int)}.
     */
    public final SslHandler newHandler() {
        SslHandler handler = newHandler(newEngine());
        if (isClient()) {
            handler.setEnginesByServer(this::newEngine);
        }
        return handler;
    }

    /** A handler with {@link #newEngine(String, int)}, to be used once. A client's starts the handshake when connected. */
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
