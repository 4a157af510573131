package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.local.DefaultLocalClientChannelFactory;
import org.freshet.channel.local.DefaultLocalServerChannelFactory;
import org.freshet.channel.local.LocalAddress;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.channel.socket.oio.OioClientSocketChannelFactory;
import org.freshet.channel.socket.oio.OioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.HttpChunkAggregator;
import org.freshet.handler.codec.http.HttpContentCompressor;
import org.freshet.handler.codec.http.HttpContentDecompressor;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.execution.ExecutionHandler;
import org.freshet.handler.execution.OrderedMemoryAwareThreadPoolExecutor;
import org.freshet.testing.Await;
import org.freshet.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both sides of HTTP/2 over each transport, with handlers written for HTTP/1.1 on its streams. */
class Http2OverTransportsTest {
    enum Pair {
        NIO(NioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
        OIO(OioServerSocketChannelFactory::new, OioClientSocketChannelFactory::new),
        NIO_TO_OIO(OioServerSocketChannelFactory::new, NioClientSocketChannelFactory::new),
        LOCAL(DefaultLocalServerChannelFactory::new, DefaultLocalClientChannelFactory::new);

        private final Supplier<ChannelFactory> server;
        private final Supplier<ChannelFactory> client;

        Pair(Supplier<ChannelFactory> server, Supplier<ChannelFactory> client) {
            this.server = server;
            this.client = client;
        }
    }

    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();

    private ServerBootstrap server;
    private ClientBootstrap client;
    private ClientBootstrap streams;
    private SocketAddress address;

