package org.freshet.handler.codec.spdy;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.socket.nio.NioClientSocketChannelFactory;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpChunkTrailer;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions with Netty 3 over sockets, each side as the other's server. */
@Timeout(60)
class SpdyInteropTest {
    private static final SpdyVersion V = SpdyVersion.SPDY_3_1;
    private static final org.jboss.netty.handler.codec.spdy.SpdyVersion THEIR_V =
            org.jboss.netty.handler.codec.spdy.SpdyVersion.SPDY_3_1;
    private static final int MAX_CONTENT = 1 << 20;
    private static final int[] LENGTHS = {0, 10, 9000, 300_000};

    private final List<Runnable> resources = new ArrayList<>();

    @AfterEach
    void release() {
        for (int i = resources.size() - 1; i >= 0; i--) {
            resources.get(i).run();
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @Test
    void shouldServeANetty3Client() throws Exception {
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        org.jboss.netty.channel.Channel client = connectNetty3(startServer(), answers);
        int streamId = 1;
        for (int length : LENGTHS) {
            client.write(netty3Request(streamId, "/echo?n=" + length, bytes(length)));
            org.jboss.netty.handler.codec.http.HttpResponse response = poll3(answers);
            assertEquals("POST /echo?n=" + length, response.headers().get("X-Line"));
            assertEquals("[1, 2]", response.headers().getAll("X-Two").toString());
            assertEquals(streamId, org.jboss.netty.handler.codec.spdy.SpdyHttpHeaders.getStreamId(response));
            assertEquals(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(bytes(length)), response.getContent());
            streamId += 2;
        }
        client.write(netty3Request(streamId, "/chunked", bytes(5000)));
        org.jboss.netty.handler.codec.http.HttpResponse chunked = poll3(answers);
        assertEquals("end", chunked.headers().get("X-Trailer"));
        assertEquals(5000, chunked.getContent().readableBytes());
    }

    private static org.jboss.netty.handler.codec.http.HttpResponse poll3(BlockingQueue<Object> answers)
            throws InterruptedException {
        Object answer = answers.poll(20, SECONDS);
        assertNotNull(answer, "an answer");
        return (org.jboss.netty.handler.codec.http.HttpResponse) answer;
    }

    @Test
    void shouldBeServedByNetty3() throws Exception {
        talk(startNetty3Server());
    }

    @Test
    void shouldServeItsOwnClient() throws Exception {
        talk(startServer());
    }

    private void talk(InetSocketAddress address) throws Exception {
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        Channel client = connect(address, answers);
        int streamId = 1;
        for (int length : LENGTHS) {
            client.write(request(streamId, "/echo?n=" + length, bytes(length)));
            HttpResponse response = poll(answers);
            assertEquals("POST /echo?n=" + length, response.headers().get("X-Line"));
            assertEquals(streamId, SpdyHttpHeaders.getStreamId(response));
            assertEquals(ChannelBuffers.wrappedBuffer(bytes(length)), response.getContent());
            streamId += 2;
        }
        HttpRequest chunked = request(streamId, "/echo", new byte[0]);
        chunked.setChunked(true);
        client.write(chunked);
        client.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(bytes(70_000))));
        client.write(HttpChunk.LAST_CHUNK);
        assertEquals(70_000, poll(answers).getContent().readableBytes());
        client.write(request(streamId + 2, "/chunked", bytes(5000)));
        HttpResponse response = poll(answers);
        assertEquals("end", response.headers().get("X-Trailer"));
        assertEquals(5000, response.getContent().readableBytes());
        client.close().awaitUninterruptibly();
    }

    @Test
    void shouldReceivePushesFromNetty3() throws Exception {
        pushedBy(startNetty3Server());
    }

    @Test
    void shouldReceivePushesFromItsOwnServer() throws Exception {
        pushedBy(startServer());
    }

    private void pushedBy(InetSocketAddress address) throws Exception {
        BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
        Channel client = connect(address, answers);
        client.write(request(1, "/push", bytes(3)));
        HttpResponse pushed = poll(answers);
        assertEquals("/pushed", SpdyHttpHeaders.getUrl(pushed));
        assertEquals(2, SpdyHttpHeaders.getStreamId(pushed));
        assertEquals(1, SpdyHttpHeaders.getAssociatedToStreamId(pushed));
        assertEquals("pushing.example", HttpHeaders.getHost(pushed));
        assertEquals(4, pushed.getContent().readableBytes());
        assertEquals(1, SpdyHttpHeaders.getStreamId(poll(answers)));
    }

