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
 * Says what the TLS connections of a server or a client shall be like; what is not said has safe defaults.
 *
 * <pre>{@code
 * SslContext server = SslContextBuilder.forServer(new File("chain.pem"), new File("key.pem"))
 *         .applicationProtocols("h2", "http/1.1")
 *         .build();
 * SslContext client = SslContextBuilder.forClient().trust(new File("authority.pem")).build();
 * }</pre>
 *
 * <p>For one thread. Files are read by {@link #build()}.
 */
public final class SslContextBuilder {
    /** Something that reads files or asks the JDK's security providers. */
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

    /** A client that trusts what the JDK trusts. */
    public static SslContextBuilder forClient() {
        return new SslContextBuilder(true);
    }

    /** A server with a key without a password. */
    public static SslContextBuilder forServer(File certChainFile, File keyFile) {
        return forServer(certChainFile, keyFile, null);
    }

    /**
     * A server with a certificate and key from PEM files.
     *
     * @param keyPassword null if the key is not encrypted
     */
    public static SslContextBuilder forServer(File certChainFile, File keyFile, String keyPassword) {
        return new SslContextBuilder(false).key(certChainFile, keyFile, keyPassword);
    }

    /**
     * A server with a certificate and key that you have loaded.
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

    /** @param keyManagerFactory is initialized already */
    public static SslContextBuilder forServer(KeyManagerFactory keyManagerFactory) {
        return new SslContextBuilder(false).key(keyManagerFactory);
    }

    /**
     * The own certificate and key, from PEM files; for a client, to show if the server asks.
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
     * The own certificate and key; for a client, to show if the server asks.
     *
     * @param certChain one or more: the own certificate, then the one that signed it, and so on
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

    /** @param keyManagerFactory is initialized already */
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

    /** @param certificatesFile PEM; these are trusted, and what they signed, instead of what the JDK trusts */
    public SslContextBuilder trust(File certificatesFile) {
        return trust(Objects.requireNonNull(certificatesFile, "certificatesFile"), null);
    }

    /** These are trusted, and what they signed, instead of what the JDK trusts. */
    public SslContextBuilder trust(X509Certificate... certificates) {
        X509Certificate[] trusted = certificates.clone();
        trustManagers = () -> managers(trusted, null);
        trustFiles = List.of();
        return this;
    }

    /** @param trustManagerFactory is initialized already, or needs no key store */
    public SslContextBuilder trust(TrustManagerFactory trustManagerFactory) {
        return trust(null, Objects.requireNonNull(trustManagerFactory, "trustManagerFactory"));
    }

    /** @param factory is initialized with the certificates, if there are any; null for the JDK's */
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

    /** For servers. Default: {@link ClientAuth#NONE}. */
    public SslContextBuilder clientAuth(ClientAuth clientAuth) {
        this.clientAuth = Objects.requireNonNull(clientAuth, "clientAuth");
        return this;
    }

    /**
     * For clients: whether the server's certificate must be for the host that {@link SslContext#newHandler(String, int)} is
     * given. Default: true. Without it, the owner of any trusted certificate can pose as the server.
     */
    public SslContextBuilder verifyHostname(boolean verify) {
        verifiesHostname = verify;
        return this;
    }

    /** Versions of TLS, such as {@code TLSv1.3}. Default: those of the JDK, which are 1.2 and 1.3. */
    public SslContextBuilder protocols(String... protocols) {
        this.protocols = protocols.clone();
        return this;
    }

    /** Cipher suites, the best first. Default: those of the JDK. */
    public SslContextBuilder ciphers(String... ciphers) {
        this.ciphers = ciphers.clone();
        return this;
    }

    /**
     * Names for ALPN, the best first; a server takes the first of its own that the client offers, and refuses a client that
     * offers others only. {@code getEngine().getApplicationProtocol()} of the handler tells the outcome. Default: none, no
     * ALPN.
     */
    public SslContextBuilder applicationProtocols(String... names) {
        applicationProtocols = names.clone();
        return this;
    }

    /** @param sessions how many are kept to be resumed, 1 or more. Default: that of the JDK. */
    public SslContextBuilder sessionCacheSize(int sessions) {
        if (sessions <= 0) {
            throw new IllegalArgumentException("sessions <= 0: " + sessions);
        }
        sessionCacheSize = sessions;
        return this;
    }

    /** For how long a session can be resumed, 1 second or more. Default: that of the JDK, a day. */
    public SslContextBuilder sessionTimeout(Duration timeout) {
        long seconds = timeout.toSeconds();
        if (seconds <= 0 || seconds > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("timeout not in 1.." + Integer.MAX_VALUE + " s: " + timeout);
        }
        sessionTimeoutSeconds = (int) seconds;
        return this;
    }

    /** Scratch buffers of the handlers. Default: {@link SslHandler#getDefaultBufferPool()}. */
    public SslContextBuilder bufferPool(SslBufferPool pool) {
        bufferPool = Objects.requireNonNull(pool, "pool");
        return this;
    }

    /** How long a handshake may take, more than 0; measured by a daemon thread of the JDK. Default: 10 seconds. */
    public SslContextBuilder handshakeTimeout(Duration timeout) {
        handshakeTimeoutMillis = Durations.millis(Durations.positive("timeout", timeout));
        return this;
    }

    /** Measures the handshakes; never stopped. */
    public SslContextBuilder timer(Timer timer) {
        this.timer = Objects.requireNonNull(timer, "timer");
        return this;
    }

    /** See {@link SslHandler#setDelegatedTaskExecutor}. */
    public SslContextBuilder delegatedTaskExecutor(Executor executor) {
        taskExecutor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /** Takes the parameters of constructors in which null, no elements and 0 stand for the default. */
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
     * Makes the context.
     *
     * @throws SSLException if a file cannot be read or holds something else, if the private key does not match the first
     *     certificate, or if the JDK does not support what is asked for
     */
    public SslContext build() throws SSLException {
        return client ? new JdkSslClientContext(this) : new JdkSslServerContext(this);
    }

    /**
     * Makes a context that can read the files again while it is in use. Don't change this builder afterwards: the next reload would use the
     * change.
     *
     * @throws SSLException as {@link #build()} does
     */
    public ReloadableSslContext buildReloadable() throws SSLException {
        return new ReloadableSslContext(this);
    }

    /** Everything that {@link #build()} reads. */
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

    /** What every engine is set to. */
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
                throw new SSLException(what + " is not supported: " + name + "; these are: " + List.of(supported));
            }
        }
    }
}
