package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.SocketChannelConfig;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An HTTP/2 client against servers written elsewhere, each of which echoes its input. */
class Http2PeerServersTest {
    enum Transport {
        NIO(NioClientSocketChannelFactory::new),
        OIO(OioClientSocketChannelFactory::new);

        private final Supplier<ChannelFactory> factory;

        Transport(Supplier<ChannelFactory> factory) {
            this.factory = factory;
        }
    }

    private static final int LARGE = 300_000;

    private final List<Process> processes = new ArrayList<>();
    private ClientBootstrap client;

    @AfterEach
    void end() {
        if (client != null) {
            client.releaseExternalResources();
        }
        processes.forEach(Process::destroyForcibly);
    }

    // ---- the client ----

    private static final class Collector extends SimpleChannelUpstreamHandler {
        private final CompletableFuture<byte[]> answer = new CompletableFuture<>();

        @Override
        public void messageReceived(org.freshet.channel.ChannelHandlerContext ctx, MessageEvent e) {
            ChannelBuffer content = ((HttpResponse) e.getMessage()).getContent();
            byte[] bytes = new byte[content.readableBytes()];
            content.readBytes(bytes);
            answer.complete(bytes);
        }

        @Override
        public void exceptionCaught(org.freshet.channel.ChannelHandlerContext ctx, ExceptionEvent e) {
            answer.completeExceptionally(e.getCause());
        }

        @Override
        public void channelClosed(org.freshet.channel.ChannelHandlerContext ctx, ChannelStateEvent e) {
            answer.completeExceptionally(new IOException("the stream is closed"));
        }
    }

    private Channel connect(Transport transport, int port) {
        client = new ClientBootstrap(transport.factory.get());
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        ChannelFuture connected = client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return Await.success(connected, "the connection").getChannel();
    }

    private static CompletableFuture<byte[]> exchange(Channel connection, HttpRequest request) {
        Collector collector = new Collector();
        ClientBootstrap streams = new ClientBootstrap(new Http2StreamChannelFactory(connection));
        streams.setPipelineFactory(() -> Channels.pipeline(new HttpChunkAggregator(2 << 20), collector));
        streams.connect(connection.getRemoteAddress()).addListener(opened -> {
            if (opened.isSuccess()) {
                opened.getChannel().write(request);
            } else {
                collector.answer.completeExceptionally(opened.getCause());
            }
        });
        return collector.answer;
    }

    private static HttpRequest post(byte[] content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/echo");
        request.headers().set("Host", "localhost");
        request.headers().set("Content-Length", content.length);
        request.setContent(ChannelBuffers.wrappedBuffer(content));
        return request;
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        Seeds.random().nextBytes(content);
        return content;
    }

