package org.freshet.handler.codec.spdy;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.internal.handler.Deadline;
import org.freshet.internal.handler.LingeringEnd;
import org.freshet.internal.request.SerialChannel;
import org.freshet.util.Timer;

/**
 * The lingering close of a server's session: the output ends, then the client closes, or this side does after two seconds.
 * Frames a client sends meanwhile, such as WINDOW_UPDATE, must find the socket open: otherwise a reset would discard the end of
 * the last answers. {@link SpdyFrameCodec} drops them.
 *
 * <p>I/O thread only.
 */
final class SpdyLinger {
    private static final long MOST_MILLIS = 2_000;

    private final ChannelHandlerContext ctx;
    private final Deadline deadline;

    /** The close request that waits for the client; null if no handler has made one. */
    private ChannelEvent close;

    /** Whether the channel was asked to close. */
    private boolean isOver;

    /**
     * @param close null if the session ends because of an error
     * @param timer null uses Freshet's own
     */
    SpdyLinger(ChannelHandlerContext ctx, ChannelEvent close, Timer timer) {
        this.ctx = ctx;
        this.close = close;
        Channel channel = ctx.getChannel();
        deadline = new Deadline(timer, MOST_MILLIS, each -> SerialChannel.executeUrgently(channel, each), this::end);
    }

    /** Ends the output after all earlier writes. */
    void begin() {
        Channels.noteCloseReason(ctx.getChannel(), CloseReason.LOCAL);
        LingeringEnd linger = new LingeringEnd();
        linger.begin(ctx, end -> {
            if (end.isSuccess()) {
                deadline.startAnyway();
            } else {
                end();
            }
        });
        SpdyFrameCodec codec = ctx.getPipeline().get(SpdyFrameCodec.class);
        if (codec != null) { // otherwise the frames come from a handler of the user
            codec.dropInput(linger);
        }
    }

    /** Returns whether this close request, the first, waits for the client, too. */
    boolean join(ChannelEvent request) {
        boolean isFirst = close == null && !isOver;
        if (isFirst) {
            close = request;
        }
        return isFirst;
    }

    /** Closes the channel. */
    void end() {
        if (!isOver) {
            isOver = true;
            SpdySession.passCloseOn(ctx, close);
        }
    }

    void onClosed() {
        deadline.cancel();
        isOver = true;
        if (close != null) {
            close.getFuture().setSuccess();
        }
    }
}
