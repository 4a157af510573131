package org.freshet.handler.codec.oneone;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.handler.Borrowers;

/**
 * Replaces each received message by another one. It owns nothing and runs on the thread that delivers the message, so a
 * subclass without fields of its own can be {@link org.freshet.channel.ChannelHandler.Sharable}.
 */
public abstract class OneToOneDecoder implements ChannelUpstreamHandler {
    protected OneToOneDecoder() {}

    @Override
    public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent evt) throws Exception {
        if (evt instanceof MessageEvent message) {
            onMessage(ctx, message);
        } else {
            ctx.sendUpstream(evt);
        }
    }

    private void onMessage(ChannelHandlerContext ctx, MessageEvent e) throws Exception {
        Object message = Borrowers.message(this, e);
        Object result = decode(ctx, e.getChannel(), message);
        if (result == message) {
            ctx.sendUpstream(e); // untouched: no need for an event of its own
        } else if (result != null) {
            Channels.fireMessageReceived(ctx, result, e.getRemoteAddress());
        }
    }

    /**
     * Decodes one message.
     *
     * @param msg what was received; a decoder that does not know its type returns it unchanged
     * @return the message to pass on; {@code msg} itself passes the event on untouched, null drops it
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception;
}
