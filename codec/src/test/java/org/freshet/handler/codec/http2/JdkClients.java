package org.freshet.handler.codec.http2;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;

/** The JDK's client, which uses HTTP/2 if TLS negotiates it. A test {@linkplain #end ends} it after its server. */
final class JdkClients {
    /** The time limit of one attempt to find that a server has gone. */
    private static final Duration ONCE = Duration.ofSeconds(2);

    private JdkClients() {}

    /** A client that trusts this certificate. */
    static HttpClient trusting(SelfSignedCertificate certificate) {
        return HttpClient.newBuilder()
                .sslContext(Certificates.trusting(certificate.cert()))
                .build();
    }

    /**
     * Returns when the client has closed its connections to a server that is gone. Before Java 21 a client cannot be
     * closed: it ends when it is no longer referenced, and its sockets should be closed before.
     *
     * @return a reference that is cleared when the client is no longer referenced
     */
    static WeakReference<HttpClient> end(HttpClient client, int port) {
        HttpRequest anyRequest = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/"))
                .timeout(ONCE) // another program may be listening there by now
                .build();
        Await.until(() -> hasNoConnection(client, anyRequest), "the client to see that the server has gone");
        return new WeakReference<>(client);
    }

    static void awaitEnd(WeakReference<HttpClient> ended) {
        Await.until(
                () -> {
                    System.gc();
                    return ended.get() == null;
                },
                "the client's end");
    }

    private static boolean hasNoConnection(HttpClient client, HttpRequest anyRequest) {
        try {
            client.send(anyRequest, BodyHandlers.discarding());
            return false;
        } catch (ConnectException e) {
            return true; // it tried to open a connection
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