    /** Many streams at the same time, both small and larger than the windows. */
    private void talkTo(Transport transport, int port) {
        Channel connection = connect(transport, port);
        List<byte[]> contents = new ArrayList<>();
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            contents.add(content(i % 10 == 9 ? LARGE : 1 + i * 37));
            answers.add(exchange(connection, post(contents.get(i))));
        }
        for (int i = 0; i < answers.size(); i++) {
            assertArrayEquals(contents.get(i), Await.result(answers.get(i), "answer " + i), "answer " + i);
        }
        assertTrue(connection.isOpen());
        assertTrue(((SocketChannelConfig) connection.getConfig()).isTcpNoDelay());
        Await.done(connection.close(), "the connection's end");
    }

    // ---- programs, where they are installed ----

    private Process start(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            processes.add(process);
            return process;
        } catch (IOException e) {
            assumeTrue(false, command[0] + " is not installed");
            throw new AssertionError(e);
        }
    }

    /** Starts a server that prints its port first; the test is skipped if the server exits without doing so. */
    private int startPrintingPort(String... command) throws IOException {
        Process process = start(command);
        BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII));
        String line = output.readLine();
        assumeTrue(line != null && line.matches("\\d+"), () -> String.join(" ", command) + ": " + line);
        return Integer.parseInt(line);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToNode(Transport transport) throws Exception {
        talkTo(
                transport,
                startPrintingPort(
                        "node",
                        "-e",
                        "const s=require('http2').createServer((q,r)=>q.pipe(r));"
                                + "s.listen(0,'127.0.0.1',()=>console.log(s.address().port))"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldTalkToPythonsH2(Transport transport) throws Exception {
        talkTo(transport, startPrintingPort(python(), "-u", script("h2_server.py")));
    }

    static String python() {
        return System.getProperty("freshet.python", "python3");
    }

    static String script(String name) throws Exception {
        return Path.of(Http2PeerServersTest.class.getResource(name).toURI()).toString();
    }

    /** It cannot choose a port itself, and another program may have taken the port that was free. */
    @ParameterizedTest
    @EnumSource
    void shouldTalkToNghttpd(Transport transport, @TempDir File folder) throws Exception {
        talkTo(
                transport,
                startOnFreePort("nghttpd", "-a", "127.0.0.1", "--no-tls", "--echo-upload", "-d", folder.toString()));
    }

    private int startOnFreePort(String... command) throws Exception {
        for (int attempt = 0; attempt < 5; attempt++) {
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            List<String> withPort = new ArrayList<>(List.of(command));
            withPort.add(String.valueOf(port));
            Process server = start(withPort.toArray(new String[0]));
            Await.until(() -> !server.isAlive() || accepts(port), command[0]);
            if (server.isAlive()) {
                return port;
            }
        }
        throw new AssertionError(command[0] + " finds no free port");
    }

    private static boolean accepts(int port) {
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    // ---- Netty 4.2 ----

    private static final class NettyEcho extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(
                    request.protocolVersion(),
                    io.netty.handler.codec.http.HttpResponseStatus.OK,
                    request.content().retain()));
        }
    }

    /** Loops that are shut down may leave one open. */
    private final Queue<io.netty.channel.Channel> nettyChannels = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @EnumSource
    void shouldTalkToNetty4(Transport transport) {
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try {
            io.netty.channel.Channel server = new ServerBootstrap()
                    .group(group)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(io.netty.channel.Channel channel) {
                            nettyChannels.add(channel);
                            channel.pipeline()
                                    .addLast(
                                            Http2FrameCodecBuilder.forServer().build(),
                                            new Http2MultiplexHandler(new ChannelInitializer<>() {
                                                @Override
                                                protected void initChannel(io.netty.channel.Channel stream) {
                                                    stream.pipeline()
                                                            .addLast(
                                                                    new Http2StreamFrameToHttpObjectCodec(true),
                                                                    new HttpObjectAggregator(2 << 20),
                                                                    new NettyEcho());
                                                }
                                            }));
                        }
                    })
                    .bind("127.0.0.1", 0)
                    .syncUninterruptibly()
                    .channel();
            talkTo(transport, ((InetSocketAddress) server.localAddress()).getPort());
            nettyChannels.add(server);
            nettyChannels.forEach(channel -> channel.close().awaitUninterruptibly());
        } finally {
            group.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    // ---- the suite for clients of github.com/summerwind/h2spec, v2.2.1 ----

    private static final int H2SPECD_CASES = 57;

    /**
     * It listens on a port for each case, and runs a command for each, here curl. Curl in turn contacts this process,
     * whose client makes the request.
     */
    @Test
    void shouldPassH2specd() throws Exception {
        client = new ClientBootstrap(new NioClientSocketChannelFactory());
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        Thread requests;
        String output;
        try (ServerSocket control = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            requests = new Thread(() -> serveControl(control));
            requests.start();
            output = runH2specd(control.getLocalPort());
        }
        Await.end(requests);
        assertTrue(output.contains(H2SPECD_CASES + " tests, ") && output.contains(" 0 failed"), output);
    }

    /** Makes the request that each caller names, then answers it; until the socket is closed. */
    private void serveControl(ServerSocket control) {
        while (true) {
            try (Socket call = control.accept()) {
                BufferedReader in = new BufferedReader(new InputStreamReader(call.getInputStream(), US_ASCII));
                String target = in.readLine().split(" ")[1];
                requestOnce(URI.create(URLDecoder.decode(target.substring(target.indexOf('?') + 1), US_ASCII)));
                call.getOutputStream().write("HTTP/1.0 204 No Content\r\n\r\n".getBytes(US_ASCII));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private String runH2specd(int controlPort) throws Exception {
        assumeTrue(start("curl", "--version").waitFor() == 0, "curl does not run");
        String output = "";
        for (int attempt = 0; attempt < 5; attempt++) {
            int first = 20_000 + Seeds.random().nextInt(10_000);
            Process h2specd = start(
                    "h2specd",
                    "-f",
                    String.valueOf(first),
                    "-e",
                    "curl -s -o /dev/null -G http://127.0.0.1:" + controlPort + "/ --data-urlencode");
            output = new String(h2specd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!output.contains("address already in use")) {
                return output;
            }
        }
        return output;
    }

    /** Returns when the case has ended the connection, or after less than the case's own time limit. */
    private void requestOnce(URI target) {
        ChannelFuture connected = client.connect(new InetSocketAddress(target.getHost(), target.getPort()));
        Channel connection = Await.success(connected, "the connection").getChannel();
        exchange(connection, new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
        connection.getCloseFuture().awaitUninterruptibly(2, TimeUnit.SECONDS);
        connection.close();
    }
}
