package org.freshet.handler.ssl;

import java.io.File;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.freshet.internal.time.Durations;
import org.freshet.util.Timer;

/**
 * Configures TLS for a server or a client. The defaults are safe.
 *
 * <pre>{@code
 * SslContext server = SslContextBuilder.forServer(new File("chain.pem"), new File("key.pem"))
 *         .applicationProtocols("h2", "http/1.1")
 *         .build();
 * SslContext client = SslContextBuilder.forClient().trust(new File("authority.pem")).build();
 * }</pre>
 *
 * <p>Not thread-safe. {@link #build()} reads the files.
 */
public final class SslContextBuilder {
    /** Reads files or calls the JDK's security providers. */
    private interface Supplier<T> {
        T get() throws IOException, GeneralSecurityException;
    }

    private static final char[] NO_PASSWORD = {};

    private final boolean client;
    private Supplier<KeyManager[]> keyManagers = () -> null;
    private Supplier<TrustManager[]> trustManagers = () -> null;
    private List<File> keyFiles = List.of();
    private List<File> trustFiles = List.of();
    private ClientAuth clientAuth = ClientAuth.NONE;
    private boolean verifiesHostname = true;
    private String[] protocols;
    private String[] ciphers;
    private String[] applicationProtocols = {};
    int sessionCacheSize;
    int sessionTimeoutSeconds;
    SslBufferPool bufferPool = SslHandler.getDefaultBufferPool();
    Timer timer;
    long handshakeTimeoutMillis = SslHandler.DEFAULT_HANDSHAKE_TIMEOUT_MILLIS;
    Executor taskExecutor = ImmediateExecutor.INSTANCE;

    private SslContextBuilder(boolean client) {
        this.client = client;
    }

    /** Starts a client that trusts the JDK's authorities. */
    public static SslContextBuilder forClient() {
        return new SslContextBuilder(true);
    }

    /** Starts a server whose key has no password. */
    public static SslContextBuilder forServer(File certChainFile, File keyFile) {
        return forServer(certChainFile, keyFile, null);
    }

    /**
     * Starts a server with a certificate and key from PEM files.
     *
     * @param keyPassword null if the key is not encrypted
     */
    public static SslContextBuilder forServer(File certChainFile, File keyFile, String keyPassword) {
        return new SslContextBuilder(false).key(certChainFile, keyFile, keyPassword);
    }

    /**
     * Starts a server with a certificate and key that you have loaded.
     *
     * @param certChain one or more: the server's own certificate, then the one that signed it, and so on
     */
    public static SslContextBuilder forServer(List<X509Certificate> certChain, PrivateKey key) {
        return new SslContextBuilder(false).key(certChain, key);
    }

    /** The same as {@link #forServer(List, PrivateKey)}, with the key first as in Netty 4. */
    public static SslContextBuilder forServer(PrivateKey key, X509Certificate... certChain) {
        return new SslContextBuilder(false).key(key, certChain);
    }

    /** @param keyManagerFactory must already be initialized */
    public static SslContextBuilder forServer(KeyManagerFactory keyManagerFactory) {
        return new SslContextBuilder(false).key(keyManagerFactory);
    }

    /**
     * Sets your own certificate and key, from PEM files. A client sends them if the server asks.
     *
     * @param keyPassword null if the key is not encrypted
     */
    public SslContextBuilder key(File certChainFile, File keyFile, String keyPassword) {
        Objects.requireNonNull(certChainFile, "certChainFile");
        Objects.requireNonNull(keyFile, "keyFile");
        keyManagers = () -> managers(keyFile, keyPassword, certChainFile);
        keyFiles = List.of(certChainFile, keyFile);
        return this;
    }

    /**
     * Sets your own certificate and key. A client sends them if the server asks.
     *
     * @param certChain one or more: your own certificate, then the one that signed it, and so on
     */
    public SslContextBuilder key(List<X509Certificate> certChain, PrivateKey key) {
        return key(key, certChain.toArray(new X509Certificate[0]));
    }

    /** The same as {@link #key(List, PrivateKey)}, with the key first as in Netty 4. */
    public SslContextBuilder key(PrivateKey key, X509Certificate... certChain) {
        Objects.requireNonNull(key, "key");
        X509Certificate[] chain = certChain.clone();
        if (chain.length == 0) {
            throw new IllegalArgumentException("certChain is empty");
        }
        keyManagers = () -> managers(key, chain);
        keyFiles = List.of();
        return this;
    }

