package org.freshet.handler.codec.http2;

import java.util.List;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.http.HttpRequest;
import org.freshet.testing.MemoryChannel;

/** For tests of the handlers that choose a protocol: which handlers a connection has, and which events these got. */
final class Choices {
    /** Removes the handler that made the choice when the connection is announced, before that handler does it itself. */
    static final class Remover extends SimpleChannelUpstreamHandler {
        @Override
        public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) throws Exception {
            ChannelPipeline pipeline = ctx.getPipeline();
            pipeline.getNames().stream()
                    .map(pipeline::get)
                    .filter(each -> each instanceof HttpServerChooser || each instanceof HttpClientChooser)
                    .forEach(pipeline::remove);
            super.channelConnected(ctx, e);
        }
    }

    private Choices() {}

    /** States and messages that reached the top, in order. */
    static List<String> events(MemoryChannel channel) {
        return channel.takeUpstream().stream()
                .map(Choices::describe)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static String describe(ChannelEvent e) {
        if (e instanceof ChannelStateEvent state) {
            boolean isBegin = state.getValue() != null && !Boolean.FALSE.equals(state.getValue());
            return (isBegin ? "" : "not ") + state.getState();
        }
        if (e instanceof MessageEvent message) {
            Object content = message.getMessage();
            return content instanceof HttpRequest request ? "request " + request.getUri() : content.toString();
        }
        return "";
    }

    static boolean has(MemoryChannel channel, Class<? extends ChannelHandler> handler) {
        return channel.getPipeline().get(handler) != null;
    }

    /** Pipelines whose handlers do nothing but have these names. */
    static ChannelPipelineFactory named(String... names) {
        return () -> {
            ChannelPipeline pipeline = Channels.pipeline();
            for (String name : names) {
                pipeline.addLast(name, new SimpleChannelUpstreamHandler());
            }
            return pipeline;
        };
    }
}
