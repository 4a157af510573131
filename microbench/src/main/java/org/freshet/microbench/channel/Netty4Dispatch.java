package org.freshet.microbench.channel;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;

/** A Netty 4.2 pipeline. */
final class Netty4Dispatch implements PipelineDispatchBenchmark.Dispatch {
    private final Channel channel = Netty4Channel.create();
    private Object received;

    Netty4Dispatch(int handlers) {
        channel.pipeline().addLast(new Succeeding());
        for (int i = 0; i < handlers; i++) {
            channel.pipeline().addLast(down(i));
            channel.pipeline().addLast(i == handlers - 1 ? new Last() : up(i));
        }
    }

    @Override
    public Object up(Object message) {
        channel.pipeline().fireChannelRead(message);
        return received;
    }

    @Override
    public Object down(Object message) {
        return channel.write(message);
    }

    private static ChannelHandler up(int index) {
        return switch (index % 4) {
            case 0 -> new Up() {};
            case 1 -> new Up() {};
            case 2 -> new Up() {};
            default -> new Up() {};
        };
    }

    private static ChannelHandler down(int index) {
        return switch (index % 4) {
            case 0 -> new Down() {};
            case 1 -> new Down() {};
            case 2 -> new Down() {};
            default -> new Down() {};
        };
    }

    private abstract static class Up extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.fireChannelRead(message);
        }
    }

    private abstract static class Down extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            context.write(message, promise);
        }
    }

    private final class Last extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            received = message;
        }
    }

    /** Placed before the transport, like the sink in Netty 3 and Freshet. */
    private static final class Succeeding extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            promise.setSuccess();
        }
    }
}
