package org.freshet.handler.codec.oneone;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.ActsOn;
import org.freshet.internal.handler.Borrowers;

/**
 * Replaces each received message with another one. Stateless; runs on the thread that delivers the message. So a
 * subclass without fields can be {@link org.freshet.channel.ChannelHandler.Sharable}.
 */
@ActsOn({})
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
            ctx.sendUpstream(e); // unchanged: no need for a new event
        } else if (result != null) {
            Channels.fireMessageReceived(ctx, result, e.getRemoteAddress());
        }
    }

    /**
     * Decodes one message.
     *
     * @param msg the received message; return it unchanged if the decoder does not know its type
     * @return the message to pass on; {@code msg} itself passes on the same event, null drops it
     */
    protected abstract Object decode(ChannelHandlerContext ctx, Channel channel, Object msg) throws Exception;
}
