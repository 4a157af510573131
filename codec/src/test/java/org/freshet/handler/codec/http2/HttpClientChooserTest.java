package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that sends requests in the version the server selects, with the same handlers for both. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(SocketTransport.class)
class HttpClientChooserTest {
    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final SelfSignedCertificate certificate = Certificates.named("localhost");
    private final ServerBootstrap server;

    /** For a server whose TLS is inside that of another one; null for a plain one. */
    private SslContext outerTls;

    private final ClientBootstrap client;

    HttpClientChooserTest(SocketTransport transport) {
        server = transport.newServer();
        client = transport.newClient();
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    private final class Collector extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answers.add(((HttpResponse) e.getMessage()).getContent().toString(US_ASCII));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            answers.add(e.getCause());
        }
    }

    /** @param serverSays the protocols that the server accepts; null for a plaintext server */
    private InetSocketAddress serve(String serverSays) throws Exception {
        SslContext tls = serverSays == null
                ? null
                : SslContextBuilder.forServer(certificate.key(), certificate.cert())
                        .applicationProtocols(serverSays.split(" "))
                        .build();
        server.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline(new HttpServerChooser(
                    () -> Channels.pipeline(new HttpChunkAggregator(1 << 20), new SampleService())));
            if (tls != null) {
                pipeline.addFirst("tls", tls.newHandler());
            }
            if (outerTls != null) {
                pipeline.addFirst("outer", outerTls.newHandler());
            }
            return pipeline;
        });
        Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return (InetSocketAddress) bound.getLocalAddress();
    }

    private HttpClientChooser connect(InetSocketAddress address, boolean isSecure) throws Exception {
        HttpClientChooser chooser =
                new HttpClientChooser(() -> Channels.pipeline(new HttpChunkAggregator(1 << 20), new Collector()));
        SslContext tls = SslContextBuilder.forClient()
                .trust(certificate.cert())
                .applicationProtocols("h2", "http/1.1")
                .build();
        client.setPipelineFactory(() -> isSecure
                ? Channels.pipeline(tls.newHandler("localhost", address.getPort()), chooser)
                : Channels.pipeline(chooser));
        client.connect(address);
        return chooser;
    }

    private static Channel open(HttpClientChooser chooser) {
        return Await.result(chooser.open().toCompletableFuture(), "a channel for a request");
    }

    private void assertAnswer(Channel channel, String path) throws InterruptedException {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
        request.headers().set(HttpHeaders.Names.HOST, "localhost");
        channel.write(request);
        assertEquals(
                SampleService.report("GET", path, new byte[0]),
                answers.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Test
    void shouldSendRequestsOnStreamsIfTheServerSelectsHttp2() throws Exception {
        HttpClientChooser chooser = connect(serve("h2 http/1.1"), true);
        Channel first = open(chooser);
        Channel second = open(chooser);

        assertAnswer(second, "/2");
        assertAnswer(first, "/1");

        assertTrue(chooser.isHttp2());
        assertNotSame(first, second);
        assertSame(first.getParent(), second.getParent());
    }

    @ParameterizedTest
    @CsvSource({"http/1.1", ","})
    void shouldSendRequestsOnTheConnectionOtherwise(String serverSays) throws Exception {
        HttpClientChooser chooser = connect(serve(serverSays), serverSays != null);
        Channel channel = open(chooser);
        assertAnswer(channel, "/1");

        assertSame(channel, open(chooser));
        assertAnswer(channel, "/2");
        assertFalse(chooser.isHttp2());
    }

    /** As behind a proxy that also uses TLS. The outer handshake is done first, and agrees on nothing. */
    @Test
    void shouldAskTheInnerOfTwoTlsHandlersOnBothSides() throws Exception {
        outerTls = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .build();
        InetSocketAddress address = serve("h2");
        SslContext tls = SslContextBuilder.forClient().trust(certificate.cert()).build();
        SslContext inner = SslContextBuilder.forClient()
                .trust(certificate.cert())
                .applicationProtocols("h2")
                .build();
        HttpClientChooser chooser =
                new HttpClientChooser(() -> Channels.pipeline(new HttpChunkAggregator(1 << 20), new Collector()));
        client.setPipelineFactory(
                () -> Channels.pipeline(tls.newHandler("localhost", 1), inner.newHandler("localhost", 2), chooser));
        client.connect(address);

        assertAnswer(open(chooser), "/1");
        assertTrue(chooser.isHttp2());
    }

    @Test
    void shouldFailIfTheServerCannotBeTrusted() throws Exception {
        InetSocketAddress address = serve("h2");
        HttpClientChooser chooser = new HttpClientChooser(() -> Channels.pipeline(new Collector()));
        SslContext trustsOthers = SslContextBuilder.forClient()
                .trust(Certificates.named("other").cert())
                .applicationProtocols("h2")
                .build();
        client.setPipelineFactory(() -> Channels.pipeline(trustsOthers.newHandler("localhost", 1), chooser));
        client.connect(address);

        assertInstanceOf(
                SSLException.class,
                assertThrows(
                                ExecutionException.class,
                                () -> chooser.open()
                                        .toCompletableFuture()
                                        .get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                        .getCause());
    }

    @Test
    void shouldCloseTheConnectionIfThereAreNoHandlers() throws Exception {
        InetSocketAddress address = serve(null);
        HttpClientChooser chooser = new HttpClientChooser(() -> {
            throw new IllegalStateException("no handlers");
        });
        client.setPipelineFactory(() -> Channels.pipeline(chooser));
        Channel channel = client.connect(address).getChannel();

        Await.success(channel.getCloseFuture(), "the close");
        assertEquals(CloseReason.Kind.HANDLER_FAILED, channel.getCloseReason().kind());
        assertThrows(
                ExecutionException.class,
                () -> chooser.open().toCompletableFuture().get(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }
}
