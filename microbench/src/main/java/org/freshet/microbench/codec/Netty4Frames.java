package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DelimiterBasedFrameDecoder;
import io.netty.handler.codec.FixedLengthFrameDecoder;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.ReplayingDecoder;
import java.util.List;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's frame decoders. Reads are pooled as in its transport, and frames are slices that share them. */
final class Netty4Frames extends ChannelInboundHandlerAdapter implements FrameDecoding {
    private final Channel channel = Netty4Channel.create();
    private long frames;
    private long bytes;

    Netty4Frames(FrameKind kind, int frameBytes) {
        ChannelPipeline pipeline = channel.pipeline();
        switch (kind) {
            case NONE -> {}
            case DELIMITER, DELIMITERS ->
                pipeline.addLast(new DelimiterBasedFrameDecoder(FrameKind.MAX_FRAME_BYTES, wrapped(kind.delimiters())));
            case LINE -> pipeline.addLast(new LineBasedFrameDecoder(FrameKind.MAX_FRAME_BYTES));
            case FIXED_LENGTH -> pipeline.addLast(new FixedLengthFrameDecoder(frameBytes));
            case LENGTH_FIELD ->
                pipeline.addLast(new LengthFieldBasedFrameDecoder(
                        FrameKind.MAX_FRAME_BYTES, 0, FrameKind.LENGTH_FIELD_BYTES, 0, FrameKind.LENGTH_FIELD_BYTES));
            case REPLAYING -> pipeline.addLast(new Replaying());
        }
        pipeline.addLast(this);
    }

    private static ByteBuf[] wrapped(byte[][] delimiters) {
        ByteBuf[] buffers = new ByteBuf[delimiters.length];
        for (int i = 0; i < delimiters.length; i++) {
            buffers[i] = Unpooled.wrappedBuffer(delimiters[i]);
        }
        return buffers;
    }

    @Override
    public void receive(byte[] stream, int offset, int length) {
        channel.pipeline()
                .fireChannelRead(channel.alloc().ioBuffer(length).writeBytes(stream, offset, length))
                .fireChannelReadComplete();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf frame = (ByteBuf) message;
        frames++;
        bytes += frame.readableBytes();
        frame.release();
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
        protected void decode(ChannelHandlerContext context, ByteBuf buffer, List<Object> out) {
            if (state() == State.LENGTH) {
                length = buffer.readInt();
                checkpoint(State.CONTENT);
            }
            ByteBuf content = buffer.readRetainedSlice(length);
            checkpoint(State.LENGTH);
            out.add(content);
        }
    }
}
