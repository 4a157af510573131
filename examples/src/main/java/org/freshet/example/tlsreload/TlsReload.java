package org.freshet.example.tlsreload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** Renews a server's certificate while it runs, and then breaks it. */
public final class TlsReload {
    private static final long EVERY_MILLIS = 50; // a real server would use a minute or so
    private static final long LIMIT_MILLIS = 10_000;

    private TlsReload() {}

    public static void main(String[] args) throws Exception {
        new Arguments("tls-reload", 0, 0, args);
        SelfSignedCertificate old = new SelfSignedCertificate("localhost");
        SelfSignedCertificate renewed = new SelfSignedCertificate("localhost");
        SslContext trust =
                SslContextBuilder.forClient().trust(old.cert(), renewed.cert()).build();
        Path directory = Files.createTempDirectory("tls-reload");
        Path chain = directory.resolve("chain.pem");
        Path key = directory.resolve("key.pem");
        install(old, chain, key);
        ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory());
        boolean isRight;
        try (RenewedServer server = new RenewedServer(chain.toFile(), key.toFile(), EVERY_MILLIS)) {
            Visitor early = new Visitor(clients, server.address(), trust);
            isRight = said("the first client got the old certificate", early.sawCertificate(old.cert()));

            install(renewed, chain, key);
            isRight &= said(
                    "after the files were replaced, clients get the new one",
                    isSeenInTime(clients, server, trust, renewed.cert()));
            isRight &= said("the first client is still served", early.isAnswered());

            Files.writeString(key, "not a key");
            Thread.sleep(4 * EVERY_MILLIS); // enough for the server to find it and log it
            isRight &= said(
                    "with a bad file in its place, the server keeps the new one",
                    isSeenInTime(clients, server, trust, renewed.cert()));
            early.leave();
        } finally {
            clients.releaseExternalResources();
            for (Path file : new Path[] {chain, key, directory}) {
                Files.delete(file);
            }
        }
        System.out.println("a certificate was renewed without a restart: " + (isRight ? "right" : "wrong"));
        System.exit(isRight ? 0 : 1);
    }

    /**
     * Replaces each file atomically. Between the two steps the key doesn't match, and the server keeps its certificate.
     */
    private static void install(SelfSignedCertificate certificate, Path chain, Path key) throws IOException {
        replace(certificate.certificate().toPath(), chain);
        replace(certificate.privateKey().toPath(), key);
    }

    private static void replace(Path source, Path target) throws IOException {
        Path next = target.resolveSibling(target.getFileName() + ".next");
        Files.copy(source, next);
        Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isSeenInTime(
            ClientBootstrap clients, RenewedServer server, SslContext trust, X509Certificate wanted)
            throws IOException, InterruptedException {
        long startNanos = System.nanoTime();
        while (System.nanoTime() - startNanos < LIMIT_MILLIS * 1_000_000) {
            Visitor visitor = new Visitor(clients, server.address(), trust);
            boolean sawCertificate = visitor.sawCertificate(wanted) && visitor.isAnswered();
            visitor.leave();
            if (sawCertificate) {
                return true;
            }
            Thread.sleep(EVERY_MILLIS);
        }
        return false;
    }

    private static boolean said(String what, boolean isSo) {
        System.out.println(what + ": " + (isSo ? "yes" : "no"));
        return isSo;
    }
}
