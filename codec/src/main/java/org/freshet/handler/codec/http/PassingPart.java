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
     * A part is about to be encoded.
     *
     * @throws IllegalStateException if the previous one was refused; the connection is closed
     */
    void begin(ChannelHandlerContext ctx, MessageEvent next) {
        Throwable refusal = future == null ? null : future.getCause();
        if (refusal != null) {
            UnsentMessage.release(next.getMessage());
            MessagePart.end(ctx, refusal);
            throw new IllegalStateException(
                    "the connection is closed because a part of a message could not be sent", refusal);
        }
        future = next.getFuture();
    }

    /** The part was passed on, or others may follow although it was refused. */
    void end() {
        future = null;
    }
}
