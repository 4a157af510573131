package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;

/**
 * Handles what is sent downstream on the channel's I/O thread, in the order in which each thread sent it: what a session is
 * and what its compressor holds belong to that thread, and need no lock.
 */
final class OnIoThread {
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }

    private OnIoThread() {}

    /** Whether the event changes a session: a message, or a request to end the channel. */
    static boolean concerns(ChannelEvent e) {
        return e instanceof MessageEvent || isEndRequest(e);
    }

    static boolean isEndRequest(ChannelEvent e) {
        return e instanceof ChannelStateEvent request
                && (request.getState() == ChannelState.OPEN && Boolean.FALSE.equals(request.getValue())
                        || isUnset(request, ChannelState.CONNECTED)
                        || isUnset(request, ChannelState.BOUND));
    }

    private static boolean isUnset(ChannelStateEvent request, ChannelState state) {
        return request.getState() == state && request.getValue() == null;
    }

    /** Runs the task that handles the event: at once if the caller is the I/O thread. What it throws fails the event's future. */
    static void handle(ChannelHandlerContext ctx, ChannelEvent e, Task task) {
        ctx.getPipeline().execute(() -> run(ctx, e, task)).addListener(done -> {
            if (!done.isSuccess()) {
                e.getFuture().setFailure(done.getCause());
            }
        });
    }

    /** What the task throws fails the event's future. On the I/O thread. */
    static void run(ChannelHandlerContext ctx, ChannelEvent e, Task task) {
        try {
            task.run();
        } catch (Exception failure) {
            e.getFuture().setFailure(failure);
            Channels.fireExceptionCaught(ctx, failure);
        }
    }
}
