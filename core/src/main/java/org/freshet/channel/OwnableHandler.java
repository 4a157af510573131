package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Base class of the Simple handlers: a field for the context that owns an exclusive handler.
 *
 * <p>The handler is the cheapest place for the field: in most handlers it fits into the padding at the object's end. Handlers that
 * implement the interfaces directly are looked up in a table instead; see {@link HandlerOwnership}.
 */
abstract class OwnableHandler implements ChannelHandler {
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup()
                    .findVarHandle(OwnableHandler.class, "owner", DefaultChannelHandlerContext.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The context whose handler this is; null if it is in no pipeline or need not be tracked. Changed only by compare-and-set. */
    private volatile DefaultChannelHandlerContext owner;

    final DefaultChannelHandlerContext owner() {
        return owner;
    }

    /** Changes the owner if it is {@code from}; returns whether it did. */
    final boolean changeOwner(DefaultChannelHandlerContext from, DefaultChannelHandlerContext to) {
        return OWNER.compareAndSet(this, from, to);
    }
}
