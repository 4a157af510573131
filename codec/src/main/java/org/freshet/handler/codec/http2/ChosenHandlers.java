package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.internal.IoThreadBound;
import org.freshet.internal.request.SerialChannel;

/**
 * Replaces a handler that had to find out which protocol a connection uses. Keeps the events until then, and sends them to the
 * new handlers.
 *
 * <p>One instance per connection; belongs to its pipeline's I/O thread.
 */
final class ChosenHandlers {
    /** Adds the handlers. May throw anything that a factory or a handler throws. */
    interface Addition {
        void run() throws Exception;
    }

    /** The events before the choice; null after it. */
    private ArrayDeque<ChannelEvent> before = new ArrayDeque<>(4);

    /** Whether the choice has been made, even if adding the handlers failed. */
    boolean isMade() {
        return before == null;
    }

    void keep(ChannelEvent e) {
        before.add(e);
    }

    /** Sends the kept events to the handlers above. */
    void passOn(ChannelHandlerContext ctx) {
        ArrayDeque<ChannelEvent> events = before;
        before = null;
        events.forEach(ctx::sendUpstream);
    }

    /**
     * Runs a task for a handler that is removed, after the I/O thread's current work, unless the handler is back by then: it may only have
     * been moved or renamed.
     *
     * @return fails if the I/O thread has ended
     */
    static ChannelFuture whenGone(ChannelHandlerContext ctx, Runnable task) {
        ChannelPipeline pipeline = ctx.getPipeline();
        Runnable check = () -> {
            if (pipeline.getContext(ctx.getHandler()) == null) {
                task.run();
            }
        };
        return pipeline.execute(() -> {
            if (ctx.getChannel() instanceof IoThreadBound bound) {
                bound.runLater(check);
            } else if (ctx.getChannel() instanceof SerialChannel serial) {
                serial.serialExecutor().execute(check);
            } else {
                check.run();
            }
        });
    }

    /** Returns true if the handlers were added. If not, the connection has been given up. */
    boolean add(ChannelHandlerContext ctx, Addition addition) {
        List<String> others = ctx.getPipeline().getNames();
        try {
            addition.run();
            return true;
        } catch (Throwable e) { // from a factory, or from a handler that is being added
            fail(ctx, others, e);
            return false;
        }
    }

    /** The handlers already added know nothing of the connection yet, and must not stand in for the missing ones. */
    private void fail(ChannelHandlerContext ctx, List<String> others, Throwable cause) {
        removeAllBut(others, ctx.getPipeline(), cause);
        passOn(ctx);
        Channel channel = ctx.getChannel();
        Channels.noteCloseReason(channel, CloseReason.of(CloseReason.Kind.HANDLER_FAILED, null, cause));
        Channels.fireExceptionCaught(ctx, cause);
        Channels.close(ctx, Channels.future(channel));
    }

    private static void removeAllBut(List<String> others, ChannelPipeline pipeline, Throwable cause) {
        for (String name : pipeline.getNames()) {
            try {
                if (!others.contains(name) && pipeline.get(name) != null) {
                    pipeline.remove(name);
                }
            } catch (Throwable e) {
                cause.addSuppressed(e);
            }
        }
    }

    /**
     * Moves the handlers of a pipeline after the one of the context. The last is moved first, so each finds the handlers it
     * needs above it: the channel is already connected. A handler that was added may add others, as it did in its old pipeline;
     * these are not added twice.
     */
    static void move(ChannelHandlerContext ctx, ChannelPipeline from) {
        ChannelPipeline pipeline = ctx.getPipeline();
        Map<String, ChannelHandler> handlers = emptied(from);
        List<String> names = new ArrayList<>(handlers.keySet());
        Collections.reverse(names);
        Map<String, ChannelHandler> earlier = pipeline.toMap();
        for (String name : names) {
            ChannelHandler handler = handlers.get(name);
            if (!earlier.containsKey(name) && isSimilar(handler, pipeline.get(name))) {
                continue;
            }
            pipeline.addAfter(ctx.getName(), freeName(pipeline, name), handler);
        }
    }

    private static boolean isSimilar(ChannelHandler handler, ChannelHandler added) {
        return added != null && added.getClass() == handler.getClass();
    }

    /** Removes all handlers, because a handler may be in only one pipeline at a time. */
    private static Map<String, ChannelHandler> emptied(ChannelPipeline pipeline) {
        Map<String, ChannelHandler> handlers = pipeline.toMap();
        for (String name : handlers.keySet()) {
            if (pipeline.get(name) != null) { // unless another handler removed it along with itself
                pipeline.remove(name);
            }
        }
        return handlers;
    }

    /** Returns a name that no handler of the pipeline has. */
    static String freeName(ChannelPipeline pipeline, String wanted) {
        String name = wanted;
        for (int i = 2; pipeline.get(name) != null; i++) {
            name = wanted + '-' + i;
        }
        return name;
    }
}
