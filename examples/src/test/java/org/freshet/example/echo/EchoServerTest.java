package org.freshet.example.echo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.bootstrap.ServerBootstrap;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.testing.Await;
import org.freshet.testing.ScriptedPeer;
import org.junit.jupiter.api.Test;

/** The first server that a new user pastes. */
class EchoServerTest {
    private static final int BYTES = 128 * 1024 * 1024;

    /** The high water mark, plus one read. */
    private static final int MOST_PENDING_BYTES = 2 * 64 * 1024;

    /** Counts the pending bytes of one connection: written but not yet sent. */
    private static final class PendingBytes extends SimpleChannelHandler {
        final AtomicLong now = new AtomicLong();
        final AtomicLong most = new AtomicLong();

        volatile Channel channel;

        @Override
        public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            channel = ctx.getChannel();
            super.messageReceived(ctx, e);
        }

        @Override
        public void writeRequested(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
            int bytes = ((ChannelBuffer) e.getMessage()).readableBytes();
            most.accumulateAndGet(now.addAndGet(bytes), Math::max);
            e.getFuture().addListener(written -> now.addAndGet(-bytes));
            super.writeRequested(ctx, e);
        }
    }

    @Test
    void shouldQueueLittleForAClientThatSendsMuchAndReadsNothing() throws Exception {
        PendingBytes pending = new PendingBytes();
        ServerBootstrap bootstrap = EchoServer.newBootstrap();
        ChannelPipelineFactory pipelines = bootstrap.getPipelineFactory();
        bootstrap.setPipelineFactory(() -> {
            ChannelPipeline pipeline = pipelines.getPipeline();
            pipeline.addFirst("pendingBytes", pending);
            return pipeline;
        });
        try {
            Channel server = bootstrap.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ScriptedPeer peer = ScriptedPeer.connect(server.getLocalAddress())) {
                CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(peer));
                Await.until(
                        () -> pending.channel != null && !pending.channel.isReadable(),
                        () -> "the server to stop reading; pending bytes: " + pending.most);
                assertEquals(BYTES, readAll(peer));
                Await.result(sent, "the client to have sent all");
            }
        } finally {
            bootstrap.releaseExternalResources();
        }
        assertTrue(pending.most.get() <= MOST_PENDING_BYTES, "pending bytes: " + pending.most);
    }

    private static void send(ScriptedPeer peer) {
        byte[] chunk = new byte[64 * 1024];
        try {
            OutputStream out = peer.socket().getOutputStream();
            for (int sent = 0; sent < BYTES; sent += chunk.length) {
                out.write(chunk);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long readAll(ScriptedPeer peer) throws IOException {
        InputStream in = peer.socket().getInputStream();
        long received = 0;
        byte[] bytes = new byte[64 * 1024];
        while (received < BYTES) {
            int length = in.read(bytes);
            if (length < 0) {
                break;
            }
            received += length;
        }
        return received;
    }
}