    private void connect(Pair pair, ChannelPipelineFactory requests, ChannelPipelineFactory answerPipelines) {
        server = new ServerBootstrap(pair.server.get());
        server.setPipelineFactory(() -> Channels.pipeline(new HttpServerChooser(requests)));
        boolean isLocal = pair == Pair.LOCAL;
        Channel bound = server.bind(isLocal ? new LocalAddress("http2-test") : new InetSocketAddress("127.0.0.1", 0));
        address = bound.getLocalAddress();
        client = new ClientBootstrap(pair.client.get());
        client.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler()));
        Channel connection =
                Await.success(client.connect(address), "the connection").getChannel();
        streams = new ClientBootstrap(new Http2StreamChannelFactory(connection));
        streams.setPipelineFactory(answerPipelines);
    }

    @AfterEach
    void release() {
        client.releaseExternalResources();
        server.releaseExternalResources();
    }

    private final class Collector extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            answers.add(e.getMessage());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
            answers.add(e.getCause());
        }
    }

    private ChannelPipeline collecting() {
        return Channels.pipeline(new HttpContentDecompressor(), new HttpChunkAggregator(4 << 20), new Collector());
    }

    private static HttpRequest request(String uri, byte[] content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, uri);
        request.headers().set("Host", "localhost");
        request.headers().set("Accept-Encoding", "gzip");
        request.setContent(ChannelBuffers.wrappedBuffer(content));
        return request;
    }

    private ChannelFuture send(HttpRequest request) {
        ChannelFuture written = Channels.future(null);
        streams.connect(address).addListener(connected -> {
            if (connected.isSuccess()) {
                connected.getChannel().write(request).addListener(each -> written.setSuccess());
            } else {
                written.setFailure(connected.getCause());
            }
        });
        return written;
    }

    private List<String> takeAnswers(int count) throws InterruptedException {
        List<String> bodies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object answer = answers.poll(30, TimeUnit.SECONDS);
            HttpResponse response = assertInstanceOf(HttpResponse.class, answer, "answer " + i);
            bodies.add(response.getContent().toString(US_ASCII));
        }
        return bodies.stream().sorted().toList();
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeManyRequestsFromManyThreads(Pair pair) throws Exception {
        connect(pair, () -> Channels.pipeline(new SampleService()), this::collecting);
        int threads = 4;
        int each = 60;
        byte[] content = new byte[20_000];
        Seeds.random().nextBytes(content);
        ExecutorService senders = Executors.newFixedThreadPool(threads);
        CountDownLatch sent = new CountDownLatch(threads * each);
        List<String> expected = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            for (int i = 0; i < each; i++) {
                String uri = "/" + thread + "/" + i;
                expected.add(SampleService.report("POST", uri, content));
                senders.execute(() -> send(request(uri, content)).addListener(written -> sent.countDown()));
            }
        }

        Await.latch(sent, "all requests");
        senders.shutdown();

        assertEquals(expected.stream().sorted().toList(), takeAnswers(threads * each));
    }

    @ParameterizedTest
    @EnumSource
    void shouldTransferLargeContentInBothDirectionsWithCompression(Pair pair) throws Exception {
        connect(pair, () -> Channels.pipeline(new HttpContentCompressor(), new SampleService()), this::collecting);
        byte[] content = new byte[2_000_000];
        Seeds.random().nextBytes(content);

        Await.success(send(request("/up", content)), "the request");
        assertEquals(List.of(SampleService.report("POST", "/up", content)), takeAnswers(1));
        Await.success(send(request("/large", new byte[0])), "the request");

        assertEquals("x".repeat(SampleService.LARGE), takeAnswers(1).get(0));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerFromOtherThreads(Pair pair) throws Exception {
        OrderedMemoryAwareThreadPoolExecutor pool = new OrderedMemoryAwareThreadPoolExecutor(3, 1 << 20, 1 << 22);
        ExecutionHandler execution = new ExecutionHandler(pool);
        try {
            connect(pair, () -> Channels.pipeline(execution, new SampleService()), this::collecting);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                byte[] content = new byte[i * 100];
                expected.add(SampleService.report("POST", "/" + i, content));
                send(request("/" + i, content));
            }

            assertEquals(expected.stream().sorted().toList(), takeAnswers(80));
        } finally {
            execution.releaseExternalResources();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadOnceAHandlerReadsAgainOnAnotherThread(Pair pair) throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        BlockingQueue<Channel> channels = new LinkedBlockingQueue<>();
        connect(
                pair,
                () -> Channels.pipeline(
                        new SimpleChannelUpstreamHandler() {
                            @Override
                            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                                if (e.getMessage() instanceof HttpRequest) {
                                    ctx.getChannel().setReadable(false);
                                    channels.add(ctx.getChannel());
                                    paused.countDown();
                                }
                                ctx.sendUpstream(e);
                            }
                        },
                        new SampleService()),
                this::collecting);
        byte[] content = new byte[600_000];
        Seeds.random().nextBytes(content);
        send(request("/paused", content));
        Await.latch(paused, "the request");

        channels.take().setReadable(true);

        assertEquals(List.of(SampleService.report("POST", "/paused", content)), takeAnswers(1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveStreamsThatAreClosedAtAnyTime(Pair pair) throws Exception {
        connect(pair, () -> Channels.pipeline(new SampleService()), this::collecting);
        for (int i = 0; i < 50; i++) {
            Channel stream = Await.success(streams.connect(address), "a stream").getChannel();
            stream.write(request("/large", new byte[i * 100]));
            if (i % 3 == 0) {
                Await.done(stream.getCloseFuture(), "the answer's end");
            } else {
                Await.done(stream.close(), "the close");
            }
        }
        answers.clear();

        send(request("/last", new byte[3]));

        assertEquals(List.of(SampleService.report("POST", "/last", new byte[3])), takeAnswers(1));
    }

    /** A buffer shared by two requests keeps its indices. */
    @ParameterizedTest
    @EnumSource
    void shouldNotChangeTheUsersBuffers(Pair pair) throws Exception {
        connect(pair, () -> Channels.pipeline(new SampleService()), this::collecting);
        ChannelBuffer shared = ChannelBuffers.wrappedBuffer(new byte[5_000]);
        HttpRequest first = request("/1", new byte[0]);
        HttpRequest second = request("/2", new byte[0]);
        first.setContent(shared);
        second.setContent(shared);

        Await.success(send(first), "the first");
        Await.success(send(second), "the second");

        assertEquals(5_000, shared.readableBytes());
        assertEquals(
                List.of(
                        SampleService.report("POST", "/1", new byte[5_000]),
                        SampleService.report("POST", "/2", new byte[5_000])),
                takeAnswers(2));
    }
}
