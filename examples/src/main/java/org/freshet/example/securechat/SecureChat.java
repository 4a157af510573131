package org.freshet.example.securechat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.example.Arguments;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;

/** A server and two clients in one program, over loopback; then a client that does not trust the server. */
public final class SecureChat {
    private SecureChat() {}

    public static void main(String[] args) throws Exception {
        new Arguments("securechat", 0, 0, args);
        System.out.println("securechat: two clients that trust the server's certificate chat over TLS;");
        System.out.println("a third one, which does not trust it, hangs up");
        SelfSignedCertificate certificate = new SelfSignedCertificate("localhost");
        ServerBootstrap bootstrap = SecureChatServer.newBootstrap(certificate);
        boolean ok;
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            SslContext trusting =
                    SslContextBuilder.forClient().trust(certificate.cert()).build();
            ok = chat(trusting, port) && isRefused(SslContextBuilder.forClient().build(), port);
        } finally {
            bootstrap.releaseExternalResources();
            certificate.delete();
        }
        System.exit(ok ? 0 : 1);
    }

    /** Returns whether each received the other's messages. */
    private static boolean chat(SslContext context, int port) throws InterruptedException {
        try (SecureChatClient ann = SecureChatClient.join("ann", context, "localhost", port);
                SecureChatClient bob = SecureChatClient.join("bob", context, "localhost", port)) {
            System.out.println("their connections are protected by " + ann.protection());
            ann.say("Is anybody here?");
            bob.awaitLine("ann: Is anybody here?");
            bob.say("Only you and me.");
            ann.awaitLine("bob: Only you and me.");
            return true;
        } catch (ExecutionException | TimeoutException e) {
            System.err.println("failed: " + e);
            return false;
        }
    }

    /**
     * Our certificate is not signed by an authority that the JDK trusts, so a client that trusts only those must refuse
     * to talk.
     */
    private static boolean isRefused(SslContext context, int port) throws InterruptedException {
        try (SecureChatClient eve = SecureChatClient.join("eve", context, "localhost", port)) {
            System.err.println("a client accepted an untrusted certificate: " + eve.protection());
            return false;
        } catch (ExecutionException e) {
            System.out.println("eve hangs up: " + e.getCause().getMessage());
            return true;
        } catch (TimeoutException e) {
            System.err.println(
                    "no answer within " + TimeUnit.MILLISECONDS.toSeconds(SecureChatClient.PATIENCE_MILLIS) + " s");
            return false;
        }
    }
}
