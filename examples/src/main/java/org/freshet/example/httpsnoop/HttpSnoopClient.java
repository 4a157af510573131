package org.freshet.example.httpsnoop;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.example.Arguments;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkTrailer;
import org.freshet.handler.codec.http.HttpClientCodec;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.cookie.ClientCookieEncoder;
import org.freshet.handler.codec.http.cookie.Cookie;

/** Sends an HTTP server two requests, the second with the cookies set by the first answer, and prints the answers. */
public final class HttpSnoopClient {
    private static final int HTTP_PORT = 80;

    private HttpSnoopClient() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments("http-snoop-client URL", 1, 1, args);
        URI url;
        try {
            url = URI.create(arguments.text(0));
        } catch (IllegalArgumentException e) {
            throw arguments.refuse("not a URL: " + e.getMessage());
        }
        if (!"http".equals(url.getScheme()) || url.getHost() == null) {
            throw arguments.refuse("not an http URL: " + url);
        }
        InetSocketAddress server = new InetSocketAddress(url.getHost(), url.getPort() < 0 ? HTTP_PORT : url.getPort());
        if (server.isUnresolved()) {
            throw arguments.refuse("unknown host: " + url.getHost());
        }
        System.exit(converse(url, server) ? 0 : 1);
    }

    /** Returns whether both requests were answered. */
    static boolean converse(URI url, InetSocketAddress server) throws InterruptedException {
        HttpSnoopClientHandler handler = new HttpSnoopClientHandler();
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        bootstrap.setPipelineFactory(
                () -> Channels.pipeline(new HttpClientCodec(), new HttpContentDecompressor(), handler));
        try {
            ChannelFuture connected = bootstrap.connect(server).await();
            if (!connected.isSuccess()) {
                System.err.println("cannot connect: " + connected.getCause().getMessage());
                return false;
            }
            Channel channel = connected.getChannel();
            System.out.println("> GET " + url);
            channel.write(newRequest(HttpMethod.GET, url));
            Optional<Cookie[]> cookies = handler.awaitEnd();
            if (cookies.isEmpty() || !channel.isConnected()) {
                return cookies.isPresent(); // the server does not keep connections open
            }
            postChunks(channel, url, cookies.get());
            return handler.awaitEnd().isPresent();
        } finally {
            bootstrap.releaseExternalResources();
        }
    }

    private static HttpRequest newRequest(HttpMethod method, URI url) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, method, target);
        HttpHeaders.setHost(request, url.getRawAuthority());
        request.headers().set(HttpHeaders.Names.ACCEPT_ENCODING, HttpHeaders.Values.GZIP);
        return request;
    }

    /** Sends content whose length is not known in advance, followed by a trailer. */
    private static void postChunks(Channel channel, URI url, Cookie[] cookies) {
        System.out.println("> POST " + url + " with " + cookies.length + " cookie(s), two chunks and a trailer");
        HttpRequest request = newRequest(HttpMethod.POST, url);
        request.setChunked(true);
        request.headers().set(HttpHeaders.Names.TRAILER, "Chunks");
        if (cookies.length > 0) {
            request.headers().set(HttpHeaders.Names.COOKIE, ClientCookieEncoder.STRICT.encode(cookies));
        }
        channel.write(request);
        for (String chunk : new String[] {"first chunk", "second chunk"}) {
            channel.write(new DefaultHttpChunk(ChannelBuffers.copiedBuffer(chunk, StandardCharsets.UTF_8)));
        }
        HttpChunkTrailer end = new DefaultHttpChunkTrailer();
        end.trailingHeaders().set("Chunks", 2);
        channel.write(end);
    }
}
