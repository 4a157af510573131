package org.freshet.microbench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.stomp.DefaultStompFrame;
import io.netty.handler.codec.stomp.StompCommand;
import io.netty.handler.codec.stomp.StompFrame;
import io.netty.handler.codec.stomp.StompSubframeEncoder;
import java.util.ArrayList;
import java.util.List;
import org.freshet.microbench.channel.Netty4Channel;

/** Netty 4.2's encoder, called like in a pipeline; its buffers come from the channel's allocator and are released. */
final class Netty4Stomp extends StompSubframeEncoder implements StompEncodeBenchmark.Encoding {
    private final Channel channel = Netty4Channel.create();
    private final List<Object> encoded = new ArrayList<>();
    private final ChannelHandlerContext context;
    private final StompFrame frame;

    Netty4Stomp(String[] headers, byte[] content) {
        frame = new DefaultStompFrame(StompCommand.MESSAGE, Unpooled.wrappedBuffer(content));
        for (int i = 0; i < headers.length; i += 2) {
            frame.headers().add(headers[i], headers[i + 1]);
        }
        channel.pipeline().addLast(new Discard());
        context = channel.pipeline().context(Discard.class);
    }

    @Override
    public int encode() throws Exception {
        encode(context, frame, encoded);
        int bytes = 0;
        for (Object part : encoded) {
            ByteBuf buffer = (ByteBuf) part;
            bytes += buffer.readableBytes();
            buffer.release();
        }
        encoded.clear();
        return bytes;
    }

    /** Gives the encoder a context. */
    private static final class Discard extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            promise.setSuccess();
        }
    }
}
