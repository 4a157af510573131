package org.freshet.handler.ssl;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * A context whose certificate, key and trusted certificates can be replaced while it is in use, so a server doesn't have to
 * restart when a certificate is renewed. Create it with {@link SslContextBuilder#buildReloadable()}, and use it wherever an
 * {@link SslContext} is accepted.
 *
 * <pre>{@code
 * ReloadableSslContext tls = SslContextBuilder.forServer(new File("chain.pem"), new File("key.pem")).buildReloadable();
 * Executors.newSingleThreadScheduledExecutor().scheduleWithFixedDelay(tls::reloadIfChanged, 1, 1, TimeUnit.MINUTES);
 * }</pre>
 *
 * <p>A reload reads the builder's files again. If all of them are good, later handshakes use them; existing connections keep
 * what they began with. If a file is missing or bad, or the key doesn't match the certificate, the old ones stay in use.
 * Sessions from before a reload can't be resumed: such a client makes a full handshake.
 *
 * <p>Any thread may call. A reload reads files and computes, so don't call it on an I/O thread. Reloads run one at a time.
 */
public final class ReloadableSslContext extends SslContext {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(ReloadableSslContext.class);
    private static final FailsafeLogMessage OLD_STAYS = FailsafeLogMessage.warning(
            logger, "TLS keeps its old certificate, key and trust, because the new files can't be used");

    /** The digest of a file that can't be read. */
    private static final String UNREADABLE = "";

    /** No longer modified. */
    private final SslContextBuilder settings;

    private final Object reloading = new Object();

    /** Digests of the files at the last read, good or not; null forces another try. Guarded by {@link #reloading}. */
    private List<String> lastRead;

    private volatile SslContext current;

    ReloadableSslContext(SslContextBuilder settings) throws SSLException {
        super(settings);
        this.settings = settings;
        lastRead = digests();
        current = settings.build();
    }

    /**
     * Reads the files again, even if they have not changed.
     *
     * @throws SSLException if they can't be used; the message says why, and the old ones stay in use
     */
    public void reload() throws SSLException {
        synchronized (reloading) {
            List<String> read = digests();
            lastRead = null; // if this ends in an Error, the next check tries again
            try {
                current = settings.build();
                lastRead = read;
            } catch (SSLException | RuntimeException e) {
                lastRead = isContentBad(read, e) ? read : null;
                throw e;
            }
        }
    }

    /**
     * Reads the files again if their content has changed since the last read. Never throws, so a scheduler can call it. The
     * outcome is logged, once per change.
     *
     * @return whether new files are in use
     */
    public boolean reloadIfChanged() {
        synchronized (reloading) {
            try {
                if (digests().equals(lastRead)) {
                    return false;
                }
                reload();
                logger.info("TLS uses the reloaded files: " + settings.files());
                return true;
            } catch (Throwable e) { // even an Error: a scheduler would never call again
                OLD_STAYS.log(null, e);
                return false;
            }
        }
    }

    /** Whether the content is bad, and not just the attempt to read it. */
    private boolean isContentBad(List<String> read, Exception failure) {
        boolean wasRead = read.contains(UNREADABLE) || !(failure.getCause() instanceof FileSystemException);
        return wasRead && digests().equals(read);
    }

    private List<String> digests() {
        List<String> digests = new ArrayList<>();
        for (File file : settings.files()) {
            digests.add(digest(file));
        }
        return digests;
    }

    private static String digest(File file) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file.toPath()));
            return HexFormat.of().formatHex(hash);
        } catch (IOException | NoSuchAlgorithmException e) {
            return UNREADABLE;
        }
    }

    @Override
    public boolean isClient() {
        return current.isClient();
    }

    @Override
    public List<String> cipherSuites() {
        return current.cipherSuites();
    }

    @Override
    public long sessionCacheSize() {
        return current.sessionCacheSize();
    }

    @Override
    public long sessionTimeout() {
        return current.sessionTimeout();
    }

    @Override
    public List<String> nextProtocols() {
        return current.nextProtocols();
    }

    @Override
    public SSLEngine newEngine() {
        return current.newEngine();
    }

    @Override
    public SSLEngine newEngine(String peerHost, int peerPort) {
        return current.newEngine(peerHost, peerPort);
    }
}
