package org.freshet.handler.ssl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.ClientSocketChannelFactory;
import org.freshet.channel.socket.ServerSocketChannelFactory;
import org.freshet.handler.stream.ChunkedInput;
import org.freshet.handler.stream.ChunkedWriteHandler;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over sockets, with peers that are not ours: the JDK's, curl and openssl where they are installed, and threads. */
@ParameterizedClass
@EnumSource(Transport.class)
class TlsSocketTest {
    private final ServerSocketChannelFactory servers;
    private final ClientSocketChannelFactory clients;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** The handlers of the connections that the server accepted. */
    private final BlockingQueue<SslHandler> accepted = new LinkedBlockingQueue<>();

    private final BlockingQueue<Throwable> caught = new LinkedBlockingQueue<>();

    private final Transport transport;

    TlsSocketTest(Transport transport) {
        this.transport = transport;
        servers = transport.servers();
        clients = transport.clients();
    }

    @AfterEach
    void release() {
        clients.releaseExternalResources();
        servers.releaseExternalResources();
        threads.shutdownNow();
    }

    // ---- servers ----

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldServeTheJdksSockets(String protocol) throws Exception {
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

    @Test
    void shouldServeCurl() throws Exception {
        assumeInstalled("curl");
        Channel server = serve(Certificates.server(), new OnePage());
        String page = run(
                "",
                "curl",
                "--silent",
                "--show-error",
                "--max-time",
                "20",
                "--cacert",
                Certificates.LOCALHOST.certificate().getPath(),
                "https://localhost:" + port(server) + "/");
        assertEquals(OnePage.BODY, page);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldServeOpenssl(String protocol) throws Exception {
        assumeInstalled("openssl");
        Channel server = serve(Certificates.server(), new OnePage());
        String output = run(
                "GET / HTTP/1.0\r\n\r\n",
                "openssl",
                "s_client",
                protocol,
                "-quiet",
                "-verify_return_error",
                "-verify_hostname",
                "localhost",
                "-CAfile",
                Certificates.LOCALHOST.certificate().getPath(),
                "-connect",
                "localhost:" + port(server));
        assertTrue(output.endsWith(OnePage.BODY), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldAskOpensslForACertificate(String protocol) throws Exception {
        assumeInstalled("openssl");
        SslContextBuilder asking =
                Certificates.server().trust(Certificates.OTHER.cert()).clientAuth(ClientAuth.REQUIRE);
        Channel server = serve(asking, new OnePage());
        String output = run(
                "GET / HTTP/1.0\r\n\r\n",
                "openssl",
                "s_client",
                protocol,
                "-quiet",
                "-cert",
                Certificates.OTHER.certificate().getPath(),
                "-key",
                Certificates.OTHER.privateKey().getPath(),
                "-connect",
                "localhost:" + port(server));
        assertTrue(output.endsWith(OnePage.BODY), output);
        assertEquals(
                Certificates.OTHER.cert(),
                accepted.remove().getEngine().getSession().getPeerCertificates()[0]);
    }

    /** What is sent in chunks is not taken into memory before the peer has read what came before. */
    @Test
    void shouldSendALongAnswerInChunksToASlowPeer() throws Exception {
        LongAnswer answer = new LongAnswer();
        Channel server = serve(Certificates.server(), answer);
        try (SSLSocket socket = socket(server)) {
            socket.getOutputStream().write('x');
            Await.latch(answer.begun, "the first chunks");
            if (transport == Transport.NIO) { // a blocking one is held up instead
                Await.until(() -> !answer.channel.isWritable(), "the channel to take no more");
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
    void shouldTellPlainBytesOnATlsPort() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
            peer.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            peer.awaitEnd();
        }
        assertInstanceOf(NotSslRecordException.class, caught.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Test
    void shouldTellAConnectionThatWasCutShort() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (ScriptedPeer wire = ScriptedPeer.connect(server.getLocalAddress())) {
            SSLSocket socket = (SSLSocket)
                    jdk(Certificates.client()).getSocketFactory().createSocket(wire.socket(), "localhost", 1, false);
            socket.getOutputStream().write('x');
            assertEquals('x', socket.getInputStream().read());
            wire.endOutput(); // below TLS, so without close_notify
            Throwable cause =
                    Await.failure(accepted.remove().getSSLEngineInboundCloseFuture(), "the end of the connection");
            assertInstanceOf(SSLException.class, cause);
        }
    }

    @Test
    void shouldEndTheOutputOfAPeerThatWaitsForIt() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (SSLSocket socket = socket(server)) {
            socket.getOutputStream().write('x');
            assertEquals('x', socket.getInputStream().read());
            socket.shutdownOutput();
            assertEquals(-1, socket.getInputStream().read(), "our close_notify answers the peer's");
        }
    }

    // ---- clients ----

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void shouldTalkToTheJdksServers(String protocol) throws Exception {
        try (SSLServerSocket listening = (SSLServerSocket) jdk(Certificates.server())
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> readAll(listening), threads);
            SslHandler handler =
                    Certificates.client().protocols(protocol).build().newHandler("localhost", listening.getLocalPort());
            Channel client = connect(listening.getLocalPort(), handler);
            byte[] sent = randomBytes(300_000);
            Await.success(client.write(ChannelBuffers.wrappedBuffer(sent)), "a write");
            // Closed at once, with the server's session tickets unread, the connection would be reset.
            handler.close();
            assertArrayEquals(sent, Await.result(received, "all bytes at the server"));
            Await.success(handler.getSSLEngineInboundCloseFuture(), "the server's close_notify");
            Await.success(client.close(), "a close");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void shouldTalkToOpenssl(String protocol) throws Exception {
        assumeInstalled("openssl");
        Process process = new ProcessBuilder(
                        "openssl",
                        "s_server",
                        protocol,
                        "-rev", // answers each line reversed
                        "-accept",
                        "127.0.0.1:0",
                        "-cert",
                        Certificates.LOCALHOST.certificate().getPath(),
                        "-key",
                        Certificates.LOCALHOST.privateKey().getPath())
                .redirectErrorStream(true)
                .start();
        try {
            Lines lines = new Lines();
            SslHandler handler = Certificates.client().build().newHandler("localhost", 1);
            Channel client = connect(opensslPort(process), handler, lines);
            Await.success(handler.handshake(), "a handshake");
            client.write(ChannelBuffers.copiedBuffer("stressed\n", US_ASCII));
            assertEquals("desserts", lines.next());
            Await.success(client.close(), "a close");
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    /** Whoever is held up because the peer does not read, on a blocking transport, does not keep others from closing. */
    @Test
    void shouldCloseWhileAWriteIsHeldUp() throws Exception {
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
                Await.failure(Await.result(writing, "the end of writing"), "the write that was held up");
                assertFalse(silent.isClosed());
            }
        }
    }

    /** The peer reads only as fast as it is read from, so that neither direction may wait for the other. */
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

    private static int opensslPort(Process process) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = process.getInputStream().read();
                c >= 0;
                c = process.getInputStream().read()) {
            line.append((char) c);
            if (c == '\n') {
                String text = line.toString().trim();
                if (text.startsWith("ACCEPT")) {
                    return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));
                }
                line.setLength(0);
            }
        }
        throw new AssertionError("openssl did not listen: " + line);
    }

    @Test
    void shouldSendWhatSeveralThreadsWriteDuringTheHandshakeInOrderAfterIt() throws Exception {
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

    @Test
    void shouldFailAConnectionToAServerOfAnotherName() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        SslHandler handler = Certificates.client().build().newHandler("other.example", port(server));
        Channel client = connect(port(server), handler);
        String refusal = Await.failure(handler.handshake(), "the handshake").getMessage();
        assertTrue(refusal.contains("other.example"), refusal);
        Await.success(client.getCloseFuture(), "the close");
        assertTrue(caught.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS) instanceof SSLException);
    }

    @Test
    void shouldNotBeTrustedByAPeerThatDoesNotKnowUs() throws Exception {
        Channel server = serve(Certificates.server(), new Echo());
        try (SSLSocket socket = (SSLSocket) jdk(SslContextBuilder.forClient())
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port(server))) {
            assertThrows(SSLException.class, socket::startHandshake);
        }
        Throwable cause = caught.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertTrue(cause.getMessage().contains("certificate_unknown"), cause::toString);
    }