    private static HttpResponse poll(BlockingQueue<Object> answers) throws InterruptedException {
        Object answer = answers.poll(20, SECONDS);
        assertNotNull(answer, "an answer");
        return (HttpResponse) answer;
    }

    // ---- Freshet's ----

    private static HttpRequest request(int streamId, String uri, byte[] content) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, uri);
        HttpHeaders.setHost(request, "h");
        SpdyHttpHeaders.setStreamId(request, streamId);
        request.setContent(ChannelBuffers.wrappedBuffer(content));
        return request;
    }

    private InetSocketAddress startServer() {
        ServerBootstrap bootstrap = new ServerBootstrap(new NioServerSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new SpdyFrameCodec(V),
                new SpdySessionHandler(V, true),
                new SpdyHttpCodec(V, MAX_CONTENT),
                new SpdyHttpResponseStreamIdHandler(),
                new Answering()));
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        resources.add(() -> server.close().awaitUninterruptibly());
        return (InetSocketAddress) server.getLocalAddress();
    }

    private Channel connect(InetSocketAddress address, BlockingQueue<Object> answers) {
        ClientBootstrap bootstrap = new ClientBootstrap(new NioClientSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> Channels.pipeline(
                new SpdyFrameCodec(V),
                new SpdySessionHandler(V, false),
                new SpdyHttpEncoder(V),
                new SpdyHttpDecoder(V, MAX_CONTENT),
                new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                        answers.add(e.getMessage());
                    }
                }));
        Channel client = bootstrap.connect(address).awaitUninterruptibly().getChannel();
        resources.add(() -> client.disconnect());
        resources.add(() -> client.close());
        return client;
    }

    private static final class Answering extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            HttpRequest request = (HttpRequest) e.getMessage();
            Channel channel = e.getChannel();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.headers().set("X-Line", request.getMethod() + " " + request.getUri());
            response.headers().set("X-Two", List.of(1, 2));
            switch (request.getUri()) {
                case "/chunked" -> {
                    response.setChunked(true);
                    channel.write(response);
                    channel.write(new DefaultHttpChunk(request.getContent()));
                    DefaultHttpChunkTrailer trailer = new DefaultHttpChunkTrailer();
                    trailer.trailingHeaders().set("X-Trailer", "end");
                    channel.write(trailer);
                }
                case "/push" -> {
                    response.setContent(request.getContent());
                    SpdyHttpHeaders.setStreamId(response, SpdyHttpHeaders.getStreamId(request));
                    HttpResponse pushed = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                    SpdyHttpHeaders.setStreamId(pushed, 2);
                    SpdyHttpHeaders.setAssociatedToStreamId(pushed, 1);
                    SpdyHttpHeaders.setUrl(pushed, "/pushed");
                    HttpHeaders.setHost(pushed, "pushing.example");
                    pushed.setContent(ChannelBuffers.wrappedBuffer(new byte[4]));
                    channel.write(pushed);
                    channel.write(response);
                }
                default -> {
                    response.setContent(request.getContent());
                    channel.write(response);
                }
            }
        }
    }

    // ---- Netty 3's ----

    private static org.jboss.netty.handler.codec.http.HttpRequest netty3Request(
            int streamId, String uri, byte[] content) {
        org.jboss.netty.handler.codec.http.HttpRequest request =
                new org.jboss.netty.handler.codec.http.DefaultHttpRequest(
                        org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                        org.jboss.netty.handler.codec.http.HttpMethod.POST,
                        uri);
        request.headers().set("Host", "h");
        org.jboss.netty.handler.codec.spdy.SpdyHttpHeaders.setStreamId(request, streamId);
        request.setContent(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(content));
        return request;
    }

    private InetSocketAddress startNetty3Server() {
        org.jboss.netty.bootstrap.ServerBootstrap bootstrap = new org.jboss.netty.bootstrap.ServerBootstrap(
                new org.jboss.netty.channel.socket.nio.NioServerSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.spdy.SpdyFrameCodec(THEIR_V),
                new org.jboss.netty.handler.codec.spdy.SpdySessionHandler(THEIR_V, true),
                new org.jboss.netty.handler.codec.spdy.SpdyHttpCodec(THEIR_V, MAX_CONTENT),
                new org.jboss.netty.handler.codec.spdy.SpdyHttpResponseStreamIdHandler(),
                new Netty3Answering()));
        org.jboss.netty.channel.Channel server =
                bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        resources.add(() -> server.close().awaitUninterruptibly());
        return (InetSocketAddress) server.getLocalAddress();
    }

    private static final class Netty3Answering extends org.jboss.netty.channel.SimpleChannelUpstreamHandler {
        private static org.jboss.netty.handler.codec.http.HttpResponse ok() {
            return new org.jboss.netty.handler.codec.http.DefaultHttpResponse(
                    org.jboss.netty.handler.codec.http.HttpVersion.HTTP_1_1,
                    org.jboss.netty.handler.codec.http.HttpResponseStatus.OK);
        }

        @Override
        public void messageReceived(
                org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
            org.jboss.netty.handler.codec.http.HttpRequest request =
                    (org.jboss.netty.handler.codec.http.HttpRequest) e.getMessage();
            org.jboss.netty.channel.Channel channel = e.getChannel();
            org.jboss.netty.handler.codec.http.HttpResponse response = ok();
            response.headers().set("X-Line", request.getMethod() + " " + request.getUri());
            switch (request.getUri()) {
                case "/chunked" -> {
                    response.setChunked(true);
                    channel.write(response);
                    channel.write(new org.jboss.netty.handler.codec.http.DefaultHttpChunk(request.getContent()));
                    org.jboss.netty.handler.codec.http.DefaultHttpChunkTrailer trailer =
                            new org.jboss.netty.handler.codec.http.DefaultHttpChunkTrailer();
                    trailer.trailingHeaders().set("X-Trailer", "end");
                    channel.write(trailer);
                }
                case "/push" -> {
                    response.setContent(request.getContent());
                    org.jboss.netty.handler.codec.spdy.SpdyHttpHeaders.setStreamId(response, 1);
                    org.jboss.netty.handler.codec.http.HttpResponse pushed = ok();
                    org.jboss.netty.handler.codec.spdy.SpdyHttpHeaders.setStreamId(pushed, 2);
                    org.jboss.netty.handler.codec.spdy.SpdyHttpHeaders.setAssociatedToStreamId(pushed, 1);
                    org.jboss.netty.handler.codec.spdy.SpdyHttpHeaders.setUrl(pushed, "/pushed");
                    pushed.headers().set("Host", "pushing.example");
                    pushed.setContent(org.jboss.netty.buffer.ChannelBuffers.wrappedBuffer(new byte[4]));
                    channel.write(pushed);
                    channel.write(response);
                }
                default -> {
                    response.setContent(request.getContent());
                    channel.write(response);
                }
            }
        }
    }

    private org.jboss.netty.channel.Channel connectNetty3(InetSocketAddress address, BlockingQueue<Object> answers) {
        org.jboss.netty.bootstrap.ClientBootstrap bootstrap = new org.jboss.netty.bootstrap.ClientBootstrap(
                new org.jboss.netty.channel.socket.nio.NioClientSocketChannelFactory());
        resources.add(bootstrap::releaseExternalResources);
        bootstrap.setPipelineFactory(() -> org.jboss.netty.channel.Channels.pipeline(
                new org.jboss.netty.handler.codec.spdy.SpdyFrameCodec(THEIR_V),
                new org.jboss.netty.handler.codec.spdy.SpdySessionHandler(THEIR_V, false),
                new org.jboss.netty.handler.codec.spdy.SpdyHttpCodec(THEIR_V, MAX_CONTENT),
                new org.jboss.netty.channel.SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(
                            org.jboss.netty.channel.ChannelHandlerContext ctx, org.jboss.netty.channel.MessageEvent e) {
                        answers.add(e.getMessage());
                    }
                }));
        org.jboss.netty.channel.Channel client =
                bootstrap.connect(address).awaitUninterruptibly().getChannel();
        resources.add(() -> client.close());
        return client;
    }
}
