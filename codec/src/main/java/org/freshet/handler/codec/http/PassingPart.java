package org.freshet.handler.codec.http;

import org.freshet.channel.ChannelFuture;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.MessagePart;
import org.freshet.internal.handler.UnsentMessage;

/**
 * The part of a message that an encoder is passing on. Nothing may follow a part that was refused: the peer would take it
 * for that part, or for the answer to another request.
 *
 * <p>On a connected channel, a part is refused before its write returns, so the encoder looks at the future then and needs
 * no listener. What a listener of a refused part writes comes even earlier, and is refused here. If a part fails later, the
 * channel has ended.
 *
 * <p>Belongs to the thread that writes, which may change from one part to the next.
 */
final class PassingPart {
    /** Null if no part is being passed on; kept after a refusal that ends the connection. */
    private ChannelFuture future;

    /**
     * A part is about to be encoded. Returns false if the previous one was refused; the connection is closed then, and this
     * one has failed.
     */
    boolean begin(ChannelHandlerContext ctx, MessageEvent next) {
        Throwable refusal = future == null ? null : future.getCause();
        if (MessagePart.leavesGap(refusal)) {
            MessagePart.end(ctx, refusal);
            UnsentMessage.fail(next, UnsentMessage.causeOfClosed(ctx.getChannel()));
            return false;
        }
        future = next.getFuture();
        return true;
    }

    /** The part was passed on, or others may follow although it was refused. */
    void end() {
        future = null;
    }
}
