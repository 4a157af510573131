package org.freshet.channel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Predicate;

/**
 * The links of a pipeline, from {@code bottom} (next to the transport) to {@code top} (next to the application). Knows places
 * and their order, not what handlers are for.
 *
 * <p><b>Threading.</b> Whoever changes links holds this object's monitor, and so do look-ups. Dispatch reads the links at any
 * moment without it. Therefore a new context is complete before it is linked in, and a leaving one gets its detour only after
 * its neighbours know each other; see {@link DefaultChannelHandlerContext}. Nothing here calls code of the user.
 *
 * <p>Names are found by walking: pipelines are short, and a map per connection would outweigh the rest.
 */
abstract class ContextChain {
    private volatile DefaultChannelHandlerContext bottom;

    private volatile DefaultChannelHandlerContext top;

    /**
     * Places whose handlers are being asked to leave, so that nobody else removes them meanwhile; null when there are none,
     * which is nearly always. Guarded by the monitor.
     */
    private List<DefaultChannelHandlerContext> leaving;

    /** Where a new context goes. */
    enum Place {
        FIRST,
        LAST,
        BEFORE,
        AFTER
    }

    final DefaultChannelHandlerContext bottom() {
        return bottom;
    }

    final DefaultChannelHandlerContext top() {
        return top;
    }

    // ---- finding: takes the monitor ----

    static Predicate<DefaultChannelHandlerContext> named(String name) {
        return ctx -> ctx.getName().equals(name);
    }

    static Predicate<DefaultChannelHandlerContext> holding(ChannelHandler handler) {
        return ctx -> ctx.getHandler() == handler;
    }

    static Predicate<DefaultChannelHandlerContext> ofType(Class<? extends ChannelHandler> type) {
        return ctx -> type.isInstance(ctx.getHandler());
    }

    /** The first match from the bottom, or null. */
    final synchronized DefaultChannelHandlerContext find(Predicate<DefaultChannelHandlerContext> wanted) {
        DefaultChannelHandlerContext ctx = bottom;
        while (ctx != null && !wanted.test(ctx)) {
            ctx = ctx.above;
        }
        return ctx;
    }

    /** Fails with {@code description} if there is no match. */
    final DefaultChannelHandlerContext require(Predicate<DefaultChannelHandlerContext> wanted, String description) {
        DefaultChannelHandlerContext ctx = find(wanted);
        if (ctx == null) {
            throw new NoSuchElementException(description);
        }
        return ctx;
    }

    final synchronized Map<String, ChannelHandler> handlersByName() {
        Map<String, ChannelHandler> handlers = new LinkedHashMap<>();
        for (DefaultChannelHandlerContext ctx = bottom; ctx != null; ctx = ctx.above) {
            handlers.put(ctx.getName(), ctx.getHandler());
        }
        return handlers;
    }

    // ---- checks: under the monitor, or just to fail early ----

    /** {@code toBeReplaced} may pass its name on. */
    final void checkFree(String name, DefaultChannelHandlerContext toBeReplaced) {
        DefaultChannelHandlerContext holder = find(named(name));
        if (holder != null && holder != toBeReplaced) {
            throw new IllegalArgumentException("name is taken: " + holder.label());
        }
    }

    final DefaultChannelHandlerContext requireBase(Place place, String baseName) {
        return place == Place.FIRST || place == Place.LAST ? null : require(named(baseName), baseName);
    }

    // ---- leaving is a state: under the monitor ----

    /** As {@link #require}, but a handler that is about to leave will not do. */
    final DefaultChannelHandlerContext requireStaying(
            Predicate<DefaultChannelHandlerContext> wanted, String description) {
        DefaultChannelHandlerContext ctx = require(wanted, description);
        if (isLeaving(ctx)) {
            throw new NoSuchElementException("is being removed already: " + ctx.label());
        }
        return ctx;
    }

    final boolean isLeaving(DefaultChannelHandlerContext ctx) {
        return leaving != null && leaving.contains(ctx);
    }

    final void beginLeaving(DefaultChannelHandlerContext ctx) {
        if (leaving == null) {
            leaving = new ArrayList<>(1);
        }
        leaving.add(ctx);
    }

    /** The handler is gone, or stays after all. Takes the monitor. */
    final synchronized void endLeaving(DefaultChannelHandlerContext ctx) {
        if (leaving != null && leaving.remove(ctx) && leaving.isEmpty()) {
            leaving = null;
        }
    }

    // ---- changing links: under the monitor ----

    final void insert(Place place, DefaultChannelHandlerContext base, DefaultChannelHandlerContext ctx) {
        switch (place) {
            case FIRST -> insertBetween(null, ctx, bottom);
            case LAST -> insertBetween(top, ctx, null);
            case BEFORE -> insertBetween(base.below, ctx, base);
            case AFTER -> insertBetween(base, ctx, base.above);
        }
    }

    final void cutOut(DefaultChannelHandlerContext ctx) {
        join(ctx.below, ctx.above);
        ctx.leave();
        endLeaving(ctx);
    }

    final void exchange(DefaultChannelHandlerContext old, DefaultChannelHandlerContext ctx) {
        insertBetween(old.below, ctx, old.above);
        old.leaveTo(ctx);
        endLeaving(old);
    }

    private void insertBetween(
            DefaultChannelHandlerContext below, DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext above) {
        ctx.below = below;
        ctx.above = above;
        join(below, ctx);
        join(ctx, above);
    }

    /** Makes two contexts neighbours; null stands for the end of the chain. */
    private void join(DefaultChannelHandlerContext below, DefaultChannelHandlerContext above) {
        if (below == null) {
            bottom = above;
        } else {
            below.above = above;
        }
        if (above == null) {
            top = below;
        } else {
            above.below = below;
        }
    }
}
