package org.freshet.channel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The doubly linked list of a pipeline's contexts, from {@code bottom} (next to the transport) to {@code top} (next to the application).
 *
 * <p><b>Threading.</b> Changes and look-ups hold this object's monitor; dispatch reads the links at any moment without it. Therefore a new
 * context is complete before it is linked in, and a removed one starts to forward only after its neighbours are linked to each other; see
 * {@link DefaultChannelHandlerContext}. Nothing here calls user code.
 *
 * <p>Look-ups are linear: pipelines are short, and a map per connection would take more memory than the rest.
 */
abstract class ContextList {
    /**
     * Contexts of any list whose removal has started and whose handler's {@code beforeRemove} is running; no other thread may remove them.
     * There are few at any time, so no list needs a field for them. Changed under the monitor of the context's list.
     */
    private static final Set<DefaultChannelHandlerContext> REMOVING = ConcurrentHashMap.newKeySet();

    private volatile DefaultChannelHandlerContext bottom;

    private volatile DefaultChannelHandlerContext top;

    /** Bits of the events that one of the handlers may act on; all if there is no upstream handler. Changed under the monitor. */
    private volatile int seenEvents = SeenEvents.ALL;

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

    /** See {@link SeenEvents}. Any thread. */
    final int seenEvents() {
        return seenEvents;
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

    /** Throws NoSuchElementException with {@code description} if there is no match. */
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

    /** Refuses a name that a context other than {@code toBeReplaced} has. */
    final void checkFree(String name, DefaultChannelHandlerContext toBeReplaced) {
        DefaultChannelHandlerContext holder = bottom == null ? null : find(named(name));
        if (holder != null && holder != toBeReplaced) {
            throw new IllegalArgumentException("name is taken: " + holder.label());
        }
    }

    final DefaultChannelHandlerContext requireBase(Place place, String baseName) {
        return place == Place.FIRST || place == Place.LAST ? null : require(named(baseName), baseName);
    }

    // ---- removals in progress: under the monitor ----

    /** Like {@link #require}, but also fails for a context that is being removed. */
    final DefaultChannelHandlerContext requireNotRemoving(
            Predicate<DefaultChannelHandlerContext> wanted, String description) {
        DefaultChannelHandlerContext ctx = require(wanted, description);
        if (isRemoving(ctx)) {
            throw new NoSuchElementException("is already being removed: " + ctx.label());
        }
        return ctx;
    }

    final boolean isRemoving(DefaultChannelHandlerContext ctx) {
        return REMOVING.contains(ctx);
    }

    final void beginRemoving(DefaultChannelHandlerContext ctx) {
        try {
            REMOVING.add(ctx);
        } catch (Throwable t) { // it may run out of memory after adding
            REMOVING.remove(ctx);
            throw t;
        }
    }

    /** Called when the context is unlinked or its removal was refused. Takes the monitor. */
    final synchronized void endRemoving(DefaultChannelHandlerContext ctx) {
        REMOVING.remove(ctx);
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

    final void remove(DefaultChannelHandlerContext ctx) {
        try {
            join(ctx.below, ctx.above);
            ctx.forwardToNeighbours();
        } finally { // without memory, too: the set would keep the channel for good
            endRemoving(ctx);
        }
        determineSeenEvents();
    }

    final void exchange(DefaultChannelHandlerContext old, DefaultChannelHandlerContext ctx) {
        try {
            insertBetween(old.below, ctx, old.above);
            old.forwardTo(ctx);
        } finally {
            endRemoving(old);
        }
        determineSeenEvents();
    }

    private void insertBetween(
            DefaultChannelHandlerContext below, DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext above) {
        ctx.below = below;
        ctx.above = above;
        if (ctx.upstream != null) { // before it is linked: from then on it must miss nothing
            int seen = SeenEvents.by(ctx.upstream);
            boolean isFirst = DefaultChannelHandlerContext.upstreamFrom(bottom) == null;
            seenEvents = isFirst ? seen : seenEvents | seen;
        }
        join(below, ctx);
        join(ctx, above);
    }

    private void determineSeenEvents() {
        int seen = 0;
        DefaultChannelHandlerContext ctx = DefaultChannelHandlerContext.upstreamFrom(bottom);
        boolean isEmpty = ctx == null;
        for (; ctx != null; ctx = DefaultChannelHandlerContext.upstreamFrom(ctx.above)) {
            seen |= SeenEvents.by(ctx.upstream);
        }
        seenEvents = isEmpty ? SeenEvents.ALL : seen;
    }

    /** Makes two contexts neighbours; null means the end of the list. */
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
