package org.freshet.handler.codec.oneone;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;

/**
 * Replaces each written message with another one. {@link OutputShutdown} passes through.
 *
 * <p>Stateless; runs on the thread that writes. Several threads may write to one channel at the same time: if that
 * matters to your encoder, extend {@link OneToOneStrictEncoder}.
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
     * @return false if the encoder returned the same message; the caller then passes on the event itself
     */
    protected boolean doEncode(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        if (e.getMessage() == OutputShutdown.INSTANCE) {
            return false;
        }
        Object result = encode(ctx, e.getChannel(), e.getMessage());
        if (result == null) {
            e.getFuture().setSuccess(); // nothing is written, so no other handler will complete it
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
     * @param msg the written message; return it unchanged if the encoder does not know its type
     * @return the message to write; null writes nothing, and the future of the message succeeds immediately
     */
    protected abstract Object encode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception;
}
