package org.freshet.internal.handler;

import java.io.IOException;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.WriteOverflowException;
import org.freshet.internal.HeapReserve;

/**
 * Parts of messages that are written one by one. If a part is refused, for example because of a write limit, the connection ends: the peer
 * would take what follows for that part. Any thread may call any method.
 */
public final class MessagePart {
    /** Encodes a part and sends it down. */
    @FunctionalInterface
    public interface Step {
        void run(MessageEvent part) throws Exception;
    }

    private MessagePart() {}

    /**
     * Passes on a part. Before the part's future fails, the connection ends, so that no listener can write the next part.
     *
     * @param step gets the part with another future
     */
    public static void pass(ChannelHandlerContext ctx, MessageEvent part, Step step) throws Exception {
        ChannelFuture passed = Channels.future(ctx.getChannel());
        try {
            step.run(new DownstreamMessageEvent(ctx.getChannel(), passed, part.getMessage(), part.getRemoteAddress()));
        } catch (Error withoutMemory) { // the part may have been counted
            HeapReserve.onFailure(withoutMemory); // makes room for the close
            end(ctx, withoutMemory);
            throw withoutMemory;
        }
        passed.addListener(done -> {
            try {
                if (leavesGap(done.getCause())) {
                    end(ctx, done.getCause());
                }
            } finally {
                Holding.complete(part, done.getCause());
            }
        });
    }

    /**
     * Whether more could be sent after a part with this outcome; null means success. An IOException ends the output: the channel is closed,
     * or the transport closes it once everything that had arrived is read.
     */
    public static boolean leavesGap(Throwable cause) {
        return cause != null && !(cause instanceof IOException);
    }

    /** Ends the connection because a part was not sent. */
    public static void end(ChannelHandlerContext ctx, Throwable cause) {
        boolean isOverflow = cause instanceof WriteOverflowException;
        CloseReason.Kind kind = isOverflow ? CloseReason.Kind.OVERFLOW : CloseReason.Kind.WRITE_FAILED;
        Channels.close(ctx, Channels.future(ctx.getChannel()), CloseReason.of(kind, null, cause));
    }
}
