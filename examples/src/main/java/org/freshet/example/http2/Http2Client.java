package org.freshet.example.http2;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http2.Http2ClientHandler;
import org.freshet.handler.codec.http2.Http2StreamChannelFactory;

/** Sends many requests at the same time on one HTTP/2 connection without TLS, and counts the answers. */
public final class Http2Client {
    private static final int MAX_CONTENT_LENGTH = 1 << 20;
    private static final int MAX_WAIT_SECONDS = 30;
    static final int DEFAULT_REQUESTS = 1000;
    static final int MAX_REQUESTS = 1_000_000;

    private Http2Client() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("http2-client HOST PORT [REQUESTS]", 2, 3, args);
        InetSocketAddress server = new InetSocketAddress(arguments.text(0), arguments.port(1, 8080));
        System.exit(askManyTimes(server, arguments.number(2, "REQUESTS", 1, MAX_REQUESTS, DEFAULT_REQUESTS)) ? 0 : 1);
    }

    /** Returns whether every request was answered with 200. */
    static boolean askManyTimes(InetSocketAddress server, int requests) throws InterruptedException {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory(1));
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        bootstrap.setOption("tcpNoDelay", true);
        try {
            ChannelFuture connected = bootstrap.connect(server).await();
            if (!connected.isSuccess()) {
                System.err.println("cannot connect to " + server + ": "
                        + connected.getCause().getMessage());
                return false;
            }
            return askOn(connected.getChannel(), requests);
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static boolean askOn(Channel connection, int requests) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(requests);
        AtomicInteger answered = new AtomicInteger();
        ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(connection));
        streams.setPipelineFactory(
                () -> Channels.pipeline(new HttpChunkAggregator(MAX_CONTENT_LENGTH), new Answer(answered, ended)));
        InetSocketAddress server = (InetSocketAddress) connection.getRemoteAddress();
        long startNanos = System.nanoTime();
        for (int i = 0; i < requests; i++) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/" + i);
            HttpHeaders.setHost(request, server.getHostString() + ":" + server.getPort());
            // The server sets the limit on concurrent streams; the others wait for their turn to connect.
            streams.connect(server).addListener(stream -> {
                if (stream.isSuccess()) {
                    stream.getChannel().write(request);
                }
            });
        }
        boolean inTime = ended.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        boolean ok = inTime && answered.get() == requests;
        System.out.println(answered + " of " + requests + " requests answered in " + millis + " ms on one connection: "
                + (ok ? "right" : "wrong"));
        return ok;
    }

    /** One per stream. */
    private static final class Answer extends SimpleChannelUpstreamHandler {
        private final AtomicInteger answered;
        private final CountDownLatch ended;

        Answer(AtomicInteger answered, CountDownLatch ended) {
            this.answered = answered;
            this.ended = ended;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpResponse response = (HttpResponse) e.getMessage();
            if (response.getStatus().getCode() == 200 && answered.incrementAndGet() == 1) {
                System.out.println("first answer: "
                        + response.getContent().toString(StandardCharsets.UTF_8).strip());
            }
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            ended.countDown();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            System.err.println("request failed: " + e.getCause());
            e.getChannel().close();
        }
    }
}
