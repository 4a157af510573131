package org.freshet.example.limits;

import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/** Answers a G with megabytes without checking whether the peer reads them; echoes everything else. */
@Sharable
final class GenerousHandler extends SimpleChannelUpstreamHandler {
    private static final int PIECE_BYTES = 16 * 1024;
    private static final int PIECES = 1024;

    private final AtomicLong asked = new AtomicLong();
    private final ChannelFutureListener onClosed;

    GenerousHandler(ChannelFutureListener onClosed) {
        this.onClosed = onClosed;
    }

    /** Returns the number of bytes that peers have requested. */
    long askedBytes() {
        return asked.get();
    }

    @Override
    public void channelOpen(ChannelHandlerContext ctx, ChannelStateEvent e) {
        e.getChannel().getCloseFuture().addListener(onClosed);
        ctx.sendUpstream(e);
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        ChannelBuffer request = (ChannelBuffer) e.getMessage();
        if (request.getByte(request.readerIndex()) == 'G') {
            answer(e.getChannel());
        } else {
            e.getChannel().write(request);
        }
    }

    private void answer(Channel channel) {
        asked.addAndGet((long) PIECES * PIECE_BYTES);
        for (int i = 0; i < PIECES; i++) {
            channel.write(
                    ChannelBuffers.wrappedBuffer(new byte[PIECE_BYTES])); // fails once the limit has closed the channel
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        e.getChannel().close();
    }
}
