package org.freshet.handler.codec.http2;

import static org.freshet.handler.codec.http2.FramePeer.SETTINGS;
import static org.freshet.handler.codec.http2.FramePeer.frame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;
import org.freshet.channel.WriteOverflow;
import org.freshet.channel.WriteOverflowException;
import org.freshet.channel.socket.nio.NioServerSocketChannelFactory;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.DefaultHttpResponse;
import org.freshet.handler.codec.http.HttpResponse;
import org.freshet.handler.codec.http.HttpResponseStatus;
import org.freshet.handler.codec.http.HttpVersion;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A peer that never enlarges a window, while handlers write without checking. */
class Http2OverflowTest {
    private static final int LIMIT = 256 * 1024;
    private static final int PIECE = 16 * 1024;

    /** Several times the limit and the initial window. */
    private static final int PIECES = 64;

    private final NioServerSocketChannelFactory servers = new NioServerSocketChannelFactory(1);
    private final FramePeer requests = new FramePeer(new SimpleChannelUpstreamHandler());
    private final BlockingQueue<Channel> streams = new LinkedBlockingQueue<>();
    private final BlockingQueue<ChannelFuture> lastWrites = new LinkedBlockingQueue<>();
    private ScriptedPeer peer;

    /** Written and read on the I/O thread until the stream has ended. */
    private volatile long mostBytes;

    @AfterEach
    void release() throws Exception {
        peer.close();
        servers.releaseExternalResources();
    }

    private final class Generous extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            Channel stream = e.getChannel();
            HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            response.setChunked(true);
            stream.write(response);
            ChannelFuture last = null;
            for (int i = 0; i < PIECES && stream.isOpen(); i++) {
                last = stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[PIECE])));
                mostBytes = Math.max(mostBytes, WriteAccount.waitingBytes(stream.getParent()));
            }
            lastWrites.add(last);
            streams.add(stream);
        }
    }

    private Channel request(WriteOverflow policy) throws Exception {
        return request(policy, new Generous());
    }

    private Channel request(WriteOverflow policy, ChannelHandler application) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap(servers);
        bootstrap.setPipelineFactory(
                () -> Channels.pipeline(new Http2ServerHandler(() -> Channels.pipeline(application))));
        bootstrap.setOption("child.writeBufferLimit", LIMIT);
        bootstrap.setOption("child.writeOverflow", policy);
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        peer = ScriptedPeer.connect(server.getLocalAddress());
        peer.send(Http2ServerHandler.PREFACE).send(frame(SETTINGS, 0, 0)).send(requests.get(1, "/"));
        return next();
    }

    private Channel next() throws InterruptedException {
        Channel stream = streams.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        assertTrue(stream != null, "no request came");
        return stream;
    }

    @Test
    void shouldCloseTheConnectionWhoseStreamsQueueTooMuch() throws Exception {
        Channel stream = request(WriteOverflow.CLOSE);
        Await.done(stream.getParent().getCloseFuture(), "the close of the connection");
        assertEquals(Kind.OVERFLOW, stream.getParent().getCloseReason().kind());
        Await.failure(lastWrites.take(), "the write beyond the limit");
        assertTrue(mostBytes > LIMIT / 2 && mostBytes <= LIMIT, () -> "held: " + mostBytes);
        Await.until(() -> WriteAccount.waitingBytes(stream.getParent()) == 0, "the empty account");
    }

    @Test
    void shouldEndOnlyTheStreamIfItsWritesFail() throws Exception {
        Channel stream = request(WriteOverflow.FAIL);
        assertInstanceOf(WriteOverflowException.class, Await.failure(lastWrites.take(), "the write beyond the limit"));
        Await.done(stream.getCloseFuture(), "the close of the stream");
        assertEquals(Kind.OVERFLOW, stream.getCloseReason().kind());
        assertTrue(mostBytes <= LIMIT, () -> "held: " + mostBytes);
        peer.send(requests.get(3, "/"));
        assertEquals(stream.getParent(), next().getParent());
        assertTrue(stream.getParent().isOpen());
    }

    /** While the I/O thread is busy, a thread that doesn't look at its futures must not fill the heap. */
    @Test
    void shouldRequestTheCloseOnceHoweverManyWritesFail() throws Exception {
        CountDownLatch isWritten = new CountDownLatch(1);
        AtomicInteger closes = new AtomicInteger();
        Channel stream = request(WriteOverflow.FAIL, new SimpleChannelHandler() {
            @Override
            public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
                streams.add(e.getChannel());
                Await.latch(isWritten, "the writes of another thread");
            }

            @Override
            public void closeRequested(ChannelHandlerContext ctx, ChannelStateEvent e) {
                closes.incrementAndGet();
                ctx.sendDownstream(e);
            }
        });
        for (int i = 0; i < PIECES; i++) {
            stream.write(new DefaultHttpChunk(ChannelBuffers.wrappedBuffer(new byte[PIECE])));
        }
        isWritten.countDown();
        Await.done(stream.getCloseFuture(), "the close of the stream");
        assertEquals(1, closes.get());
    }
}
