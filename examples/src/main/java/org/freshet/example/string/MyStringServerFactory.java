package org.freshet.example.string;

import java.nio.charset.StandardCharsets;
import org.freshet.channel.ChannelPipelineFactory;
import org.freshet.channel.SharingPipelineFactory;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.Delimiters;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;
import org.freshet.handler.traffic.BackPressureHandler;

/**
 * Makes a pipeline for each connection. The string codec and the handler are stateless, so all connections share one
 * instance of each. Each gets its own frame decoder, because that keeps the unfinished line. The annotation on each
 * class says which kind it is.
 */
final class MyStringServerFactory {
    private static final int MAX_LINE_BYTES = 80;

    private MyStringServerFactory() {}

    static ChannelPipelineFactory create() {
        return SharingPipelineFactory.builder()
                .add("backPressure", BackPressureHandler.class)
                .add("framer", () -> new DelimiterBasedFrameDecoder(MAX_LINE_BYTES, Delimiters.lineDelimiter()))
                .add("decoder", () -> new StringDecoder(StandardCharsets.UTF_8))
                .add("encoder", () -> new StringEncoder(StandardCharsets.UTF_8))
                .add("handler", new UpperCaseHandler())
                .build();
    }
}
