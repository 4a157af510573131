package org.freshet.handler.codec.oneone;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;

/**
 * Replaces each written message by another one, except {@link OutputShutdown}, which passes as it is. It owns nothing and runs on the thread that writes; several threads may
 * write to one channel at once, see {@link OneToOneStrictEncoder} for encoders that care.
 */
public abstract class OneToOneEncoder implements ChannelDownstreamHandler {
    protected OneToOneEncoder() {}

    @Override
    public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        boolean written = evt instanceof MessageEvent message && doEncode(ctx, message);
        if (!written) {
            ctx.sendDownstream(evt);
        }
    }

    /**
     * Encodes the message of an event and writes the result with the event's own future.
     *
     * @return false if the encoder left the message as it was, so that the event itself is to be passed on
     */
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() == OutputShutdown.INSTANCE) {
            return false;
        }
        Object result = encode(ctx, e.getChannel(), e.getMessage());
        if (result == null) {
            e.getFuture().setSuccess(); // nothing is written, so no later handler could complete it
            return true;
        }
        if (result == e.getMessage()) {
            return false;
        }
        Channels.write(ctx, e.getFuture(), result, e.getRemoteAddress());
        return true;
    }

    /**
     * Encodes one message.
     *
     * @param msg what was written; an encoder that does not know its type returns it unchanged
     * @return the message to write; null writes nothing, and the future of the message succeeds at once
     */
    protected abstract Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception;
}
