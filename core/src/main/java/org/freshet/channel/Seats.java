package org.freshet.channel;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Knows which place each exclusive handler occupies. A place counts while it is in the pipeline of an open channel.
 *
 * <p>Handlers that extend our Simple handlers carry the mark themselves. The others share a table, at about 70 bytes a handler,
 * which refers to them weakly: a channel that is dropped without being closed does not stay for the table's sake.
 *
 * <p>All methods may be called from any thread and do not block.
 */
final class Seats {
    private static final ConcurrentMap<Entry, Entry> TABLE = new ConcurrentHashMap<>();

    private static final ReferenceQueue<DefaultChannelHandlerContext> COLLECTED = new ReferenceQueue<>();

    private Seats() {}

    /**
     * Takes the seat of {@code ctx}'s handler for {@code ctx}.
     *
     * @param leaver a place that the handler is about to give up, or null
     * @return null, or the place that the handler occupies and keeps
     */
    static DefaultChannelHandlerContext take(DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext leaver) {
        return ctx.getHandler() instanceof SeatedHandler handler
                ? takeMark(handler, ctx, leaver)
                : takeEntry(ctx, leaver);
    }

    /** Gives the seat up, if {@code ctx} has it. */
    static void leave(DefaultChannelHandlerContext ctx) {
        if (ctx.getHandler() instanceof SeatedHandler handler) {
            handler.changeSeat(ctx, null);
        } else {
            TABLE.computeIfPresent(new Entry(ctx), (key, entry) -> entry.get() == ctx ? null : entry);
        }
    }

    /** The place that the handler occupies, or null. */
    static DefaultChannelHandlerContext occupiedBy(DefaultChannelHandlerContext asking) {
        DefaultChannelHandlerContext ctx;
        if (asking.getHandler() instanceof SeatedHandler handler) {
            ctx = handler.seat();
        } else {
            Entry entry = TABLE.get(new Entry(asking));
            ctx = entry == null ? null : entry.get();
        }
        return counts(ctx) ? ctx : null;
    }

    /** A channel's close empties its seats, but a handler that is added at that very moment may miss it. */
    private static boolean counts(DefaultChannelHandlerContext ctx) {
        if (ctx == null) {
            return false;
        }
        Channel channel = ctx.getChannel();
        return channel != null && channel.isOpen();
    }

    // ---- marks ----

    private static DefaultChannelHandlerContext takeMark(
            SeatedHandler handler, DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext leaver) {
        while (true) {
            DefaultChannelHandlerContext current = handler.seat();
            if (current == ctx) {
                return null;
            }
            if (current != leaver && counts(current)) {
                return current;
            }
            if (handler.changeSeat(current, ctx)) {
                return null;
            }
        }
    }

    // ---- the table ----

    private static DefaultChannelHandlerContext takeEntry(
            DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext leaver) {
        forgetCollected();
        Entry mine = new Entry(ctx, COLLECTED);
        while (true) {
            Entry theirs = TABLE.putIfAbsent(mine, mine);
            DefaultChannelHandlerContext current = theirs == null ? null : theirs.get();
            if (theirs == null || current == ctx) {
                return null;
            }
            if (current != leaver && counts(current)) {
                return current;
            }
            TABLE.computeIfPresent(theirs, (key, entry) -> entry == theirs ? null : entry);
        }
    }

    private static void forgetCollected() {
        for (Reference<?> entry = COLLECTED.poll(); entry != null; entry = COLLECTED.poll()) {
            TABLE.remove(entry);
        }
    }

    /** Key and value in one. Equal to another one of the same handler; once collected, to itself alone. */
    private static final class Entry extends WeakReference<DefaultChannelHandlerContext> {
        private final int handlerHash;

        /** To look another one up. */
        Entry(DefaultChannelHandlerContext ctx) {
            this(ctx, null);
        }

        Entry(DefaultChannelHandlerContext ctx, ReferenceQueue<DefaultChannelHandlerContext> queue) {
            super(ctx, queue);
            this.handlerHash = System.identityHashCode(ctx.getHandler());
        }

        @Override
        public int hashCode() {
            return handlerHash;
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            DefaultChannelHandlerContext ctx = get();
            DefaultChannelHandlerContext otherCtx = other instanceof Entry entry ? entry.get() : null;
            return ctx != null && otherCtx != null && ctx.getHandler() == otherCtx.getHandler();
        }
    }
}
