package org.freshet.handler.codec.http2;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.bootstrap.ClientBootstrap;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpRequest;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpChunk;
import org.freshet.handler.codec.http.HttpHeaders;
import org.freshet.handler.codec.http.HttpMethod;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.handler.codec.http.SocketTransport;
import org.freshet.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread writes to a stream while its connection's thread is busy. */
class Http2WriterThreadTest {
    private static final int CHUNK_BYTES = 1024;

    /**
     * The most that may be queued above the high water mark of 64 KiB: less than one chunk, plus the overhead of each.
     */
    private static final int MOST_CHUNKS = 64;

    private ServerBootstrap servers;
    private ClientBootstrap clients;
    private final CountDownLatch release = new CountDownLatch(1);
    private final CompletableFuture<Channel> accepted = new CompletableFuture<>();
    private final CountDownLatch writableAgain = new CountDownLatch(1);
    private final AtomicLong received = new AtomicLong();

    @AfterEach
    void close() {
        release.countDown();
        clients.releaseExternalResources();
        servers.releaseExternalResources();
    }

    /** Occupies its I/O thread until it is released. */
    private final class Busy extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            accepted.complete(e.getChannel());
            assertTrue(release.await(30, TimeUnit.SECONDS));
        }

        @Override
        public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
            if (e.getChannel().isWritable()) {
                writableAgain.countDown();
            }
        }
    }

    private final class Counting extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            if (e.getMessage() instanceof HttpChunk chunk) {
                received.addAndGet(chunk.getContent().readableBytes());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSeeBackPressureBeforeThatThreadReacts(SocketTransport transport) throws Exception {
        servers = transport.newServer();
        clients = transport.newClient();
        servers.setPipelineFactory(() -> Channels.pipeline(
                new Http2ServerHandler(() -> Channels.pipeline(new Busy()), Http2Settings.defaults())));
        clients.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler(Http2Settings.defaults())));
        Channel server = servers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        request(Await.success(clients.connect(server.getLocalAddress()), "the connection")
                .getChannel());
        Channel stream = Await.result(accepted, "the request");

        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.setChunked(true);
        stream.write(head);
        int chunks = 0;
        while (stream.isWritable() && chunks < 1_000) {
            stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[CHUNK_BYTES])));
            chunks++;
        }
        int written = chunks;
        assertTrue(written <= MOST_CHUNKS, written + " chunks were written, and the stream is writable");

        release.countDown();
        assertTrue(writableAgain.await(30, TimeUnit.SECONDS), "the stream is never writable again");
        ChannelFuture last = stream.write(HttpChunk.LAST_CHUNK);
        Await.success(last, "the end of the answer");
        Await.until(() -> received.get() == (long) written * CHUNK_BYTES, () -> received + " bytes");
    }

    /** A closed stream's account counts nothing, so writes queued for the connection's thread would be unbounded. */
    @ParameterizedTest
    @EnumSource
    void shouldFailWritesImmediatelyAfterTheStreamIsClosed(SocketTransport transport) throws Exception {
        servers = transport.newServer();
        clients = transport.newClient();
        servers.setPipelineFactory(() ->
                Channels.pipeline(new Http2ServerHandler(() -> Channels.pipeline(new SimpleChannelUpstreamHandler() {
                    @Override
                    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
                        e.getChannel().close();
                        new Busy().messageReceived(ctx, e);
                    }
                }))));
        clients.setPipelineFactory(() -> Channels.pipeline(new Http2ClientHandler(Http2Settings.defaults())));
        Channel server = servers.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        request(Await.success(clients.connect(server.getLocalAddress()), "the connection")
                .getChannel());
        Channel stream = Await.result(accepted, "the request");
        ChannelFuture write = stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[CHUNK_BYTES])));
        assertTrue(write.isDone(), "the write waits for a busy thread");
        assertInstanceOf(ClosedChannelException.class, write.getCause());
    }

    private void request(Channel connection) {
        HttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        HttpHeaders.setHost(request, "localhost");
        Http2ClientConnection.of(connection)
                .open(Channels.pipeline(new Counting()))
                .addListener(opened -> opened.getChannel().write(request));
    }
}