    // ---- helpers ----

    private static javax.net.ssl.SSLContext jdk(SslContextBuilder builder) throws SSLException {
        return ((JdkSslContext) builder.build()).context();
    }

    private Channel serve(SslContextBuilder builder, SimpleChannelUpstreamHandler application) throws SSLException {
        SslContext context = builder.build();
        ChannelPipelineFactory pipelines = () -> {
            SslHandler handler = context.newHandler();
            accepted.add(handler);
            return Channels.pipeline(handler, application, new Watch());
        };
        ServerBootstrap bootstrap = new ServerBootstrap(servers);
        bootstrap.setPipelineFactory(pipelines);
        return bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private Channel connect(int port, SslHandler handler, SimpleChannelUpstreamHandler... application) {
        ClientBootstrap bootstrap = new ClientBootstrap(clients);
        bootstrap.setPipelineFactory(() -> {
            var pipeline = Channels.pipeline(handler);
            for (SimpleChannelUpstreamHandler next : application) {
                pipeline.addLast("application", next);
            }
            pipeline.addLast("watch", new Watch());
            return pipeline;
        });
        ChannelFuture connected = bootstrap.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return Await.success(connected, "a connection").getChannel();
    }

    private static int port(Channel server) {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    /** A blocking client that trusts the server. */
    private static SSLSocket socket(Channel server) throws IOException {
        SSLSocket socket =
                (SSLSocket) jdk(Certificates.client()).getSocketFactory().createSocket("localhost", port(server));
        socket.setSoTimeout((int) Await.LIMIT.toMillis());
        return socket;
    }

    private static void write(SSLSocket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] readAll(SSLServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            return socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static SSLSocket shakeHands(SSLServerSocket listening) {
        try {
            SSLSocket socket = (SSLSocket) listening.accept();
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void echo(SSLServerSocket listening) {
        try (SSLSocket socket = (SSLSocket) listening.accept()) {
            socket.setSoTimeout((int) Await.LIMIT.toMillis());
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] randomBytes(int count) {
        Random random = Seeds.random();
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void assumeInstalled(String program) {
        boolean installed = false;
        for (String directory : System.getenv("PATH").split(File.pathSeparator)) {
            installed |= new File(directory, program).canExecute();
        }
        assumeTrue(installed, program + " is not installed");
    }

    /** Runs a program that ends by itself. */
    private static String run(String input, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            process.getOutputStream().write(input.getBytes(US_ASCII));
            process.getOutputStream().flush(); // and not closed, which would end openssl before the answer
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            process.getInputStream().transferTo(output);
            assertTrue(process.waitFor(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), command[0] + " did not end");
            return output.toString(ISO_8859_1);
        } finally {
            process.destroyForcibly();
            process.waitFor();
        }
    }

    /** Keeps what was caught. */
    private final class Watch extends SimpleChannelUpstreamHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            caught.add(e.getCause());
        }
    }

    @Sharable
    private static final class Echo extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            e.getChannel().write(e.getMessage());
        }
    }

    /** Answers every request of HTTP with the same page and closes. */
    private static final class OnePage extends SimpleChannelUpstreamHandler {
        static final String BODY = "it works";

        private final StringBuilder request = new StringBuilder();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            request.append(((ChannelBuffer) e.getMessage()).toString(ISO_8859_1));
            if (request.indexOf("\r\n\r\n") >= 0) {
                String answer =
                        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY;
                e.getChannel()
                        .write(ChannelBuffers.copiedBuffer(answer, US_ASCII))
                        .addListener(ChannelFutureListener.CLOSE);
            }
        }
    }

    /** Answers the first byte with many in chunks: with more than the system's buffers of both sides hold. */
    private static final class LongAnswer extends SimpleChannelUpstreamHandler implements ChunkedInput {
        static final int CHUNK_BYTES = 10_000;
        static final int BYTES = 40_000_000;

        final CountDownLatch begun = new CountDownLatch(10);
        volatile Channel channel;
        volatile int givenBytes;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ctx.getPipeline().addBefore(ctx.getName(), "chunks", new ChunkedWriteHandler());
            channel = e.getChannel();
            channel.write(this);
        }

        @Override
        public boolean hasNextChunk() {
            return givenBytes < BYTES;
        }

        @Override
        public boolean isEndOfInput() {
            return !hasNextChunk();
        }

        @Override
        public Object nextChunk() {
            byte[] chunk = new byte[CHUNK_BYTES];
            int given = givenBytes;
            Arrays.fill(chunk, (byte) (given / CHUNK_BYTES));
            givenBytes = given + CHUNK_BYTES;
            begun.countDown();
            return ChannelBuffers.wrappedBuffer(chunk);
        }

        @Override
        public void close() {}
    }

    /** Collects so many bytes, of one connection. */
    private static final class Collector extends SimpleChannelUpstreamHandler {
        final byte[] bytes;
        final CountDownLatch complete = new CountDownLatch(1);

        private int count;

        Collector(int byteCount) {
            bytes = new byte[byteCount];
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer message = (ChannelBuffer) e.getMessage();
            int length = message.readableBytes();
            message.readBytes(bytes, count, length);
            count += length;
            if (count == bytes.length) {
                complete.countDown();
            }
        }
    }

    /** Collects lines of text, of one connection. */
    private static final class Lines extends SimpleChannelUpstreamHandler {
        private final StringBuilder rest = new StringBuilder();
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            rest.append(((ChannelBuffer) e.getMessage()).toString(US_ASCII));
            for (int end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
                lines.add(rest.substring(0, end));
                rest.delete(0, end + 1);
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            lines.add("closed after: " + rest);
        }

        String next() throws InterruptedException {
            String line = lines.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null) {
                throw new AssertionError("waited in vain for a line");
            }
            return line;
        }
    }
}
