package org.freshet.microbench.channel;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelDownstreamHandler;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** A Freshet pipeline. */
final class FreshetDispatch implements PipelineDispatchBenchmark.Dispatch {
    private final FreshetChannel channel;
    private Object received;

    FreshetDispatch(int handlers) {
        ChannelPipeline pipeline = Channels.pipeline();
        for (int i = 0; i < handlers; i++) {
            pipeline.addLast("down" + i, down(i));
            pipeline.addLast("up" + i, i == handlers - 1 ? new Last() : up(i));
        }
        channel = new FreshetChannel(pipeline);
    }

    @Override
    public Object up(Object message) {
        Channels.fireMessageReceived(channel, message);
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

    private abstract static class Up extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            context.sendUpstream(event);
        }
    }

    private abstract static class Down extends SimpleChannelDownstreamHandler {
        @Override
        public void writeRequested(ChannelHandlerContext context, MessageEvent event) {
            context.sendDownstream(event);
        }
    }

    private final class Last extends SimpleChannelUpstreamHandler {
        @Override
        public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
            received = event.getMessage();
        }
    }
}
