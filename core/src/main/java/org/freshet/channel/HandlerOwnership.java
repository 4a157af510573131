package org.freshet.channel;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Records which context owns a handler that may be in only one pipeline at a time. A context owns its handler while it is in the pipeline
 * of an open channel.
 *
 * <p>Handlers that extend our Simple handlers hold the reference to their owner themselves. The others share a table, at about 70 bytes per
 * handler. It refers to contexts weakly, so it does not keep alive a channel that was dropped without being closed.
 *
 * <p>Any thread may call any method; none of them blocks.
 */
final class HandlerOwnership {
    private static final ConcurrentMap<Entry, Entry> TABLE = new ConcurrentHashMap<>();

    private static final ReferenceQueue<DefaultChannelHandlerContext> COLLECTED = new ReferenceQueue<>();

    private HandlerOwnership() {}

    /**
     * Makes {@code ctx} the owner of its handler, unless another context owns it.
     *
     * @param previous an owner that {@code ctx} is about to replace, or null
     * @return null, or the context that owns the handler and keeps it
     */
    static DefaultChannelHandlerContext acquire(
            DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext previous) {
        return ctx.getHandler() instanceof OwnableHandler handler
                ? acquireField(handler, ctx, previous)
                : acquireEntry(ctx, previous);
    }

    /** Ends the ownership of {@code ctx}, if it is the owner. */
    static void release(DefaultChannelHandlerContext ctx) {
        if (ctx.getHandler() instanceof OwnableHandler handler) {
            handler.changeOwner(ctx, null);
        } else {
            TABLE.computeIfPresent(new Entry(ctx), (key, entry) -> entry.get() == ctx ? null : entry);
        }
    }

    /** Returns the context that owns the handler of {@code asking}; null if no context owns it. */
    static DefaultChannelHandlerContext ownerOf(DefaultChannelHandlerContext asking) {
        DefaultChannelHandlerContext owner;
        if (asking.getHandler() instanceof OwnableHandler handler) {
            owner = handler.owner();
        } else {
            Entry entry = TABLE.get(new Entry(asking));
            owner = entry == null ? null : entry.get();
        }
        return isLive(owner) ? owner : null;
    }

    /** A channel releases its handlers when it closes, but may miss a handler that is being added at that moment. */
    private static boolean isLive(DefaultChannelHandlerContext owner) {
        if (owner == null) {
            return false;
        }
        Channel channel = owner.getChannel();
        return channel != null && channel.isOpen();
    }

    // ---- owners held by handlers ----

    private static DefaultChannelHandlerContext acquireField(
            OwnableHandler handler, DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext previous) {
        while (true) {
            DefaultChannelHandlerContext current = handler.owner();
            if (current == ctx) {
                return null;
            }
            if (current != previous && isLive(current)) {
                return current;
            }
            if (handler.changeOwner(current, ctx)) {
                return null;
            }
        }
    }

    // ---- owners held by the table ----

    private static DefaultChannelHandlerContext acquireEntry(
            DefaultChannelHandlerContext ctx, DefaultChannelHandlerContext previous) {
        removeCollected();
        Entry mine = new Entry(ctx, COLLECTED);
        while (true) {
            Entry theirs = TABLE.putIfAbsent(mine, mine);
            DefaultChannelHandlerContext current = theirs == null ? null : theirs.get();
            if (theirs == null || current == ctx) {
                return null;
            }
            if (current != previous && isLive(current)) {
                return current;
            }
            TABLE.computeIfPresent(theirs, (key, entry) -> entry == theirs ? null : entry);
        }
    }

    private static void removeCollected() {
        for (Reference<?> entry = COLLECTED.poll(); entry != null; entry = COLLECTED.poll()) {
            TABLE.remove(entry);
        }
    }

    /** Key and value in one. Equal to another entry of the same handler; once its context is collected, only to itself. */
    private static final class Entry extends WeakReference<DefaultChannelHandlerContext> {
        private final int handlerHash;

        /** For a look-up. */
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
