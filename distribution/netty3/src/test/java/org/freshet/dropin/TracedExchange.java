package org.freshet.dropin;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.netty.bootstrap.ClientBootstrap;
import org.jboss.netty.bootstrap.ServerBootstrap;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelFuture;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.ExceptionEvent;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory;
import org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory;
import org.jboss.netty.handler.codec.http.DefaultHttpRequest;
import org.jboss.netty.handler.codec.http.DefaultHttpResponse;
import org.jboss.netty.handler.codec.http.HttpClientCodec;
import org.jboss.netty.handler.codec.http.HttpMethod;
import org.jboss.netty.handler.codec.http.HttpRequest;
import org.jboss.netty.handler.codec.http.HttpResponse;
import org.jboss.netty.handler.codec.http.HttpResponseStatus;
import org.jboss.netty.handler.codec.http.HttpServerCodec;
import org.jboss.netty.handler.codec.http.HttpVersion;

/** A program without tracing code: an HTTP request and its response. */
final class TracedExchange {
    private static final int DEADLINE_SECONDS = 60;

    private TracedExchange() {}

    public static void main(String[] arguments) throws Exception {
        ServerBootstrap server = new ServerBootstrap(new NioServerSocketChannelFactory());
        server.setPipelineFactory(() -> Channels.pipeline(new HttpServerCodec(), new Greeting()));
        ClientBootstrap client = new ClientBootstrap(new NioClientSocketChannelFactory());
        try {
            Channel bound = server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<String> answer = new CompletableFuture<>();
            client.setPipelineFactory(() -> Channels.pipeline(new HttpClientCodec(), new Answer(answer)));
            Channel channel = connected(client.connect(bound.getLocalAddress()));
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/greeting");
            request.headers().set("Host", "localhost");
            channel.write(request);
            System.out.println("server got traceparent " + answer.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
            bound.close();
            channel.close().await(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } finally {
            client.releaseExternalResources();
            server.releaseExternalResources();
        }
    }

    private static Channel connected(ChannelFuture future) throws InterruptedException {
        if (!future.await(DEADLINE_SECONDS, TimeUnit.SECONDS) || !future.isSuccess()) {
            throw new AssertionError("not connected", future.getCause());
        }
        return future.getChannel();
    }

    /** Answers with what the client's tracer added to the request. */
    private static final class Greeting extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            String parent =
                    String.valueOf(((HttpRequest) e.getMessage()).headers().get("traceparent"));
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setContent(ChannelBuffers.copiedBuffer(parent, US_ASCII));
            response.headers().set("Content-Length", parent.length());
            e.getChannel().write(response);
        }
    }

    private static final class Answer extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<String> answer;

        Answer(CompletableFuture<String> answer) {
            this.answer = answer;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answer.complete(((HttpResponse) e.getMessage()).getContent().toString(US_ASCII));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            answer.completeExceptionally(e.getCause());
        }
    }
}
