package org.freshet.handler.ssl;

import static org.freshet.buffer.ChannelBuffers.wrappedBuffer;
import static org.freshet.handler.ssl.Certificates.LOCALHOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.logging.InternalLogLevel;
import org.freshet.testing.Await;
import org.freshet.testing.CapturedLog;
import org.freshet.testing.Echo;
import org.freshet.testing.Recorder;
import org.freshet.testing.Rig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A certificate is renewed while the server runs. */
@Tag("crypto")
class ReloadableSslContextTest {
    /** Each takes some milliseconds of two processors, which check keys and sign handshakes. */
    private static final int RELOADS = Boolean.getBoolean("freshet.seams") ? 1000 : 150;

    private static SelfSignedCertificate renewed;

    @TempDir
    private Path folder;

    private File chain;
    private File key;
    private File trusted;
    private ReloadableSslContext context;
    private Channel server;
    private final Rig rig = new Rig(new NioServerSocketChannelFactory(1), new NioClientSocketChannelFactory(1));

    @BeforeAll
    static void renew() throws Exception {
        renewed = new SelfSignedCertificate("localhost");
    }

    @BeforeEach
    void serve() throws Exception {
        chain = folder.resolve("chain.pem").toFile();
        key = folder.resolve("key.pem").toFile();
        trusted = folder.resolve("trusted.pem").toFile();
        install(LOCALHOST);
        copy(LOCALHOST.certificate(), trusted);
        context = SslContextBuilder.forServer(chain, key)
                .trust(trusted)
                .clientAuth(ClientAuth.OPTIONAL)
                .buildReloadable();
        rig.server().setPipelineFactory(() -> Channels.pipeline(context.newHandler(), new Echo()));
        server = rig.server().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void stop() {
        rig.close();
    }

    private void install(SelfSignedCertificate certificate) throws IOException {
        copy(certificate.certificate(), chain);
        copy(certificate.privateKey(), key);
    }

    private static void copy(File from, File to) throws IOException {
        Files.copy(from.toPath(), to.toPath(), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Trusts both certificates, and presents one if the server asks for it. */
    private static SslContext client(SelfSignedCertificate shown) throws SSLException {
        return SslContextBuilder.forClient()
                .trust(LOCALHOST.cert(), renewed.cert())
                .key(shown.key(), shown.cert())
                .build();
    }

    private Channel connect(SelfSignedCertificate shown) throws SSLException {
        SslHandler tls = client(shown).newHandler("localhost", 443);
        Channel channel = rig.connect(server.getLocalAddress(), tls, new Recorder());
        Await.success(tls.handshake(), "the handshake");
        return channel;
    }

    private Certificate served() throws Exception {
        Channel channel = connect(LOCALHOST);
        assertEchoes(channel);
        return channel.getPipeline()
                .get(SslHandler.class)
                .getEngine()
                .getSession()
                .getPeerCertificates()[0];
    }

    private static void assertEchoes(Channel channel) {
        channel.write(wrappedBuffer("x".getBytes()));
        channel.getPipeline().get(Recorder.class).awaitText("x");
    }

    @Test
    void shouldServeTheNewCertificateToNewConnectionsOnly() throws Exception {
        Channel before = connect(LOCALHOST);
        assertEquals(LOCALHOST.cert(), served());
        install(renewed);
        assertTrue(context.reloadIfChanged());
        assertEquals(renewed.cert(), served());
        assertEchoes(before);
    }

    @Test
    void shouldDoNothingWhileTheFilesAreUnchanged() throws Exception {
        assertFalse(context.reloadIfChanged());
        install(LOCALHOST);
        assertFalse(context.reloadIfChanged(), "rewritten with the same content");
        context.reload();
        assertEquals(LOCALHOST.cert(), served());
    }

    @Test
    void shouldKeepTheOldKeyAndWarnOnceWhenAFileIsBad() throws Exception {
        try (CapturedLog log = CapturedLog.start()) {
            copy(renewed.certificate(), chain); // its key is still the old one
            for (int i = 0; i < 5; i++) {
                assertFalse(context.reloadIfChanged());
            }
            assertEquals(1, warnings(log));
            assertTrue(Files.deleteIfExists(key.toPath()));
            for (int i = 0; i < 5; i++) {
                assertFalse(context.reloadIfChanged());
            }
            assertEquals(2, warnings(log));
            assertEquals(LOCALHOST.cert(), served());
            copy(renewed.privateKey(), key);
            assertTrue(context.reloadIfChanged());
            assertEquals(renewed.cert(), served());
            assertEquals(2, warnings(log));
        }
    }

    private static long warnings(CapturedLog log) {
        return log.messages().stream()
                .filter(message -> message.level() == InternalLogLevel.WARN)
                .filter(message -> message.text().startsWith("TLS keeps its old certificate"))
                .count();
    }

    @Test
    void shouldThrowTheCauseOfAFailedReloadAndContinue() throws Exception {
        Files.writeString(key.toPath(), "no key");
        SSLException refusal = assertThrows(SSLException.class, context::reload);
        assertTrue(refusal.getMessage().contains("key.pem"), refusal::getMessage);
        assertEquals(LOCALHOST.cert(), served());
    }

    @Test
    void shouldTrustReloadedCertificates() throws Exception {
        assertEchoes(connect(LOCALHOST));
        copy(renewed.certificate(), trusted);
        assertTrue(context.reloadIfChanged());
        assertEchoes(connect(renewed));
        Channel refused = connectUnchecked(LOCALHOST);
        refused.getPipeline().get(Recorder.class).awaitClosed();
    }

    /** With TLS 1.3 a client's handshake is complete before the server has checked its certificate. */
    private Channel connectUnchecked(SelfSignedCertificate shown) throws SSLException {
        return rig.connect(server.getLocalAddress(), client(shown).newHandler("localhost", 443), new Recorder());
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldFailNoHandshakeWhileItReloadsManyTimes() throws Exception {
        Channel before = connect(LOCALHOST); // started here, because a rig serves one thread
        AtomicBoolean isOver = new AtomicBoolean();
        SslContext client = client(LOCALHOST);
        CompletableFuture<Integer> handshakes = CompletableFuture.supplyAsync(() -> {
            int count = 0;
            for (; !isOver.get() || count < 10; count++) {
                SslHandler tls = client.newHandler("localhost", 443);
                Channel channel = rig.connect(server.getLocalAddress(), tls, new Recorder());
                Await.success(tls.handshake(), "handshake " + count);
                assertEchoes(channel);
                channel.close();
            }
            return count;
        });
        for (int i = 1; i <= RELOADS && !handshakes.isDone(); i++) {
            install(i % 2 == 0 ? LOCALHOST : renewed);
            assertTrue(context.reloadIfChanged());
        }
        isOver.set(true);
        assertTrue(Await.result(handshakes, "the handshakes") >= 10);
        assertEchoes(before);
    }
}
