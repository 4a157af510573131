package org.freshet.handler.codec.http.websocketx;

import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.http.HttpRequestDecoder;
import org.freshet.handler.codec.http.HttpResponseEncoder;
import org.freshet.handler.codec.http.HttpServerCodec;
import org.freshet.handler.codec.http.server.LingeringCloseHandler;
import org.freshet.util.Timer;

/**
 * Has a server's connection closed in stages, so that a client which is still sending reads why. The handler that does it is added
 * when it is needed: few connections ever do. Stateless; any thread.
 */
final class LingeringClose {
    private LingeringClose() {}

    /**
     * To be called before the close.
     *
     * @param timer null for the JDK's
     */
    static void prepare(ChannelPipeline pipeline, Timer timer) {
        String lowest = lowestCodec(pipeline);
        if (lowest != null && pipeline.get(LingeringCloseHandler.class) == null) {
            pipeline.addBefore(lowest, LingeringCloseHandler.class.getName(), new LingeringCloseHandler(timer));
        }
    }

    /** What is below deals with bytes. Null if the pipeline is none that this package has made, or knows. */
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
