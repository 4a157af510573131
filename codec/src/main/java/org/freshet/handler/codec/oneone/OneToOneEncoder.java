package org.freshet.handler.codec.oneone;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;

/**
 * Replaces each written message by another one. It owns nothing and runs on the thread that writes; several threads may
 * write to one channel at once, see {@link OneToOneStrictEncoder} for encoders that care.
 */
public abstract class OneToOneEncoder implements ChannelDownstreamHandler {
    protected OneToOneEncoder() {}

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (!(evt instanceof MessageEvent) || !doEncode(ctx, (MessageEvent) evt)) {
            ctx.sendDownstream(evt);
        }
    }

    /**
     * Encodes the message of an event and writes the result with the event's own future.
     *
     * @return false if the encoder left the message as it was, so that the event itself is to be passed on
     */
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object original = e.getMessage();
        Object encoded = encode(ctx, e.getChannel(), original);
        if (encoded == original) {
            return false;
        }
        if (encoded != null) {
            Channels.write(ctx, e.getFuture(), encoded, e.getRemoteAddress());
        } else {
            // Nothing will go out for this message, and nobody further down could complete its future.
            e.getFuture().setSuccess();
        }
        return true;
    }

    /**
     * Turns one message into another.
     *
     * @param msg what was written; an encoder that does not know its type returns it unchanged
     * @return the message to write; null writes nothing, and the future of the message succeeds at once
     */
    protected abstract Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception;
}
