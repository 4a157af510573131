package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.freshet.internal.FieldHandles;

/**
 * What the Simple handlers have in common: a field for the context that owns an exclusive handler.
 *
 * <p>The handler is the cheapest place for it: in most handlers the field takes the padding at the object's end. Handlers that
 * implement the interfaces directly are looked up in a table instead; see {@link HandlerOwnership}.
 */
abstract class OwnableHandler implements ChannelHandler {
    private static final VarHandle OWNER =
            FieldHandles.of(MethodHandles.lookup(), "owner", DefaultChannelHandlerContext.class);

    /** The context whose handler this is; null when it is free or need not be tracked. Changed by CAS alone. */
    private volatile DefaultChannelHandlerContext owner;

    final DefaultChannelHandlerContext owner() {
        return owner;
    }

    /** Whether the owner was {@code from} and is {@code to} now. */
    final boolean changeOwner(DefaultChannelHandlerContext from, DefaultChannelHandlerContext to) {
        return OWNER.compareAndSet(this, from, to);
    }
}
