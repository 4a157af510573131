package org.freshet.example.proxy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.proxy.HttpProxyHandler;
import org.freshet.handler.proxy.ProxyHandler;
import org.freshet.handler.proxy.Socks4ProxyHandler;
import org.freshet.handler.proxy.Socks5ProxyHandler;
import org.freshet.handler.ssl.SslContextBuilder;

/**
 * Gets a page through a proxy that also looks up the host name, like
 * {@code curl --proxy socks5h://localhost:1080 http://example.com}. Each request uses a new connection.
 */
public final class HttpProxyClient {
    private static final int MAX_CONTENT_LENGTH = 1024 * 1024;
    private static final int MAX_WAIT_SECONDS = 30;
    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    private final ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());

    public static void main(String[] args) throws InterruptedException, SSLException {
        Arguments arguments = new Arguments("http-proxy-client PROXY_URL URL", 2, 2, args);
        URI proxy = uri(arguments, 0, "http|socks4|socks5", "a proxy");
        URI target = uri(arguments, 1, "https?", "a page");
        HttpProxyClient client = new HttpProxyClient();
        try {
            HttpResponse response = client.get(proxy, target);
            System.out.println(response.getStatus());
            System.out.println(response.getContent().toString(StandardCharsets.UTF_8));
        } catch (ExecutionException e) {
            System.err.println(e.getCause().getMessage());
            System.exit(1);
        } finally {
            client.close();
        }
    }

    private static URI uri(Arguments arguments, int index, String schemes, String wanted) {
        try {
            URI uri = new URI(arguments.text(index));
            boolean has = uri.getScheme() != null && uri.getScheme().matches(schemes) && uri.getHost() != null;
            if (has && (!wanted.equals("a proxy") || uri.getPort() > 0)) {
                return uri;
            }
        } catch (java.net.URISyntaxException e) {
            // reported below
        }
        throw arguments.refuse("not the URL of " + wanted + ": \"" + arguments.text(index) + "\"");
    }

    /** @throws ExecutionException with the failure as its cause */
    HttpResponse get(URI proxy, URI target) throws InterruptedException, ExecutionException, SSLException {
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("proxy", newProxyHandler(proxy));
        boolean tls = target.getScheme().equals("https");
        int port = target.getPort() > 0 ? target.getPort() : tls ? HTTPS_PORT : HTTP_PORT;
        if (tls) { // verifies the target's name, not the proxy's
            pipeline.addLast("tls", SslContextBuilder.forClient().build().newHandler(target.getHost(), port));
        }
        pipeline.addLast("codec", new HttpClientCodec());
        pipeline.addLast("aggregator", new HttpChunkAggregator(MAX_CONTENT_LENGTH));
        pipeline.addLast("receiver", new Receiver(answer));
        bootstrap.setPipelineFactory(() -> pipeline);
        // unresolved: the proxy looks up the name
        bootstrap
                .connect(InetSocketAddress.createUnresolved(target.getHost(), port))
                .addListener(connected -> {
                    if (connected.isSuccess()) {
                        connected.getChannel().write(newRequest(target));
                    } else {
                        answer.completeExceptionally(connected.getCause());
                    }
                });
        try {
            return answer.get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new ExecutionException("no answer within " + MAX_WAIT_SECONDS + " s", e);
        }
    }

    private static ProxyHandler newProxyHandler(URI proxy) {
        SocketAddress address = new InetSocketAddress(proxy.getHost(), proxy.getPort());
        return switch (proxy.getScheme()) {
            case "socks4" -> new Socks4ProxyHandler(address);
            case "socks5" -> new Socks5ProxyHandler(address);
            default -> new HttpProxyHandler(address);
        };
    }

    private static HttpRequest newRequest(URI target) {
        String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
        String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path + query);
        HttpHeaders.setHost(request, target.getRawAuthority());
        request.headers().set(HttpHeaders.Names.CONNECTION, HttpHeaders.Values.CLOSE);
        return request;
    }

    /** Stops all threads. */
    void close() {
        bootstrap.releaseExternalResources();
    }

    private static final class Receiver extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<HttpResponse> answer;

        Receiver(CompletableFuture<HttpResponse> answer) {
            this.answer = answer;
        }

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answer.complete((HttpResponse) e.getMessage());
            e.getChannel().close();
        }

        @Override
        public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
            answer.completeExceptionally(new java.io.EOFException("the connection ended without an answer"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            answer.completeExceptionally(e.getCause());
            e.getChannel().close();
        }
    }
}
