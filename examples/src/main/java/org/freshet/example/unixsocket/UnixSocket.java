package org.freshet.example.unixsocket;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioUnixClientChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;

/** A service on a Unix domain socket, and a proxy that sends it a client's request, in one program. */
public final class UnixSocket {
    private static final int SECONDS = 10;
    private static final int MAX_BYTES = 1024;

    private UnixSocket() {}

    public static void main(String[] args) throws Exception {
        new Arguments("unix-socket", 0, 0, args);
        Path directory = Files.createTempDirectory("unix-socket"); // only this user may enter it
        Path file = directory.resolve("http.sock");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
        leaveAFileBehind(address);
        String answer;
        try (LocalService service = new LocalService(address)) {
            System.out.println("serving on " + service.address());
            answer = ask(address);
            System.out.println("the service answers: " + answer);
        }
        boolean isGone = Files.notExists(file);
        Files.deleteIfExists(file);
        Files.delete(directory);
        boolean isRight = isGone && answer.equals("you are /203.0.113.7:0");
        System.out.println("the proxy is trusted, and the file is gone afterwards: " + (isRight ? "right" : "wrong"));
        System.exit(isRight ? 0 : 1);
    }

    /** Leaves a socket file behind, like a service that is killed. The next one replaces it. */
    private static void leaveAFileBehind(UnixDomainSocketAddress address) throws Exception {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(address);
        }
    }

    private static String ask(UnixDomainSocketAddress address) throws Exception {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioUnixClientChannelFactory(1));
        Asking asking = new Asking();
        bootstrap.setPipelineFactory(
                () -> Channels.pipeline(new HttpClientCodec(), new HttpChunkAggregator(MAX_BYTES), asking));
        try {
            bootstrap.connect(address);
            return asking.answer.get(SECONDS, TimeUnit.SECONDS);
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static final class Asking extends SimpleChannelUpstreamHandler {
        final CompletableFuture<String> answer = new CompletableFuture<>();

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
            request.headers().set("Host", "localhost");
            request.headers().set("X-Forwarded-For", "203.0.113.7");
            e.getChannel().write(request);
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answer.complete(((HttpResponse) e.getMessage())
                    .getContent()
                    .toString(US_ASCII)
                    .strip());
            e.getChannel().close();
        }
    }
}
