package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.LingeringCloseHandler;
import org.freshet.util.Timer;

/**
 * Prepares a lingering close of a server's connection: a client that is still sending gets to read why. The handler is added
 * only when needed, because few connections ever need it. Stateless; any thread.
 */
final class LingeringClose {
    private LingeringClose() {}

    /**
     * Call this before the close.
     *
     * @param timer null uses Freshet's own
     */
    static void prepare(ChannelPipeline pipeline, Timer timer) {
        String lowest = lowestCodec(pipeline);
        if (lowest != null && pipeline.get(LingeringCloseHandler.class) == null) {
            pipeline.addBefore(lowest, LingeringCloseHandler.class.getName(), new LingeringCloseHandler(timer));
        }
    }

    /** The lowest handler that turns bytes into messages. Null if the pipeline has no codec known to this package. */
    private static String lowestCodec(ChannelPipeline pipeline) {
        for (String name : pipeline.getNames()) {
            if (isCodec(pipeline.get(name))) {
                return name;
            }
        }
        return null;
    }

    private static boolean isCodec(ChannelHandler handler) {
        return handler instanceof HttpServerCodec
                || handler instanceof HttpRequestDecoder
                || handler instanceof HttpResponseEncoder
                || handler instanceof WebSocket08FrameDecoder
                || handler instanceof WebSocket08FrameEncoder;
    }
}
