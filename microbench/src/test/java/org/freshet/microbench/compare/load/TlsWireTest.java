package org.freshet.microbench.compare.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.freshet.microbench.compare.load.LoadGenerator.Load;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The load's TLS with the JDK's sockets: an echo, a failing one, and one without TLS. */
@Timeout(60)
class TlsWireTest {
    /** Larger than a record, than one read, and than socket buffers. */
    private static final Load LARGE = new Load(1, 300_000, 4, 1);

    private static final Load SMALL = new Load(1, 10, 1, 1);

    private interface Serving {
        void serve(Socket socket) throws IOException;
    }

    @Test
    void shouldSendAndCheckEveryByte() throws Exception {
        withServer(TlsWireTest::echo, port -> {
            try (LoadGenerator generator = LoadGenerator.overTls(port, LARGE)) {
                assertEquals(1, generator.connect().messages());
                assertEquals(
                        40,
                        generator.run(40, Duration.ofSeconds(30), done -> {}).messages());
            }
        });
    }

    @Test
    void shouldDetectAConnectionThatTheServerCloses() throws Exception {
        withServer(socket -> tls(socket).getInputStream().read(new byte[64]), port -> {
            IOException failure = assertThrows(IOException.class, () -> connect(port));
            assertTrue(failure.getMessage().startsWith("connection 0: "), failure::toString);
        });
    }

    @Test
    void shouldDetectAConnectionThatEndsDuringTheHandshake() throws Exception {
        withServer(socket -> socket.getInputStream().read(), port -> {
            assertThrows(IOException.class, () -> connect(port));
        });
    }

    private static void connect(int port) throws IOException {
        try (LoadGenerator generator = LoadGenerator.overTls(port, SMALL)) {
            generator.connect();
        }
    }

    private static SSLSocket tls(Socket socket) throws IOException {
        return (SSLSocket) Tls.CONTEXT.getSocketFactory().createSocket(socket, null, false);
    }

    private static void echo(Socket socket) throws IOException {
        SSLSocket tls = tls(socket);
        byte[] bytes = new byte[64 * 1024];
        for (int count = tls.getInputStream().read(bytes);
                count > 0;
                count = tls.getInputStream().read(bytes)) {
            tls.getOutputStream().write(bytes, 0, count);
        }
    }

    private interface Use {
        void with(int port) throws Exception;
    }

    private static void withServer(Serving serving, Use use) throws Exception {
        try (ServerSocket acceptor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> served = CompletableFuture.runAsync(() -> {
                try (Socket socket = acceptor.accept()) {
                    serving.serve(socket);
                } catch (IOException e) {
                    // The generator closes its end without notice.
                }
            });
            use.with(acceptor.getLocalPort());
            served.get(20, TimeUnit.SECONDS);
        }
    }
}
