package org.freshet.handler.codec.spdy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpClientCodec;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("crypto")
@Timeout(60)
class SpdyOrHttpChooserTest {
    private static final SpdyVersion V = SpdyVersion.SPDY_3_1;

    private final ServerBootstrap servers = new ServerBootstrap(new NioServerSocketChannelFactory());
    private final ClientBootstrap clients = new ClientBootstrap(new NioClientSocketChannelFactory());

    /** For a connection inside another one; null for a plain one. */
    private SslContext outerClient;

    @AfterEach
    void release() {
        clients.releaseExternalResources();
        servers.releaseExternalResources();
    }

    private static final class Chooser extends SpdyOrHttpChooser {
        Chooser() {
            super(1000, 1000);
        }

        @Override
        protected ChannelUpstreamHandler createHttpRequestHandlerForHttp() {
            return new Answering("HTTP");
        }

        @Override
        protected ChannelUpstreamHandler createHttpRequestHandlerForSpdy() {
            return new Answering("SPDY");
        }
    }

    private static final class Answering extends SimpleChannelUpstreamHandler {
        private final String protocol;

        Answering(String protocol) {
            this.protocol = protocol;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set("X-Protocol", protocol);
            HttpHeaders.setContentLength(response, 0);
            e.getChannel().write(response);
        }
    }

    @Test
    void shouldUseTheProtocolThatTheClientChoseByAlpn() throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        SslContext context = SslContextBuilder.forServer(certificate.key(), certificate.cert())
                .applicationProtocols("spdy/3.1", "http/1.1")
                .build();
        servers.setPipelineFactory(() -> Channels.pipeline(context.newHandler(), new Chooser()));
        Channel server = servers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            assertEquals("SPDY", ask(server, certificate, "spdy/3.1"));
            assertEquals("HTTP", ask(server, certificate, "http/1.1"));
            assertEquals("HTTP", ask(server, certificate));
        } finally {
            server.close().awaitUninterruptibly();
        }
    }

    /** As behind a proxy that passes its clients' TLS on inside its own. */
    @Test
    void shouldAskTheInnerOfTwoTlsHandlers() throws Exception {
        SelfSignedCertificate certificate = Certificates.named("localhost");
        SslContextBuilder builder = SslContextBuilder.forServer(certificate.key(), certificate.cert());
        SslContext outer = builder.build();
        SslContext inner = builder.applicationProtocols("spdy/3.1").build();
        outerClient = SslContextBuilder.forClient().trust(certificate.cert()).build();
        servers.setPipelineFactory(() -> Channels.pipeline(outer.newHandler(), inner.newHandler(), new Chooser()));
        Channel server = servers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try {
            assertEquals("SPDY", ask(server, certificate, "spdy/3.1"));
        } finally {
            server.close().awaitUninterruptibly();
        }
    }

    private String ask(Channel server, SelfSignedCertificate certificate, String... protocols) throws Exception {
        SslContextBuilder builder = SslContextBuilder.forClient().trust(certificate.cert());
        SslContext context = (protocols.length == 0 ? builder : builder.applicationProtocols(protocols)).build();
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        clients.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline(context.newHandler("localhost", 443));
            if (protocols.length > 0 && protocols[0].startsWith("spdy")) {
                pipeline.addLast("frames", new SpdyFrameCodec(V));
                pipeline.addLast("session", new SpdySessionHandler(V, false));
                pipeline.addLast("http", new SpdyHttpCodec(V, 1000));
            } else {
                pipeline.addLast("http", new HttpClientCodec());
            }
            if (outerClient != null) {
                pipeline.addFirst("outer", outerClient.newHandler("localhost", 443));
            }
            pipeline.addLast("answers", new SimpleChannelUpstreamHandler() {
                @Override
                public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                    answers.add(e.getMessage());
                }
            });
            return pipeline;
        });
        Channel client =
                clients.connect(server.getLocalAddress()).awaitUninterruptibly().getChannel();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        HttpHeaders.setHost(request, "localhost");
        SpdyHttpHeaders.setStreamId(request, 1);
        client.write(request);
        Object answer = answers.poll(20, SECONDS);
        assertNotNull(answer, "an answer");
        client.close();
        return ((HttpResponse) answer).headers().get("X-Protocol");
    }
}
