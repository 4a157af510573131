package org.freshet.handler.codec.spdy;

import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelState;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;

/**
 * Handles downstream events on the channel's I/O thread, in the order in which each thread sent them. The state of a session
 * and of its compressors belongs to that thread and needs no lock.
 */
final class OnIoThread {
    @FunctionalInterface
    interface Task {
        void run() throws Exception;
    }

    private OnIoThread() {}

    /** Whether the event affects a session: a message, or a request to end the channel. */
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

    /**
     * Runs the task that handles the event: immediately if the caller is the I/O thread. If the task throws, the event's future
     * fails.
     */
    static void handle(ChannelHandlerContext ctx, ChannelEvent e, Task task) {
        ctx.getPipeline().execute(() -> run(ctx, e, task)).addListener(done -> {
            if (!done.isSuccess()) {
                e.getFuture().setFailure(done.getCause());
            }
        });
    }

    /** Runs the task on the I/O thread. If the task throws, the event's future fails. */
    static void run(ChannelHandlerContext ctx, ChannelEvent e, Task task) {
        try {
            task.run();
        } catch (Exception failure) {
            e.getFuture().setFailure(failure);
            Channels.fireExceptionCaught(ctx, failure);
        }
    }
}
