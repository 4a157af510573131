package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.proxy.HttpProxyHandler;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An HTTP/2 client whose connection goes through an HTTP proxy, with TLS to the proxy, to the server, or both. */
@Tag("crypto")
@ParameterizedClass
@EnumSource(SocketTransport.class)
class Http2ThroughProxyTest {
    private static final InetSocketAddress TARGET = InetSocketAddress.createUnresolved("localhost", 7777);

    private final SelfSignedCertificate certificate = Certificates.named("localhost");
    private final ServerBootstrap proxy;
    private final ClientBootstrap client;
    private final BlockingQueue<String> schemes = new LinkedBlockingQueue<>();

    Http2ThroughProxyTest(SocketTransport transport) throws Exception {
        proxy = transport.newServer();
        client = transport.newClient();
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        proxy.releaseExternalResources();
    }

    /** Answers CONNECT, and then is the server itself. */
    private final class Tunnel extends SimpleChannelUpstreamHandler {
        private final SslContext serverTls;

        Tunnel(SslContext serverTls) {
            this.serverTls = serverTls;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelPipeline pipeline = ctx.getPipeline();
            ctx.getChannel()
                    .write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK))
                    .addListener(done -> {
                        pipeline.remove(HttpServerCodec.class);
                        if (serverTls != null) {
                            pipeline.addBefore("tunnel", "server tls", serverTls.newHandler());
                        }
                        pipeline.replace(
                                "tunnel", "h2", new Http2ServerHandler(() -> Channels.pipeline(new Schemes())));
                    });
        }
    }

    private final class Schemes extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            schemes.add(((StreamChannel) e.getChannel()).getScheme());
            DefaultHttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            HttpHeaders.setContentLength(answer, 0);
            e.getChannel().write(answer);
        }
    }

    private SslContext tlsOfServers(boolean isUsed) throws Exception {
        return isUsed
                ? SslContextBuilder.forServer(certificate.key(), certificate.cert())
                        .applicationProtocols("h2")
                        .build()
                : null;
    }

    private InetSocketAddress serve(boolean proxyTls, boolean serverTls) throws Exception {
        SslContext outer = tlsOfServers(proxyTls);
        SslContext inner = tlsOfServers(serverTls);
        proxy.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            if (outer != null) {
                pipeline.addLast("proxy tls", outer.newHandler());
            }
            pipeline.addLast("http", new HttpServerCodec());
            pipeline.addLast("tunnel", new Tunnel(inner));
            return pipeline;
        });
        return (InetSocketAddress) proxy.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
    }

    private Http2ClientConnection connect(InetSocketAddress proxyAddress, boolean proxyTls, boolean serverTls)
            throws Exception {
        SslContext tls = SslContextBuilder.forClient()
                .trust(certificate.cert())
                .applicationProtocols("h2")
                .build();
        client.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            if (proxyTls) {
                pipeline.addLast("proxy tls", tls.newHandler("localhost", proxyAddress.getPort()));
            }
            pipeline.addLast("proxy", new HttpProxyHandler(proxyAddress));
            if (serverTls) {
                pipeline.addLast("server tls", tls.newHandler("localhost", TARGET.getPort()));
            }
            pipeline.addLast("h2", new Http2ClientHandler());
            return pipeline;
        });
        ChannelFuture connected = client.connect(TARGET);
        Await.success(connected, "the tunnel");
        return Http2ClientConnection.of(connected.getChannel());
    }

    @ParameterizedTest
    @CsvSource({"false, false, http", "true, false, http", "false, true, https", "true, true, https"})
    void shouldSayWhetherTheServerIsReachedByTls(boolean proxyTls, boolean serverTls, String scheme) throws Exception {
        Http2ClientConnection connection = connect(serve(proxyTls, serverTls), proxyTls, serverTls);
        ChannelFuture opened = connection.open(Channels.pipeline(new SimpleChannelUpstreamHandler()));
        Await.success(opened, "a stream");

        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaders.Names.HOST, "localhost:7777");
        opened.getChannel().write(request);

        assertEquals(scheme, schemes.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
    }
}
