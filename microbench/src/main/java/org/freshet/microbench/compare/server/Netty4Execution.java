package org.freshet.microbench.compare.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.freshet.microbench.compare.load.SlowRequest;

/**
 * Netty 4.2's ways to run a blocking handler: in an executor group, which assigns each connection one thread forever,
 * or by handing each request to threads of one's own.
 */
final class Netty4Execution implements AutoCloseable {
    /** One of the two is null. */
    private final EventExecutorGroup group;

    private final ExecutorService threads;

    private Netty4Execution(EventExecutorGroup group, ExecutorService threads) {
        this.group = group;
        this.threads = threads;
    }

    static Netty4Execution of(Way way) {
        return switch (way) {
            case CHANNEL -> new Netty4Execution(new DefaultEventExecutorGroup(Way.THREADS), null);
            case UNORDERED, VIRTUAL -> new Netty4Execution(null, way.threads());
            default -> throw new IllegalArgumentException("Netty 4 has no such way: " + way);
        };
    }

    void addTo(ChannelPipeline pipeline, int maxMillis) {
        pipeline.addLast(group, new Blocking(maxMillis));
    }

    /** Abandons requests that still block. */
    @Override
    public void close() {
        if (threads != null) {
            threads.shutdownNow();
        } else {
            // Waits for requests in progress and abandons the rest, which the end of the process ends.
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    private final class Blocking extends ChannelInboundHandlerAdapter {
        private final int maxMillis;

        Blocking(int maxMillis) {
            this.maxMillis = maxMillis;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf buffer = (ByteBuf) message;
            SlowRequest request = SlowRequest.readFrom(buffer.nioBuffer());
            buffer.release();
            if (threads == null) {
                answer(context.channel(), request);
            } else {
                threads.execute(() -> answer(context.channel(), request));
            }
        }

        private void answer(Channel channel, SlowRequest request) {
            if (request.block(maxMillis)) {
                channel.writeAndFlush(Unpooled.wrappedBuffer(request.answer()));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
