package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.testing.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients over sockets, with the JDK's and Freshet's servers. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(Transport.class)
class TlsClientsTest extends TlsSockets {
    TlsClientsTest(Transport transport) {
        super(transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldTalkToJdkServers(String protocol) throws Exception {
        try (SSLServerSocket listening = (SSLServerSocket) jdk(Certificates.server())
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> readAll(listening), threads);
            SslHandler handler =
                    Certificates.client().protocols(protocol).build().newHandler("localhost", listening.getLocalPort());
            Channel client = connect(listening.getLocalPort(), handler);
            byte[] sent = randomBytes(300_000);
            Await.success(client.write(ChannelBuffers.wrappedBuffer(sent)), "a write");
            // If closed right away, with the server's session tickets unread, the connection would be reset.
            handler.close();
            assertArrayEquals(sent, Await.result(received, "all bytes at the server"));
            Await.success(handler.getSSLEngineInboundCloseFuture(), "the server's close_notify");
            Await.success(client.close(), "a close");
        }
    }

    @Test
    void shouldVerifyTheNameThatTheBootstrapConnectsTo() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        SslHandler handler = Certificates.client().build().newHandler();
        connect(port(server), handler);
        Await.success(handler.handshake(), "a handshake with localhost");
        SslHandler other = SslContextBuilder.forClient()
                .trust(Certificates.OTHER.cert())
                .build()
                .newHandler();
        Channel othersServer = serve(Certificates.server(Certificates.OTHER), new Echo());
        connect(port(othersServer), other);
        Await.failure(other.getSSLEngineInboundCloseFuture(), "the end of the connection");
        assertTrue(other.handshake().getCause().getMessage().contains("localhost"), () -> "" + other.handshake());
    }

    /** On a blocking transport, a thread blocked by a peer that does not read does not keep others from closing. */
    @Test
    void shouldCloseWhileAWriteIsBlocked() throws Exception {
        try (SSLServerSocket listening = (SSLServerSocket)
                jdk(Certificates.server()).getServerSocketFactory().createServerSocket()) {
            listening.setReceiveBufferSize(4096);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<SSLSocket> accepting =
                    CompletableFuture.supplyAsync(() -> shakeHands(listening), threads);
            SslHandler handler = Certificates.client().build().newHandler("localhost", listening.getLocalPort());
            Channel client = connect(listening.getLocalPort(), handler);
            Await.success(handler.handshake(), "a handshake");
            try (SSLSocket silent = Await.result(accepting, "the other side's handshake")) {
                ChannelBuffer large = ChannelBuffers.wrappedBuffer(randomBytes(8_000_000));
                CountDownLatch started = new CountDownLatch(1);
                CompletableFuture<ChannelFuture> writing = CompletableFuture.supplyAsync(
                        () -> {
                            client.write(large.slice(0, 1)).addListener(first -> started.countDown());
                            return client.write(large);
                        },
                        threads);
                Await.latch(started, "the first write");
                Await.success(client.close(), "a close");
                Await.failure(Await.result(writing, "the end of writing"), "the blocked write");
                assertFalse(silent.isClosed());
            }
        }
    }

    /** The peer reads only as fast as this side does, so neither direction may wait for the other. */
    @Test
    void shouldSendAndReceiveALotAtTheSameTime() throws Exception {
        byte[] sent = randomBytes(16_000_000);
        try (SSLServerSocket listening = (SSLServerSocket) jdk(Certificates.server())
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Void> echoing = CompletableFuture.runAsync(() -> echo(listening), threads);
            SslHandler handler = Certificates.client().build().newHandler("localhost", listening.getLocalPort());
            Collector received = new Collector(sent.length);
            Channel client = connect(listening.getLocalPort(), handler, received);
            Await.success(handler.handshake(), "a handshake");
            List<ChannelFuture> written = new ArrayList<>();
            for (int i = 0; i < sent.length; i += 100_000) {
                written.add(client.write(ChannelBuffers.wrappedBuffer(sent, i, 100_000)));
            }
            Await.latch(received.complete, "everything to come back");
            assertArrayEquals(sent, received.bytes);
            written.forEach(write -> Await.success(write, "a write"));
            Await.success(client.close(), "a close");
            Await.result(echoing, "the end of the echo");
        }
    }

    @Test
    void shouldSendWritesOfSeveralThreadsDuringTheHandshakeInOrderAfterIt() throws Exception {
        int writers = 6;
        int linesEach = 500;
        Lines lines = new Lines();
        Channel server = serve(Certificates.server(), lines);
        CountDownLatch start = new CountDownLatch(1);
        SslHandler handler = Certificates.client().build().newHandler("localhost", port(server));
        handler.setIssueHandshake(false);
        Channel client = connect(port(server), handler);
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            int number = writer;
            running.add(CompletableFuture.runAsync(
                    () -> {
                        Await.latch(start, "the start");
                        for (int i = 0; i < linesEach; i++) {
                            client.write(ChannelBuffers.copiedBuffer(number + " " + i + "\n", US_ASCII));
                        }
                    },
                    threads));
        }
        start.countDown();
        running.forEach(writer -> Await.result(writer, "a writer"));
        Await.success(client.close(), "a close");
        int[] next = new int[writers];
        for (int i = 0; i < writers * linesEach; i++) {
            String[] line = lines.next().split(" ");
            int writer = Integer.parseInt(line[0]);
            assertEquals(next[writer]++, Integer.parseInt(line[1]), "writer " + writer);
        }
        assertTrue(caught.isEmpty(), caught::toString);
    }

    @Test
    void shouldRunTheEnginesTasksOnAnExecutor() throws Exception {
        SslContextBuilder pooled = Certificates.server().delegatedTaskExecutor(threads);
        Channel server = serve(pooled, new Echo());
        List<Channel> channels = new ArrayList<>();
        SslContext context =
                Certificates.client().delegatedTaskExecutor(threads).build();
        for (int i = 0; i < 20; i++) {
            Lines lines = new Lines();
            Channel client = connect(port(server), context.newHandler("localhost", port(server)), lines);
            client.write(ChannelBuffers.copiedBuffer("line " + i + "\n", US_ASCII));
            assertEquals("line " + i, lines.next());
            channels.add(client);
        }
        for (Channel channel : channels) {
            Await.success(channel.close(), "a close");
        }
        assertTrue(caught.isEmpty(), caught::toString);
    }

    /** The timer also serves others; without a timer of its own, the handler uses that of the whole JVM. */
    @Test
    void shouldNotBlockTheTimerWhileACertificateIsBeingChecked() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        ManualTimer timer = new ManualTimer();
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        LookingTrust trust = new LookingTrust(() -> {
            looking.countDown();
            Await.latch(done, "the end of the check");
        });
        SslHandler handler =
                SslContextBuilder.forClient().trust(trust).timer(timer).build().newHandler("localhost", port(server));
        Channel client = connect(port(server), handler);
        Await.latch(looking, "the check of the certificate");
        Await.result(
                threads.submit(() -> {
                    timer.expire();
                    return null;
                }),
                "the timer");
        done.countDown();
        Await.done(handler.handshake(), "the handshake, too late or not");
        Await.success(client.close(), "the close");
    }

    @Test
    void shouldFailAConnectionToAServerWithAnotherName() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        SslHandler handler = Certificates.client().build().newHandler("other.example", port(server));
        Channel client = connect(port(server), handler);
        String refusal = Await.failure(handler.handshake(), "the handshake").getMessage();
        assertTrue(refusal.contains("other.example"), refusal);
        Await.success(client.getCloseFuture(), "the close");
        assertTrue(caught.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS) instanceof SSLException);
    }
}
