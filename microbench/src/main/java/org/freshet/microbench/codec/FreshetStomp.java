package org.freshet.microbench.codec;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.Channels;
import org.freshet.handler.codec.stomp.StompCommand;
import org.freshet.handler.codec.stomp.StompFrame;
import org.freshet.handler.codec.stomp.StompFrameEncoder;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's encoder, called like in a pipeline. */
final class FreshetStomp extends StompFrameEncoder implements StompEncodeBenchmark.Encoding {
    private final Channel channel = new FreshetChannel(Channels.pipeline());
    private final StompFrame frame = new StompFrame(StompCommand.MESSAGE);

    FreshetStomp(String[] headers, byte[] content) {
        for (int i = 0; i < headers.length; i += 2) {
            frame.headers().add(headers[i], headers[i + 1]);
        }
        frame.setContent(ChannelBuffers.wrappedBuffer(content));
    }

    @Override
    public int encode() throws Exception {
        return ((ChannelBuffer) encode(null, channel, frame)).readableBytes();
    }
}
