package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.Drain;
import org.freshet.bootstrap.DrainReport;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.SocketChannel;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.freshet.testing.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that negotiates the version, and a server that reads nothing, drains or vanishes: before the version is
 * known, and afterwards.
 */
@Tag("crypto")
class HttpClientChooserSeamsTest {
    private static final int LIMIT = 256 * 1024;
    private static final int CHUNK = 16 * 1024;
    private static final int CHUNKS = 1000;
    private static final int SOCKET_BUFFER = 8 * 1024;

    /** Allowance for TLS records and encoded frames. */
    private static final int ALLOWANCE = 128 * 1024;

    private final ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory(1));
    private final ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final SelfSignedCertificate certificate;

    /** The requests whose heads the server has received. */
    private final BlockingQueue<Channel> requests = new LinkedBlockingQueue<>();

    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private Channel connection;

    HttpClientChooserSeamsTest() {
        certificate = Certificates.named("localhost");
        server.setOption("child.receiveBufferSize", SOCKET_BUFFER);
        client.setOption("sendBufferSize", SOCKET_BUFFER);
        client.setOption("writeBufferLimit", LIMIT);
        client.setOption("writeOverflow", WriteOverflow.FAIL);
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    /** Collects the channels of requests; the tests answer them. */
    private final class Requests extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpRequest) {
                requests.add(e.getChannel());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private final class Answers extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answers.add(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
    }

    private InetSocketAddress serve(String version) throws Exception {
        SslContext tls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols(version)
                .build();
        server.setPipelineFactory(() ->
                Channels.pipeline(tls.newHandler(), new HttpServerChooser(() -> Channels.pipeline(new Requests()))));
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return (InetSocketAddress) bound.getLocalAddress();
    }

    private HttpClientChooser connect(InetSocketAddress address) throws Exception {
        HttpClientChooser chooser = new HttpClientChooser(() -> Channels.pipeline(new Answers()));
        SslContext tls = SslContextBuilder.forClient()
                .trust(certificate.cert())
                .applicationProtocols("h2", "http/1.1")
                .build();
        client.setPipelineFactory(() -> Channels.pipeline(
                tls.newHandler("localhost", address.getPort()), chooser, new SimpleChannelUpstreamHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {}
                }));
        connection = client.connect(address).getChannel();
        return chooser;
    }

    private static Channel open(HttpClientChooser chooser) {
        return Await.result(chooser.open().toCompletableFuture(), "a channel for a request");
    }

    private static Throwable failureOf(HttpClientChooser chooser) {
        return assertThrows(
                        ExecutionException.class,
                        () -> chooser.open().toCompletableFuture().get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .getCause();
    }

    private static HttpRequest post() {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        HttpHeaders.setHost(request, "localhost");
        HttpHeaders.setTransferEncodingChunked(request);
        request.setChunked(true);
        return request;
    }

    /** The server's end of the next request's connection, with reading suspended. */
    private Channel deafServer() throws InterruptedException {
        Channel request = requests.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        Channel accepted = request.getParent() instanceof SocketChannel parent ? parent : request;
        Await.success(accepted.setReadable(false), "the end of reading");
        return accepted;
    }

    /** Writes chunks without checking the backlog. */
    private static List<ChannelFuture> writeChunks(Channel channel, int count) {
        List<ChannelFuture> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            futures.add(channel.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[CHUNK]))));
        }
        return futures;
    }

    private static void awaitAll(List<ChannelFuture> futures) {
        futures.forEach(each -> Await.done(each, "a write"));
    }

    // ---- before the version is known ----

    @Test
    void shouldFailIfTheServerVanishesBeforeTheVersionIsKnown() throws Exception {
        try (ScriptedServer silent = ScriptedServer.listen()) {
            HttpClientChooser chooser = connect(silent.address());
            CompletableFuture<Channel> early = chooser.open().toCompletableFuture();
            try (ScriptedPeer peer = silent.accept()) {
                assertFalse(early.isDone());
                peer.reset();
                assertThrows(ExecutionException.class, () -> early.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
            }
            assertInstanceOf(Exception.class, failureOf(chooser));
        }
    }

    @Test
    void shouldFailIfItIsClosedBeforeTheVersionIsKnown() throws Exception {
        try (ScriptedServer silent = ScriptedServer.listen()) {
            HttpClientChooser chooser = connect(silent.address());
            CompletableFuture<Channel> early = chooser.open().toCompletableFuture();
            try (ScriptedPeer peer = silent.accept()) {
                connection.close();
                assertThrows(ExecutionException.class, () -> early.get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
                peer.readToEnd();
            }
        }
    }

    @Test
    void shouldFailIfNoServerListens() throws Exception {
        InetSocketAddress address;
        try (ScriptedServer gone = ScriptedServer.listen()) {
            address = gone.address();
        }
        assertInstanceOf(java.net.ConnectException.class, failureOf(connect(address)));
    }

    // ---- and afterwards ----

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void shouldLimitTheBacklogForAServerThatDoesNotRead(String version) throws Exception {
        Channel channel = open(connect(serve(version)));
        channel.write(post());
        deafServer();

        List<ChannelFuture> futures = writeChunks(channel, CHUNKS);

        long waiting = WriteAccount.waitingBytes(connection);
        assertTrue(waiting <= LIMIT + ALLOWANCE, () -> waiting + " bytes are queued");
        assertTrue(
                futures.stream().anyMatch(each -> each.getCause() instanceof WriteOverflowException), "no write fails");
        assertEquals(version.equals("h2"), connection.isOpen(), "only HTTP/2 can end a request alone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void shouldFailQueuedWritesIfTheServerVanishes(String version) throws Exception {
        HttpClientChooser chooser = connect(serve(version));
        Channel channel = open(chooser);
        channel.write(post());
        Channel accepted = deafServer();
        List<ChannelFuture> futures = writeChunks(channel, LIMIT / CHUNK - 2);

        accepted.close();

        awaitAll(futures);
        assertTrue(futures.stream().anyMatch(each -> !each.isSuccess()), "all writes have succeeded");
        Await.success(channel.getCloseFuture(), "the close");
        Await.success(connection.getCloseFuture(), "the connection's close");
        assertInstanceOf(Exception.class, failureOf(chooser));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void shouldFailQueuedWritesWhenItIsClosed(String version) throws Exception {
        HttpClientChooser chooser = connect(serve(version));
        Channel channel = open(chooser);
        channel.write(post());
        deafServer();
        List<ChannelFuture> futures = writeChunks(channel, LIMIT / CHUNK - 2);

        channel.close();
        connection.close();

        awaitAll(futures);
        Await.success(connection.getCloseFuture(), "the connection's close");
        assertInstanceOf(Exception.class, failureOf(chooser));
        assertEquals(0, WriteAccount.waitingBytes(connection));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void shouldReceiveItsAnswerFromADrainingServer(String version) throws Exception {
        HttpClientChooser chooser = connect(serve(version));
        Channel channel = open(chooser);
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        HttpHeaders.setHost(request, "localhost");
        channel.write(request);
        Channel received = requests.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        CompletableFuture<DrainReport> drained = Drain.of(server)
                .quietPeriod(Duration.ofMillis(1))
                .deadline(Await.LIMIT)
                .start();

        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        HttpHeaders.setContentLength(response, 0);
        received.write(response);

        HttpResponse answer = (HttpResponse) answers.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertEquals(HttpResponseStatus.OK, answer.getStatus());
        DrainReport report = Await.result(drained, "the drain");
        assertTrue(report.isClean(), report::toString);
        Await.success(connection.getCloseFuture(), "the connection's close");
        assertInstanceOf(Exception.class, failureOf(chooser));
    }
}
