package org.freshet.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFactory;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.traffic.AbstractTrafficShapingHandler;
import org.freshet.handler.traffic.ChannelTrafficShapingHandler;
import org.freshet.handler.traffic.GlobalChannelTrafficShapingHandler;
import org.freshet.handler.traffic.TrafficCounter;
import org.freshet.util.HashedWheelTimer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Traffic shaping over sockets; each transport's tests extend this. Rates are tested elsewhere, on a fake clock. */
public abstract class TrafficShapingContract {
    private static final int MESSAGE_BYTES = 1000;
    private static final int MESSAGES = 200;

    private final HashedWheelTimer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final ServerBootstrap bootstrap = new ServerBootstrap(serverFactory());
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();

    /** Creates a new factory. */
    protected abstract ChannelFactory serverFactory();

    @AfterEach
    void release() {
        bootstrap.releaseExternalResources();
        timer.stop();
    }

    private ScriptedPeer connectTo(AbstractTrafficShapingHandler handler, Collector collector) throws IOException {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler, new Acceptance(), collector));
        return connect();
    }

    private ScriptedPeer connectTo(AbstractTrafficShapingHandler handler) throws IOException {
        bootstrap.setPipelineFactory(() -> Channels.pipeline(handler, new Acceptance()));
        return connect();
    }

    private ScriptedPeer connect() throws IOException {
        Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return ScriptedPeer.connect(server.getLocalAddress());
    }

    private Channel acceptedChannel() throws InterruptedException {
        return accepted.poll(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static byte[] content() {
        byte[] bytes = new byte[MESSAGES * MESSAGE_BYTES];
        Seeds.random().nextBytes(bytes);
        return bytes;
    }

    private static List<ChannelFuture> write(Channel channel, byte[] bytes) {
        List<ChannelFuture> written = new ArrayList<>();
        for (int i = 0; i < bytes.length; i += MESSAGE_BYTES) {
            written.add(channel.write(ChannelBuffers.wrappedBuffer(bytes, i, MESSAGE_BYTES)));
        }
        return written;
    }

    @Test
    void shouldSendAndCountQueuedWritesInOrder() throws Exception {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(timer, 1000, 0);
        handler.setMaxWriteSize(50_000);
        try (ScriptedPeer peer = connectTo(handler)) {
            Channel channel = acceptedChannel();
            byte[] sent = content();
            List<ChannelFuture> written = write(channel, sent);
            assertTrue(handler.queueSize() > 0);
            handler.setWriteLimit(1_000_000);
            assertArrayEquals(sent, peer.read(sent.length));
            written.forEach(future -> Await.success(future, "a write"));
            assertEquals(0, handler.queueSize());
            assertEquals(sent.length, handler.getTrafficCounter().getCumulativeWrittenBytes());
            Await.until(channel::isWritable, "the channel to be writable");
        }
    }

    @Test
    void shouldReportAFullQueueAndFailItWhenTheChannelCloses() throws Exception {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(timer, 1000, 0);
        handler.setMaxWriteSize(50_000);
        try (ScriptedPeer peer = connectTo(handler)) {
            Channel channel = acceptedChannel();
            List<ChannelFuture> written = write(channel, content());
            Await.until(() -> !channel.isWritable(), "the channel to be not writable");
            peer.read(MESSAGE_BYTES);
            Await.success(channel.close(), "a close");
            ChannelFuture last = written.get(MESSAGES - 1);
            assertInstanceOf(ClosedChannelException.class, Await.failure(last, "the last write"));
            written.forEach(future -> Await.done(future, "a write"));
            Await.until(() -> handler.queueSize() == 0, "the queue to be empty");
        }
    }

    @Test
    void shouldSendQueuedWritesWhenItIsRemoved() throws Exception {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(timer, 1000, 0);
        try (ScriptedPeer peer = connectTo(handler)) {
            Channel channel = acceptedChannel();
            byte[] sent = content();
            CompletableFuture<byte[]> received = CompletableFuture.supplyAsync(() -> read(peer, sent.length));
            write(channel, sent);
            assertTrue(handler.queueSize() > 0);
            channel.getPipeline().remove(handler);
            assertArrayEquals(sent, Await.result(received, "all that was written"));
        }
    }

    private static byte[] read(ScriptedPeer peer, int byteCount) {
        try {
            return peer.read(byteCount);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldPauseReadingAndResumeWhenItIsRemoved() throws Exception {
        ChannelTrafficShapingHandler handler = new ChannelTrafficShapingHandler(timer, 0, 100);
        Collector collector = new Collector();
        try (ScriptedPeer peer = connectTo(handler, collector)) {
            Channel channel = acceptedChannel();
            byte[] sent = content();
            peer.send(sent);
            Await.until(() -> !channel.isReadable(), "reading to pause");
            channel.getPipeline().remove(handler);
            Await.until(() -> collector.size() == sent.length, () -> "all bytes; received so far: " + collector.size());
            assertArrayEquals(sent, collector.bytes());
            assertTrue(channel.isReadable());
        }
    }

    @Test
    void shouldShareARateAmongConnectionsAndCountEach() throws Exception {
        GlobalChannelTrafficShapingHandler handler =
                new GlobalChannelTrafficShapingHandler(timer, 2_000_000, 0, 1_000_000, 0, 0);
        List<ScriptedPeer> peers = new ArrayList<>();
        try {
            ScriptedPeer first = connectTo(handler);
            peers.add(first);
            peers.add(ScriptedPeer.connect(first.remoteAddress()));
            peers.add(ScriptedPeer.connect(first.remoteAddress()));
            byte[] sent = content();
            for (int i = 0; i < peers.size(); i++) {
                write(acceptedChannel(), sent);
            }
            for (ScriptedPeer peer : peers) {
                assertArrayEquals(sent, peer.read(sent.length));
            }
            assertEquals(peers.size() * sent.length, handler.getTrafficCounter().getCumulativeWrittenBytes());
            assertEquals(peers.size(), handler.channelTrafficCounters().size());
            for (TrafficCounter counter : handler.channelTrafficCounters()) {
                assertEquals(sent.length, counter.getCumulativeWrittenBytes());
            }
        } finally {
            for (ScriptedPeer peer : peers) {
                peer.close();
            }
        }
        Await.until(() -> handler.channelTrafficCounters().isEmpty(), "the counters of closed channels to go");
        assertFalse(handler.queuesSize() > 0);
        handler.release();
    }

    /** Hands the channel to the test once the handler below has seen it. */
    private final class Acceptance extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
            accepted.add(ctx.getChannel());
        }
    }

    private static final class Collector extends SimpleChannelUpstreamHandler {
        private final ChannelBuffer all = ChannelBuffers.buffer(MESSAGES * MESSAGE_BYTES);
        private volatile int size;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
            all.writeBytes((ChannelBuffer) e.getMessage());
            size = all.readableBytes();
        }

        int size() {
            return size;
        }

        byte[] bytes() {
            return all.array();
        }
    }
}
