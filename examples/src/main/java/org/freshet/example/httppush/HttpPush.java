package org.freshet.example.httppush;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;

/** Server and client in one program, over loopback. */
public final class HttpPush {
    private static final int TICK_MILLIS = 100;
    private static final int EVENTS = 3;
    private static final int MAX_WAIT_SECONDS = 10;

    /** Contents received by the client, in order. */
    private final BlockingQueue<String> contents = new LinkedBlockingQueue<>();

    private HttpPush() {}

    public static void main(String[] args) throws InterruptedException {
        new Arguments("http-push", 0, 0, args);
        System.out.println("http-push: events from a server, by long poll and as a stream of server-sent events;");
        System.out.println("http-push-server shows them in a browser");
        boolean ok;
        try (HttpPushServer server = new HttpPushServer(TICK_MILLIS)) {
            ok = new HttpPush().converse(server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        }
        System.out.println(ok ? "no event was missed: right" : "wrong");
        System.exit(ok ? 0 : 1);
    }

    private boolean converse(SocketAddress server) throws InterruptedException {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(() -> Channels.pipeline(new HttpClientCodec(), new Receiver()));
        try {
            ChannelFuture connected = bootstrap.connect(server).await();
            return connected.isSuccess() && poll(connected.getChannel()) && stream(connected.getChannel());
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    /** Requests one event after the other. */
    private boolean poll(Channel channel) throws InterruptedException {
        for (int number = 1; number <= EVENTS; number++) {
            channel.write(newRequest("/poll?after=" + (number - 1)));
            if (!isNext(number + " ")) {
                return false;
            }
        }
        return true;
    }

    /** Sends one request, like a browser that lost its connection after the third event. */
    private boolean stream(Channel channel) throws InterruptedException {
        HttpRequest request = newRequest("/events");
        request.headers().set("Last-Event-ID", EVENTS);
        channel.write(request);
        for (int number = EVENTS + 1; number <= 2 * EVENTS; number++) {
            if (!isNext("id: " + number + "\n")) {
                return false;
            }
        }
        return true;
    }

    private static HttpRequest newRequest(String target) {
        System.out.println("> GET " + target);
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
        HttpHeaders.setHost(request, "localhost");
        return request;
    }

    private boolean isNext(String start) throws InterruptedException {
        String content = contents.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        System.out.println("< " + (content == null ? "nothing" : content.strip().replace("\n", ", ")));
        return content != null && content.startsWith(start);
    }

    private final class Receiver extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer content = e.getMessage() instanceof HttpChunk
                    ? ((HttpChunk) e.getMessage()).getContent()
                    : ((HttpResponse) e.getMessage()).getContent();
            if (content.readable()) {
                contents.add(content.toString(StandardCharsets.UTF_8));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            System.err.println("connection failed: " + e.getCause());
            e.getChannel().close();
        }
    }
}
