package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.freshet.channel.Channel;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers over sockets, with JDK clients and with peers that are not TLS clients. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsServersTest extends TlsSockets {
    TlsServersTest(Transport transport) {
        super(transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldServeJdkSockets(String protocol) throws Exception {
        Channel server = serve(Certificates.server().protocols(protocol), new Echo());
        byte[] sent = randomBytes(1_000_000);
        SslHandler handler;
        try (SSLSocket socket = socket(server)) {
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> write(socket, sent), threads);
            assertArrayEquals(sent, socket.getInputStream().readNBytes(sent.length));
            Await.result(sending, "the end of sending");
            assertEquals(protocol, socket.getSession().getProtocol());
            handler = accepted.remove();
        }
        Await.success(handler.getSSLEngineInboundCloseFuture(), "close_notify");
    }

    @Test
    void shouldServeHttpsUrlConnections() throws Exception {
        Channel server = serve(Certificates.server(), new OnePage());
        HttpsURLConnection connection = (HttpsURLConnection)
                URI.create("https://localhost:" + port(server) + "/").toURL().openConnection();
        connection.setSSLSocketFactory(jdk(Certificates.client()).getSocketFactory());
        connection.setConnectTimeout((int) Await.LIMIT.toMillis());
        connection.setReadTimeout((int) Await.LIMIT.toMillis());
        try (InputStream in = connection.getInputStream()) {
            assertEquals(OnePage.BODY, new String(in.readAllBytes(), US_ASCII));
        }
    }

    /** Chunked content is not loaded into memory before the peer has read the content before it. */
    @Test
    void shouldSendALongAnswerInChunksToASlowPeer() throws Exception {
        LongAnswer answer = new LongAnswer();
        Channel server = serve(Certificates.server(), answer);
        try (SSLSocket socket = socket(server)) {
            socket.getOutputStream().write('x');
            Await.latch(answer.begun, "the first chunks");
            if (transport == Transport.NIO) { // a blocking transport blocks instead
                Await.until(() -> !answer.channel.isWritable(), "the channel to become unwritable");
                assertTrue(answer.givenBytes < LongAnswer.BYTES / 2, "read so far: " + answer.givenBytes);
            }
            int position = 0;
            byte[] received = new byte[10_000];
            while (position < LongAnswer.BYTES) {
                int length = socket.getInputStream().read(received);
                for (int i = 0; i < length; i++) {
                    assertEquals((byte) ((position + i) / LongAnswer.CHUNK_BYTES), received[i], "at " + (position + i));
                }
                position += length;
            }
        }
    }

    @Test
    void shouldReportPlainBytesOnATlsPort() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            peer.awaitEnd();
        }
        assertInstanceOf(NotSslRecordException.class, caught.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Test
    void shouldReportATruncatedConnection() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (ScriptedPeer wire = ScriptedPeer.connect(server.getLocalAddress())) {
            SSLSocket socket = (SSLSocket)
                    jdk(Certificates.client()).getSocketFactory().createSocket(wire.socket(), "localhost", 1, false);
            socket.getOutputStream().write('x');
            assertEquals('x', socket.getInputStream().read());
            wire.endOutput(); // below TLS, and so without close_notify
            Throwable cause =
                    Await.failure(accepted.remove().getSSLEngineInboundCloseFuture(), "the end of the connection");
            assertInstanceOf(SSLException.class, cause);
        }
    }

    @Test
    void shouldEndTheOutputForAPeerThatWaitsForIt() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (SSLSocket socket = socket(server)) {
            socket.getOutputStream().write('x');
            assertEquals('x', socket.getInputStream().read());
            socket.shutdownOutput();
            assertEquals(-1, socket.getInputStream().read(), "the server's close_notify answers the peer's");
        }
    }

    @Test
    void shouldNotBeTrustedByAPeerThatDoesNotKnowItsCertificate() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (SSLSocket socket = (SSLSocket) jdk(SslContextBuilder.forClient())
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port(server))) {
            assertThrows(SSLException.class, socket::startHandshake);
        }
        Throwable cause = caught.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertTrue(cause.getMessage().contains("certificate_unknown"), cause::toString);
    }
}
