package org.freshet.microbench.codec;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.freshet.handler.codec.frame.FixedLengthFrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.replay.ReplayingDecoder;
import org.freshet.microbench.channel.FreshetChannel;

/** Freshet's frame decoders. */
final class FreshetFrames extends SimpleChannelUpstreamHandler implements FrameDecoding {
    private final Channel channel;
    private long frames;
    private long bytes;

    FreshetFrames(FrameKind kind, int frameBytes) {
        ChannelPipeline pipeline = Channels.pipeline();
        switch (kind) {
            case NONE -> {}
            case DELIMITER, DELIMITERS ->
                pipeline.addLast(
                        "frames",
                        new DelimiterBasedFrameDecoder(FrameKind.MAX_FRAME_BYTES, wrapped(kind.delimiters())));
            case LINE -> pipeline.addLast("frames", new LineBasedFrameDecoder(FrameKind.MAX_FRAME_BYTES));
            case FIXED_LENGTH -> pipeline.addLast("frames", new FixedLengthFrameDecoder(frameBytes));
            case LENGTH_FIELD ->
                pipeline.addLast(
                        "frames",
                        new LengthFieldBasedFrameDecoder(
                                FrameKind.MAX_FRAME_BYTES,
                                0,
                                FrameKind.LENGTH_FIELD_BYTES,
                                0,
                                FrameKind.LENGTH_FIELD_BYTES));
            case REPLAYING -> pipeline.addLast("frames", new Replaying());
        }
        pipeline.addLast("counter", this);
        channel = new FreshetChannel(pipeline);
    }

    private static ChannelBuffer[] wrapped(byte[][] delimiters) {
        ChannelBuffer[] buffers = new ChannelBuffer[delimiters.length];
        for (int i = 0; i < delimiters.length; i++) {
            buffers[i] = ChannelBuffers.wrappedBuffer(delimiters[i]);
        }
        return buffers;
    }

    @Override
    public void receive(byte[] stream, int offset, int length) {
        ChannelBuffer read = ChannelBuffers.buffer(length);
        read.writeBytes(stream, offset, length);
        Channels.fireMessageReceived(channel, read);
    }

    @Override
    public void messageReceived(ChannelHandlerContext context, MessageEvent event) {
        frames++;
        bytes += ((ChannelBuffer) event.getMessage()).readableBytes();
    }

    @Override
    public long frames() {
        return frames;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    private static final class Replaying extends ReplayingDecoder<Replaying.State> {
        private int length;

        enum State {
            LENGTH,
            CONTENT
        }

        Replaying() {
            super(State.LENGTH);
        }

        @Override
        protected Object decode(ChannelHandlerContext context, Channel channel, ChannelBuffer buffer, State state) {
            if (state == State.LENGTH) {
                length = buffer.readInt();
                checkpoint(State.CONTENT);
            }
            ChannelBuffer content = buffer.readBytes(length);
            checkpoint(State.LENGTH);
            return content;
        }
    }
}
