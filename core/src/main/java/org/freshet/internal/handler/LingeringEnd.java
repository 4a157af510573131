package org.freshet.internal.handler;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;

/**
 * The part of a lingering close that protocols share: ends the output, and drops input while the peer reads the last of it. Once the
 * output has ended, reading stops at a number of bytes: the peer is then held up by its own unsent bytes. The caller closes the channel
 * when the input has ended or time is up.
 *
 * <p>Any thread may begin it, once. The input belongs to the I/O thread.
 */
public final class LingeringEnd {
    public static final long DEFAULT_MAX_DROPPED_BYTES = 256 * 1024;

    private final long maxDroppedBytes;
    private volatile boolean isOutputEnded;

    // I/O thread only.
    private long droppedBytes;
    private boolean isReadingStopped;

    /** Drops up to 256 KiB. */
    public LingeringEnd() {
        this(DEFAULT_MAX_DROPPED_BYTES);
    }

    /** @param maxDroppedBytes 0 or more */
    public LingeringEnd(long maxDroppedBytes) {
        this.maxDroppedBytes = maxDroppedBytes;
    }

    /**
     * Requests the close, reads on, and ends the output after all earlier writes.
     *
     * @param ended notified when the output has ended, or could not be
     */
    public void begin(ChannelHandlerContext ctx, ChannelFutureListener ended) {
        Channel channel = ctx.getChannel();
        PendingClose.request(channel);
        ChannelFuture end = Channels.future(channel);
        end.addListener(done -> isOutputEnded = done.isSuccess());
        end.addListener(ended);
        Channels.setInterestOps(ctx, Channels.future(channel), Channel.OP_READ);
        Channels.shutdownOutput(ctx, end);
    }

    /** Drops a message. Only the bytes of buffers count. */
    public void drop(ChannelHandlerContext ctx, Object message) {
        droppedBytes += message instanceof ChannelBuffer bytes ? bytes.readableBytes() : 0;
        if (droppedBytes >= maxDroppedBytes && isOutputEnded && !isReadingStopped) {
            isReadingStopped = true;
            Channels.setInterestOps(ctx, Channels.future(ctx.getChannel()), Channel.OP_NONE);
        }
    }
}
