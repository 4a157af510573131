package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;

/**
 * Replaces a handler that had to find out which protocol the connection speaks. Keeps the events until then, and sends them to the new
 * handlers.
 *
 * <p>One for each connection; belongs to its pipeline's I/O thread.
 */
final class ChosenHandlers {
    /** Adds the handlers. May throw what a factory or a handler throws. */
    interface Addition {
        void run() throws Exception;
    }

    /** What happened before the choice; null after it. */
    private ArrayDeque<ChannelEvent> before = new ArrayDeque<>(4);

    /** Whether there is a choice, for good or ill. */
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

    /** Returns whether the handlers are there; otherwise the connection has been given up. */
    boolean add(ChannelHandlerContext ctx, Addition addition) {
        List<String> others = ctx.getPipeline().getNames();
        try {
            addition.run();
            return true;
        } catch (Throwable e) { // of a factory, or of a handler that is being added
            fail(ctx, others, e);
            return false;
        }
    }

    /** The handlers that were added know nothing of the connection yet, and must not answer for those that are missing. */
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
     * Moves the handlers of a pipeline behind that of the context. The last one first, so that each finds those that it needs above it: the
     * channel is connected already. A handler that is added may add others, as it did in the pipeline that it comes from; these are not
     * added again.
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

    /** A handler may be in one pipeline at a time. */
    private static Map<String, ChannelHandler> emptied(ChannelPipeline pipeline) {
        Map<String, ChannelHandler> handlers = pipeline.toMap();
        for (String name : handlers.keySet()) {
            if (pipeline.get(name) != null) { // unless another took it along
                pipeline.remove(name);
            }
        }
        return handlers;
    }

    /** A name that no handler of the pipeline has. */
    static String freeName(ChannelPipeline pipeline, String wanted) {
        String name = wanted;
        for (int i = 2; pipeline.get(name) != null; i++) {
            name = wanted + '-' + i;
        }
        return name;
    }
}
