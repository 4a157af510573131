package org.freshet.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What the Simple handlers have in common: room for the mark that tells where an exclusive handler sits.
 *
 * <p>The mark lives in the handler because that is the cheapest place for it: most handlers get it free, out of the padding at
 * the object's end. Handlers that implement the interfaces directly are looked up in a table instead; see {@link Sharability}.
 */
abstract class SeatedHandler implements ChannelHandler {
    private static final VarHandle SEAT;

    static {
        try {
            SEAT = MethodHandles.lookup()
                    .findVarHandle(SeatedHandler.class, "seat", DefaultChannelHandlerContext.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The context this handler occupies, null when it is free; never set for sharable handlers. Changed by CAS alone. */
    private volatile DefaultChannelHandlerContext seat;

    final DefaultChannelHandlerContext seat() {
        return seat;
    }

    /** Whether {@code seat} was {@code from} and is {@code to} now. */
    final boolean changeSeat(DefaultChannelHandlerContext from, DefaultChannelHandlerContext to) {
        return SEAT.compareAndSet(this, from, to);
    }
}
