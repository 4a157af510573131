package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;

/**
 * The TLS settings of all sides: one protocol, one cipher suite, and one certificate, which the first process creates
 * and the others get as a file.
 */
public final class Tls {
    private static final String KEY_STORE_PROPERTY = "org.freshet.microbench.keyStore";
    private static final String PASSWORD = "password";

    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final String[] CIPHER_SUITES = {"TLS_AES_128_GCM_SHA256"};

    static final SSLContext CONTEXT = makeContext();

    private Tls() {}

    /** Returns the flag that gives one of our processes this process's certificate. */
    public static String jvmFlag() {
        return "-D" + KEY_STORE_PROPERTY + "=" + System.getProperty(KEY_STORE_PROPERTY);
    }

    /** Returns a context for a server that creates its own engines; set the protocols and cipher suites there. */
    public static SSLContext context() {
        return CONTEXT;
    }

    /** Returns the protocols of all engines. */
    public static String[] protocols() {
        return PROTOCOLS.clone();
    }

    /** Returns the cipher suites of all engines. */
    public static String[] cipherSuites() {
        return CIPHER_SUITES.clone();
    }

    /** Returns an engine for one connection to a client. */
    public static SSLEngine serverEngine() {
        return engine(false);
    }

    static SSLEngine clientEngine() {
        return engine(true);
    }

    private static SSLEngine engine(boolean client) {
        SSLEngine engine = CONTEXT.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setEnabledCipherSuites(CIPHER_SUITES);
        return engine;
    }

    private static SSLContext makeContext() {
        try {
            if (System.getProperty(KEY_STORE_PROPERTY) == null) {
                System.setProperty(KEY_STORE_PROPERTY, makeKeyStore().toString());
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(Path.of(System.getProperty(KEY_STORE_PROPERTY)))) {
                store.load(in, PASSWORD.toCharArray());
            }
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD.toCharArray());
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trustStore(store));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A key's own certificate is only trusted if it has a separate entry. */
    private static KeyStore trustStore(KeyStore keyStore) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keyStore.getCertificate("server"));
        return trusted;
    }

    /** Uses keytool, the JDK's only way to make certificates. */
    private static Path makeKeyStore() throws IOException {
        Path directory = Files.createTempDirectory("freshet-microbench");
        Path file = directory.resolve("server.p12");
        directory.toFile().deleteOnExit();
        file.toFile().deleteOnExit(); // registered after its directory, so deleted before it
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-validity",
                        "7",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!Files.exists(file)) {
            throw new IOException("keytool failed to make a certificate: " + output);
        }
        return file;
    }
}
