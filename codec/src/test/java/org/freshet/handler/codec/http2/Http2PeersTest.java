package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.handler.ssl.Certificates;
import org.freshet.handler.ssl.SslContext;
import org.freshet.handler.ssl.SslContextBuilder;
import org.freshet.handler.ssl.util.SelfSignedCertificate;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server for HTTP/1.1 and HTTP/2 on one port, tested with clients written elsewhere. */
@Tag("crypto")
class Http2PeersTest {
    private ServerBootstrap bootstrap;
    private Channel server;

    private void serve(SocketTransport transport, SslContext ssl) {
        ChannelPipelineFactory requests = () -> Channels.pipeline(new SampleService());
        bootstrap = transport.newServer();
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = Channels.pipeline();
            if (ssl != null) {
                pipeline.addLast("ssl", ssl.newHandler());
            }
            pipeline.addLast("chooser", new HttpServerChooser(requests));
            return pipeline;
        });
        server = bootstrap.bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private int port() {
        return ((InetSocketAddress) server.getLocalAddress()).getPort();
    }

    private HttpClient client;

    @AfterEach
    void closeServer() {
        if (bootstrap != null) {
            bootstrap.releaseExternalResources();
        }
        if (client != null) {
            endClient();
        }
    }

    private void endClient() {
        WeakReference<HttpClient> ended = JdkClients.end(client, port());
        client = null;
        JdkClients.awaitEnd(ended);
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        Seeds.random().nextBytes(content);
        return content;
    }

    // ---- the JDK's client, which uses HTTP/2 if TLS negotiates it ----

    private void serveTls(SocketTransport transport) throws Exception {
        SelfSignedCertificate certificate = certificate();
        serve(
                transport,
                SslContextBuilder.forServer(certificate.key(), certificate.cert())
                        .applicationProtocols("h2", "http/1.1")
                        .build());
        client = JdkClients.trusting(certificate);
    }

    private static SelfSignedCertificate certificate() {
        return Certificates.named("localhost");
    }

    private HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + port() + target));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeManyConcurrentRequestsOfTheJdkClient(SocketTransport transport) throws Exception {
        serveTls(transport);
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            byte[] content = content(i * 997);
            answers.add(client.sendAsync(
                    request("/" + i).POST(BodyPublishers.ofByteArray(content)).build(), BodyHandlers.ofString()));
        }

        for (int i = 0; i < answers.size(); i++) {
            HttpResponse<String> answer = Await.result(answers.get(i), "answer " + i);
            assertEquals(HttpClient.Version.HTTP_2, answer.version());
            assertEquals(SampleService.report("POST", "/" + i, content(i * 997)), answer.body());
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendAndReceiveMoreThanTheJdkClientsWindows(SocketTransport transport) throws Exception {
        serveTls(transport);
        byte[] content = content(3_000_000);

        HttpResponse<String> report = client.send(
                request("/up").POST(BodyPublishers.ofByteArray(content)).build(), BodyHandlers.ofString());
        HttpResponse<String> large = client.send(request("/large").build(), BodyHandlers.ofString());
        HttpResponse<String> chunks = client.send(request("/chunks").build(), BodyHandlers.ofString());

        assertEquals(SampleService.report("POST", "/up", content), report.body());
        assertEquals(SampleService.LARGE, large.body().length());
        assertEquals("one, two, three", chunks.body());
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeHttp11OnTheSamePort(SocketTransport transport) throws Exception {
        serveTls(transport);

        HttpResponse<String> answer =
                client.send(request("/old").version(HttpClient.Version.HTTP_1_1).build(), BodyHandlers.ofString());

        assertEquals(HttpClient.Version.HTTP_1_1, answer.version());
        assertEquals(SampleService.report("GET", "/old", new byte[0]), answer.body());
    }

    // ---- programs, where they are installed ----

    /** Returns the program's output; the test is skipped if the program is not installed. */
    private static String run(String... command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, command[0] + " is not installed");
            throw e;
        }
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
        assertTrue(process.waitFor(50, TimeUnit.SECONDS), "the end of " + command[0]);
        return output;
    }

    private String url(String target) {
        return "http://127.0.0.1:" + port() + target;
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeCurlInPlaintext(SocketTransport transport) throws Exception {
        serve(transport, null);

        assertEquals(
                SampleService.report("GET", "/a", new byte[0]),
                run("curl", "-sS", "--max-time", "20", "--http2-prior-knowledge", url("/a")));
        assertEquals(SampleService.report("GET", "/b", new byte[0]), run("curl", "-sS", "--max-time", "20", url("/b")));
        assertEquals(
                SampleService.report("GET", "/c", new byte[0]),
                run("curl", "-sS", "--max-time", "20", "--http2", url("/c")));
        assertEquals(
                SampleService.report("PUT", "/d", "hello".getBytes(US_ASCII)),
                run(
                        "curl",
                        "-sS",
                        "--max-time",
                        "20",
                        "--http2-prior-knowledge",
                        "-X",
                        "PUT",
                        "-d",
                        "hello",
                        url("/d")));
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeH2loadWithoutAFailedRequest(SocketTransport transport) throws Exception {
        serve(transport, null);

        String small = run("h2load", "-n", "2000", "-c", "4", "-m", "50", url("/a"));
        String large = run("h2load", "-n", "40", "-c", "2", "-m", "10", url("/large"));

        assertTrue(small.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"), small);
        assertTrue(large.contains("40 succeeded, 0 failed, 0 errored, 0 timeout"), large);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNode(SocketTransport transport) throws Exception {
        serve(transport, null);
        String script = "const c=require('http2').connect('" + url("") + "');let left=20;"
                + "for(let i=0;i<20;i++){const r=c.request({':method':'POST',':path':'/n'+i});let d='';"
                + "r.on('data',x=>d+=x);r.on('end',()=>{console.log(d);if(--left==0)c.close()});r.end('z'.repeat(i))}";

        String output = run("node", "-e", script);

        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            expected.add(SampleService.report("POST", "/n" + i, "z".repeat(i).getBytes(US_ASCII)));
        }
        assertEquals(
                expected.stream().sorted().toList(), output.lines().sorted().toList());
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNghttp(SocketTransport transport) throws Exception {
        serve(transport, null);

        String output = run("nghttp", "-n", "-s", "-m", "20", url("/a"), url("/large"));
        String body = run("nghttp", "--no-dep", url("/b"));

        assertEquals(
                40,
                output.lines()
                        .filter(line -> line.matches(".* 200 .* /(a|large)"))
                        .count(),
                output);
        assertTrue(body.contains(SampleService.report("GET", "/b", new byte[0])), body);
    }

    @ParameterizedTest
    @EnumSource
    void shouldServePythonsH2(SocketTransport transport) throws Exception {
        serve(transport, null);
        assumeTrue(run(Http2PeerServersTest.python(), "-c", "import h2").isEmpty(), "the package h2 is not installed");

        String output =
                run(Http2PeerServersTest.python(), Http2PeerServersTest.script("h2_client.py"), String.valueOf(port()));

        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            byte[] content = "z".repeat(i * 20_000).getBytes(US_ASCII);
            expected.add(SampleService.report("POST", "/p" + i, content));
        }
        assertEquals(expected.stream().sorted().toList(), output.lines().toList());
    }

    /** The suite of github.com/summerwind/h2spec, v2.2.1. */
    @ParameterizedTest
    @EnumSource
    void shouldPassH2spec(SocketTransport transport) throws Exception {
        serve(transport, null);

        String output =
                run("h2spec", "-S", "-p", String.valueOf(port()), "-h", "127.0.0.1", "generic", "http2", "hpack");

        assertTrue(output.contains(" 0 failed"), output);
    }

    @ParameterizedTest
    @EnumSource
    void shouldPassH2specOverTls(SocketTransport transport) throws Exception {
        SelfSignedCertificate certificate = certificate();
        serve(
                transport,
                SslContextBuilder.forServer(certificate.key(), certificate.cert())
                        .applicationProtocols("h2", "http/1.1")
                        .build());

        String output = run(
                "h2spec",
                "-t",
                "-k",
                "-S",
                "-p",
                String.valueOf(port()),
                "-h",
                "127.0.0.1",
                "generic",
                "http2",
                "hpack");

        assertTrue(output.contains(" 0 failed"), output);
    }

    // ---- Netty 4.2 ----

    private static final class NettyCollector extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpResponse response) {
            answer.complete(response.content().toString(US_ASCII));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeNetty4(SocketTransport transport) {
        serve(transport, null);
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            io.netty.channel.Channel connection = new Bootstrap()
                    .group(group)
                    .channel(NioSocketChannel.class)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(io.netty.channel.Channel channel) {
                            channel.pipeline()
                                    .addLast(
                                            Http2FrameCodecBuilder.forClient().build(),
                                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                        }
                    })
                    .connect("127.0.0.1", port())
                    .syncUninterruptibly()
                    .channel();
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(post(connection, "/" + i, content(i * 5_000)));
            }
            for (int i = 0; i < answers.size(); i++) {
                String report = SampleService.report("POST", "/" + i, content(i * 5_000));
                assertEquals(report, Await.result(answers.get(i), "answer " + i));
            }
            connection.close().awaitUninterruptibly(); // a Netty loop that is shut down may leave it open
        } finally {
            group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    private static CompletableFuture<String> post(io.netty.channel.Channel connection, String target, byte[] content) {
        NettyCollector collector = new NettyCollector();
        Http2StreamChannelBootstrap streams = new Http2StreamChannelBootstrap(connection);
        streams.handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(io.netty.channel.Channel stream) {
                stream.pipeline()
                        .addLast(
                                new Http2StreamFrameToHttpObjectCodec(false),
                                new HttpObjectAggregator(2 << 20),
                                collector);
            }
        });
        streams.open().addListener(opened -> {
            DefaultFullHttpRequest request = new DefaultFullHttpRequest(
                    HttpVersion.HTTP_1_1, HttpMethod.POST, target, Unpooled.wrappedBuffer(content));
            request.headers().set("host", "localhost").set("content-length", content.length);
            ((io.netty.channel.Channel) opened.get()).writeAndFlush(request);
        });
        return collector.answer;
    }
}
