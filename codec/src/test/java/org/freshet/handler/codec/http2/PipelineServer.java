package org.freshet.handler.codec.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DrainEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.server.HttpServerPipeline;
import org.freshet.handler.codec.http.server.RequestSource;
import org.freshet.handler.codec.http.websocketx.WebSocketFrame;
import org.freshet.handler.stream.ChunkedStream;
import org.freshet.testing.Await;
import org.freshet.util.Timer;

/**
 * A server with some options of a ready-made pipeline and an application that answers by path; remembers its channels.
 * Its methods are for the test's thread.
 */
final class PipelineServer implements AutoCloseable {
    static final String TEXT = "a text of the application; ".repeat(60);
    static final int BIG_BYTES = 384 * 1024;
    private static final int CHUNK_BYTES = 8 * 1024;
    private static final int SEND_BUFFER = 16 * 1024;
    private static final byte[] BIG = new byte[BIG_BYTES];

    static {
        new Random(1).nextBytes(BIG);
    }

    /** Thrown by the application on demand. */
    static final class Failure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Failure() {
            super("the application was asked to fail");
        }
    }

    final ServerBootstrap bootstrap;
    final InetSocketAddress address;

    /** The status of each answer, if there is an access log. */
    final List<Integer> log = new CopyOnWriteArrayList<>();

    /** Channels with a request to be answered later. */
    private final BlockingQueue<Channel> held = new LinkedBlockingQueue<>();

    private final AtomicInteger bigRequests = new AtomicInteger();
    private final Map<Integer, Channel> connections = new ConcurrentHashMap<>();
    private final Queue<Channel> draining = new ConcurrentLinkedQueue<>();
    private final Queue<Channel> streams = new ConcurrentLinkedQueue<>();
    private final boolean writesChunks;

    /** The first bytes of a connection. */
    private final String preamble;

    PipelineServer(PipelineWire wire, Set<PipelineOption> options, Path directory, Timer timer) {
        writesChunks = options.contains(PipelineOption.CHUNKED_WRITES);
        preamble = options.contains(PipelineOption.PROXY_PROTOCOL) ? PipelineOption.PROXY_LINE : "";
        HttpServerPipeline.Builder builder = HttpServerPipeline.builder(timer);
        PipelineOption.Setup setup = new PipelineOption.Setup(builder, directory, log::add);
        options.forEach(option -> option.settings.accept(setup));
        builder.limits(setup.limits.build()).timeouts(setup.timeouts);
        if (wire.isTls && options.contains(PipelineOption.SERVER_NAMES)) {
            builder.tls(wire.otherTls(), Map.of("localhost", wire.serverTls()));
        } else if (wire.isTls) {
            builder.tls(wire.serverTls());
        }
        if (wire.serverHasHttp2) {
            builder.http2(Http2Settings.defaults().toBuilder()
                    .webSocket(options.contains(PipelineOption.WEB_SOCKET))
                    .build());
        }
        HttpServerPipeline pipelines =
                builder.handler("application", Application::new).build();
        bootstrap = new ServerBootstrap(wire.newFactory());
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = pipelines.getPipeline();
            pipeline.addFirst("watch", new Watch());
            return pipeline;
        });
        bootstrap.setOption("child.sendBufferSize", SEND_BUFFER);
        address = (InetSocketAddress) bootstrap
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .getLocalAddress();
    }

    // ---- the application --------------------------------------------------------------------------------------------

    private final class Watch extends SimpleChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception {
            super.handleUpstream(ctx, e);
            if (e instanceof DrainEvent) {
                draining.add(ctx.getChannel());
            }
        }

        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            connections.put(((InetSocketAddress) e.getChannel().getRemoteAddress()).getPort(), e.getChannel());
            ctx.sendUpstream(e);
        }
    }

    private final class Application extends SimpleChannelUpstreamHandler {
        private HttpRequest request;
        private int received;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Object message = e.getMessage();
            Channel channel = e.getChannel();
            if (message instanceof HttpRequest next) {
                request = next;
                received = next.getContent().readableBytes();
                if (channel instanceof StreamChannel) {
                    streams.add(channel);
                }
                if (HttpMethod.CONNECT.equals(next.getMethod())) {
                    openTunnel(channel);
                } else if (!next.isChunked()) {
                    answer(channel);
                }
            } else if (message instanceof HttpChunk chunk) {
                onChunk(channel, chunk);
            } else if (message instanceof WebSocketFrame || message instanceof ChannelBuffer) {
                channel.write(message); // an echo
            }
        }

        private void onChunk(Channel channel, HttpChunk chunk) {
            if (HttpMethod.CONNECT.equals(request.getMethod())) {
                channel.write(chunk.isLast() ? chunk : new DefaultHttpChunk(chunk.getContent()));
                return;
            }
            received += chunk.getContent().readableBytes();
            if (chunk.isLast()) {
                answer(channel);
            }
        }

        private void openTunnel(Channel channel) {
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setChunked(channel instanceof StreamChannel);
            channel.write(response);
        }

        private void answer(Channel channel) {
            switch (request.getUri()) {
                case "/fail" -> throw new Failure();
                case "/length" -> channel.write(text(received + " bytes"));
                case "/source" -> {
                    RequestSource source = RequestSource.of(channel, request);
                    channel.write(text(source.scheme() + "://" + source.authority() + " for " + source.address()));
                }
                case "/later" -> held.add(channel);
                case "/chunked" -> writeInput(channel, "text/plain", TEXT.getBytes(ISO_8859_1), 100);
                case "/big" -> {
                    bigRequests.incrementAndGet();
                    writeBig(channel);
                }
                default -> channel.write(text(TEXT));
            }
        }
    }

    private static HttpResponse head(String type, int length) {
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set(HttpHeaders.Names.CONTENT_TYPE, type);
        HttpHeaders.setContentLength(response, length);
        return response;
    }

    private static HttpResponse text(String text) {
        HttpResponse response = head("text/plain", text.length());
        response.setContent(ChannelBuffers.copiedBuffer(text, ISO_8859_1));
        return response;
    }

    private static void writeInput(Channel channel, String type, byte[] content, int chunkBytes) {
        channel.write(head(type, content.length));
        channel.write(new ChunkedStream(new ByteArrayInputStream(content), chunkBytes));
    }

    private void writeBig(Channel channel) {
        String type = "application/octet-stream"; // this one is not compressed
        if (writesChunks) {
            writeInput(channel, type, BIG, CHUNK_BYTES);
        } else {
            HttpResponse response = head(type, BIG_BYTES);
            response.setContent(ChannelBuffers.wrappedBuffer(BIG));
            channel.write(response);
        }
    }

    static boolean isBig(byte[] content) {
        return java.util.Arrays.equals(BIG, content);
    }

    // ---- called by tests --------------------------------------------------------------------------------------------

    int bigRequests() {
        return bigRequests.get();
    }

    /** The most bytes that may be queued on a channel for one big answer. */
    long mostWaiting() {
        return writesChunks ? 64 * 1024 + 2 * CHUNK_BYTES + 16 * 1024 : BIG_BYTES + 32 * 1024;
    }

    long mostWaitingOnAnyStream() {
        return streams.stream().mapToLong(WriteAccount::waitingBytes).max().orElse(0);
    }

    /** Waits for a request that is not answered yet. */
    Channel takeHeld() throws InterruptedException {
        Channel channel = held.poll(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (channel == null) {
            throw new AssertionError("timed out waiting for the request to be answered later");
        }
        return channel;
    }

    /** Answers it. */
    void release(Channel channel) {
        channel.write(text(TEXT));
    }

    Channel connection(PipelineClient client) {
        Await.until(() -> connections.containsKey(client.port()), "the server's side of a connection");
        return connections.get(client.port());
    }

    /** Waits until the handlers of a connection have been notified of the drain. */
    void awaitDraining(PipelineClient client) {
        Channel channel = connection(client);
        Await.until(() -> draining.contains(channel), () -> "the drain of " + channel);
    }

    /** Returns why the server's side of a connection was closed, after it was. */
    CloseReason reason(PipelineClient client) {
        Channel channel = connection(client);
        Await.done(channel.getCloseFuture(), "the close of " + channel);
        return channel.getCloseReason();
    }

    /** Waits until no connection is open. */
    void awaitAllClosed() {
        connections.values().forEach(channel -> Await.done(channel.getCloseFuture(), "the close of " + channel));
    }

    /** Fails if anything still counts as queued, or if a stream is open. */
    void requireNothingLeft() {
        awaitAllClosed();
        streams.forEach(stream -> Await.done(stream.getCloseFuture(), "the close of " + stream));
        for (Queue<Channel> channels : List.of(new ConcurrentLinkedQueue<>(connections.values()), streams)) {
            for (Channel channel : channels) {
                Await.until(
                        () -> WriteAccount.waitingBytes(channel) == 0,
                        () -> "an empty account of " + channel + ": " + WriteAccount.waitingBytes(channel));
            }
        }
    }

    PipelineClient connect(PipelineWire wire) throws IOException {
        return PipelineClient.connect(wire, address, preamble);
    }

    @Override
    public void close() {
        bootstrap.releaseExternalResources();
    }
}
