package org.freshet.example.string;

import java.nio.charset.StandardCharsets;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.traffic.BackPressureHandler;

/**
 * Makes a pipeline for each connection: one string codec and one handler for all of them, for these keep no state, and a
 * frame decoder of its own for each, for that keeps the line that has not ended.
 */
final class MyStringServerFactory implements ChannelPipelineFactory {
    private static final int MAX_LINE_BYTES = 80;

    private final StringDecoder decoder = new StringDecoder(StandardCharsets.UTF_8);
    private final StringEncoder encoder = new StringEncoder(StandardCharsets.UTF_8);
    private final UpperCaseHandler handler = new UpperCaseHandler();

    @Override
    public ChannelPipeline getPipeline() {
        ChannelPipeline pipeline = Channels.pipeline();
        pipeline.addLast("backPressure", new BackPressureHandler());
        pipeline.addLast("framer", new DelimiterBasedFrameDecoder(MAX_LINE_BYTES, Delimiters.lineDelimiter()));
        pipeline.addLast("decoder", decoder);
        pipeline.addLast("encoder", encoder);
        pipeline.addLast("handler", handler);
        return pipeline;
    }
}
