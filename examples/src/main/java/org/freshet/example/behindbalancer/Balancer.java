package org.freshet.example.behindbalancer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolEncoder;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolHeader;
import org.freshet.handler.codec.proxyprotocol.ProxyProtocolVersion;

/** Acts as a load balancer: connects on behalf of made-up clients, and sends a request for each. */
final class Balancer implements AutoCloseable {
    private static final int MAX_BYTES = 1024;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
    private final InetSocketAddress server;

    Balancer(InetSocketAddress server) {
        this.server = server;
    }

    /** Completes with the answer, or with null if the server closes the connection instead. */
    private static final class Answer extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<String> content = new CompletableFuture<>();

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            request.headers().set("Host", "service.example");
            e.getChannel().write(request);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            content.complete(((HttpResponse) e.getMessage())
                    .getContent()
                    .toString(US_ASCII)
                    .strip());
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            content.complete(null);
        }
    }

    /** Sends a request; the connection stays open. */
    CompletableFuture<String> ask(ProxyProtocolVersion version, ProxyProtocolHeader header) {
        Answer answer = new Answer();
        ChannelPipeline pipeline = Channels.pipeline(
                new ProxyProtocolEncoder(version, header),
                new HttpClientCodec(),
                new HttpChunkAggregator(MAX_BYTES),
                answer);
        bootstrap.getFactory().newChannel(pipeline).connect(server);
        return answer.content;
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
    }
}