    /** @param keyManagerFactory must already be initialized */
    public SslContextBuilder key(KeyManagerFactory keyManagerFactory) {
        Objects.requireNonNull(keyManagerFactory, "keyManagerFactory");
        keyManagers = keyManagerFactory::getKeyManagers;
        keyFiles = List.of();
        return this;
    }

    private static KeyManager[] managers(File keyFile, String keyPassword, File certChainFile)
            throws IOException, GeneralSecurityException {
        PrivateKey key = PemFiles.privateKey(keyFile, keyPassword);
        X509Certificate[] chain = PemFiles.certificates(certChainFile);
        try {
            return managers(key, chain);
        } catch (InvalidKeyException e) {
            throw new InvalidKeyException(keyFile + " and " + certChainFile + ": " + e.getMessage(), e);
        }
    }

    private static KeyManager[] managers(PrivateKey key, X509Certificate[] chain)
            throws IOException, GeneralSecurityException {
        KeyPairs.check(key, chain);
        KeyStore store = emptyStore();
        store.setKeyEntry("key", key, NO_PASSWORD, chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** @param certificatesFile PEM; trusts these and whatever they have signed, instead of the JDK's authorities */
    public SslContextBuilder trust(File certificatesFile) {
        return trust(Objects.requireNonNull(certificatesFile, "certificatesFile"), null);
    }

    /** Trusts these and whatever they have signed, instead of the JDK's authorities. */
    public SslContextBuilder trust(X509Certificate... certificates) {
        X509Certificate[] trusted = certificates.clone();
        trustManagers = () -> managers(trusted, null);
        trustFiles = List.of();
        return this;
    }

    /** @param trustManagerFactory must already be initialized, or need no key store */
    public SslContextBuilder trust(TrustManagerFactory trustManagerFactory) {
        return trust(null, Objects.requireNonNull(trustManagerFactory, "trustManagerFactory"));
    }

    /** @param factory will be initialized with the certificates, if there are any; null uses the JDK's */
    SslContextBuilder trust(File certificatesFile, TrustManagerFactory factory) {
        if (certificatesFile != null) {
            trustManagers = () -> managers(PemFiles.certificates(certificatesFile), factory);
            trustFiles = List.of(certificatesFile);
        } else if (factory != null) {
            trustManagers = factory::getTrustManagers;
            trustFiles = List.of();
        }
        return this;
    }

    private static TrustManager[] managers(X509Certificate[] trusted, TrustManagerFactory given)
            throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        for (int i = 0; i < trusted.length; i++) {
            store.setCertificateEntry("trusted-" + i, trusted[i]);
        }
        TrustManagerFactory factory =
                given != null ? given : TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Server only. Default: {@link ClientAuth#NONE}. */
    public SslContextBuilder clientAuth(ClientAuth clientAuth) {
        this.clientAuth = Objects.requireNonNull(clientAuth, "clientAuth");
        return this;
    }

    /**
     * Client only: whether the server's certificate must be for the host that the channel connects to, or the one passed to
     * {@link SslContext#newHandler(String, int)}. Default: true. Without this check, the owner of any trusted certificate can
     * impersonate the server.
     */
    public SslContextBuilder verifyHostname(boolean verify) {
        verifiesHostname = verify;
        return this;
    }

    /** TLS versions, such as {@code TLSv1.3}. Default: the JDK's, which are 1.2 and 1.3. */
    public SslContextBuilder protocols(String... protocols) {
        this.protocols = protocols.clone();
        return this;
    }

    /** Cipher suites, best first. Default: the JDK's. */
    public SslContextBuilder ciphers(String... ciphers) {
        this.ciphers = ciphers.clone();
        return this;
    }

    /**
     * Names for ALPN, best first. A server picks the first of its own that the client offers, and rejects a client that offers
     * only others. The handler's {@code getEngine().getApplicationProtocol()} returns the outcome. Default: none, ALPN is
     * disabled.
     */
    public SslContextBuilder applicationProtocols(String... names) {
        applicationProtocols = names.clone();
        return this;
    }

    /** @param sessions the number of sessions kept for resumption, 1 or more. Default: the JDK's */
    public SslContextBuilder sessionCacheSize(int sessions) {
        if (sessions <= 0) {
            throw new IllegalArgumentException("sessions <= 0: " + sessions);
        }
        sessionCacheSize = sessions;
        return this;
    }

    /** How long a session can be resumed, 1 second or more. Default: the JDK's, which is a day. */
    public SslContextBuilder sessionTimeout(Duration timeout) {
        long seconds = timeout.toSeconds();
        if (seconds <= 0 || seconds > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("timeout not in 1.." + Integer.MAX_VALUE + " s: " + timeout);
        }
        sessionTimeoutSeconds = (int) seconds;
        return this;
    }

    /** The scratch buffers of the handlers. Default: {@link SslHandler#getDefaultBufferPool()}. */
    public SslContextBuilder bufferPool(SslBufferPool pool) {
        bufferPool = Objects.requireNonNull(pool, "pool");
        return this;
    }

    /** How long a handshake may take, more than 0. Default: 10 seconds, measured by Freshet's own timer unless you set one. */
    public SslContextBuilder handshakeTimeout(Duration timeout) {
        handshakeTimeoutMillis = Durations.millis(Durations.positive("timeout", timeout));
        return this;
    }

    /** The timer for handshakes; never stopped by the handlers. */
    public SslContextBuilder timer(Timer timer) {
        this.timer = Objects.requireNonNull(timer, "timer");
        return this;
    }

    /** See {@link SslHandler#setDelegatedTaskExecutor}. */
    public SslContextBuilder delegatedTaskExecutor(Executor executor) {
        taskExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /** Applies constructor parameters for which null, no elements and 0 mean the default. */
    SslContextBuilder orDefaults(
            SslBufferPool pool,
            Iterable<String> ciphers,
            Iterable<String> nextProtocols,
            long cacheSize,
            long timeout) {
        if (pool != null) {
            bufferPool(pool);
        }
        String[] suites = toArray(ciphers);
        if (suites.length > 0) {
            ciphers(suites);
        }
        applicationProtocols(toArray(nextProtocols));
        if (cacheSize > 0) {
            sessionCacheSize((int) Math.min(cacheSize, Integer.MAX_VALUE));
        }
        if (timeout > 0) {
            sessionTimeout(Duration.ofSeconds(Math.min(timeout, Integer.MAX_VALUE)));
        }
        return this;
    }

    private static String[] toArray(Iterable<String> elements) {
        List<String> list = new ArrayList<>();
        if (elements != null) {
            elements.forEach(list::add);
        }
        return list.toArray(new String[0]);
    }

    /**
     * Creates the context.
     *
     * @throws SSLException if a file cannot be read or has the wrong content, if the private key does not match the first
     * certificate, or if the JDK does not support a setting
     */
    public SslContext build() throws SSLException {
        return client ? new JdkSslClientContext(this) : new JdkSslServerContext(this);
    }

    /**
     * Creates a context that can read the files again while it is in use. Don't change this builder afterwards: the next reload
     * would use the change.
     *
     * @throws SSLException see {@link #build()}
     */
    public ReloadableSslContext buildReloadable() throws SSLException {
        return new ReloadableSslContext(this);
    }

    /** All files that {@link #build()} reads. */
    List<File> files() {
        List<File> files = new ArrayList<>(keyFiles);
        files.addAll(trustFiles);
        return files;
    }

    KeyManager[] keyManagers() throws IOException, GeneralSecurityException {
        return keyManagers.get();
    }

    TrustManager[] trustManagers() throws IOException, GeneralSecurityException {
        return trustManagers.get();
    }

    /** The parameters for every engine. */
    SSLParameters parameters(SSLContext context) throws SSLException {
        SSLParameters parameters = context.getDefaultSSLParameters();
        SSLParameters supported = context.getSupportedSSLParameters();
        if (protocols != null) {
            checkSupported("protocol", protocols, supported.getProtocols());
            parameters.setProtocols(protocols);
        }
        if (ciphers != null) {
            checkSupported("cipher suite", ciphers, supported.getCipherSuites());
            parameters.setCipherSuites(ciphers);
        }
        parameters.setApplicationProtocols(applicationProtocols);
        if (client) {
            parameters.setEndpointIdentificationAlgorithm(
                    verifiesHostname ? HostnameVerification.ON : HostnameVerification.OFF);
        } else {
            parameters.setUseCipherSuitesOrder(true);
            parameters.setWantClientAuth(clientAuth == ClientAuth.OPTIONAL);
            if (clientAuth == ClientAuth.REQUIRE) {
                parameters.setNeedClientAuth(true);
            }
        }
        return parameters;
    }

    private static void checkSupported(String what, String[] wanted, String[] supported) throws SSLException {
        for (String name : wanted) {
            if (!List.of(supported).contains(name)) {
                throw new SSLException(what + " is not supported: " + name + "; supported are: " + List.of(supported));
            }
        }
    }
}
