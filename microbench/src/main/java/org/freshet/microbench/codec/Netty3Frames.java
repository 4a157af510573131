package org.freshet.microbench.codec;

import org.freshet.microbench.channel.Netty3Channel;
import org.jboss.netty.buffer.ChannelBuffer;
import org.jboss.netty.buffer.ChannelBuffers;
import org.jboss.netty.channel.Channel;
import org.jboss.netty.channel.ChannelHandlerContext;
import org.jboss.netty.channel.ChannelPipeline;
import org.jboss.netty.channel.Channels;
import org.jboss.netty.channel.MessageEvent;
import org.jboss.netty.channel.SimpleChannelUpstreamHandler;
import org.jboss.netty.handler.codec.frame.DelimiterBasedFrameDecoder;
import org.jboss.netty.handler.codec.frame.FixedLengthFrameDecoder;
import org.jboss.netty.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.jboss.netty.handler.codec.frame.LineBasedFrameDecoder;
import org.jboss.netty.handler.codec.replay.ReplayingDecoder;

/** Netty 3's frame decoders. */
final class Netty3Frames extends SimpleChannelUpstreamHandler implements FrameDecoding {
    private final Channel channel;
    private long frames;
    private long bytes;

    Netty3Frames(FrameKind kind, int frameBytes) {
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
        channel = new Netty3Channel(pipeline);
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
