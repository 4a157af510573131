package org.freshet.example.httphello;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;

/** One connection to an HTTP server. Belongs to one thread, which waits for the answers. */
final class HttpHelloClient implements AutoCloseable {
    private static final int MAX_CONTENT_LENGTH = 65536;
    private static final int MAX_WAIT_SECONDS = 10;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());

    /** In order; empty stands for the end of the connection. */
    private final BlockingQueue<Optional<HttpResponse>> answers = new LinkedBlockingQueue<>();

    private final String host;
    private final Channel channel;

    HttpHelloClient(InetSocketAddress server) throws InterruptedException {
        host = server.getHostString() + ":" + server.getPort();
        bootstrap.setPipelineFactory(() ->
                Channels.pipeline(new HttpClientCodec(), new HttpChunkAggregator(MAX_CONTENT_LENGTH), new Receiver()));
        ChannelFuture connected = bootstrap.connect(server).await();
        if (!connected.isSuccess()) {
            bootstrap.releaseExternalResources();
            throw new IllegalStateException("cannot connect to " + server, connected.getCause());
        }
        channel = connected.getChannel();
    }

    HttpRequest newRequest(HttpMethod method, String target, String content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, target);
        HttpHeaders.setHost(request, host);
        if (!content.isEmpty()) {
            request.setContent(ChannelBuffers.copiedBuffer(content, StandardCharsets.UTF_8));
            HttpHeaders.setContentLength(request, request.getContent().readableBytes());
        }
        return request;
    }

    /** Sends a request. You can send several before the first is answered. */
    void send(HttpRequest request) {
        channel.write(request); // if that fails, the channel closes, and the next answer is empty
    }

    /** Waits for the next answer; empty if the connection was closed, or if it takes too long. */
    Optional<HttpResponse> nextAnswer() throws InterruptedException {
        Optional<HttpResponse> answer = answers.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        return answer == null ? Optional.empty() : answer;
    }

    boolean awaitClosed() throws InterruptedException {
        return channel.getCloseFuture().await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources(); // closes the connection, too
    }

    private final class Receiver extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answers.add(Optional.of((HttpResponse) e.getMessage()));
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            answers.add(Optional.empty());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            if (e.getChannel().isConnected()) { // otherwise connecting failed, and its future reports that
                System.err.println("connection failed: " + e.getCause());
            }
            e.getChannel().close();
        }
    }
}
