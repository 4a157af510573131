package org.freshet.testkit.matrix;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.Channels;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * A SOCKS 5 proxy and the target behind it in one: grants the request, and lets the handlers above act as the target.
 */
final class SocksScript extends SimpleChannelUpstreamHandler {
    static final String TARGET = "target.invalid";

    private static final int GREETING_BYTES = 3;
    private static final int REQUEST_BYTES = GREETING_BYTES + 4 + 1 + TARGET.length() + 2;

    private final ChannelBuffer received = ChannelBuffers.dynamicBuffer();

    /** Hidden from the handlers above until the tunnel is open. */
    private ChannelStateEvent connected;

    private boolean hasGreeted;
    private boolean isOpen;

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        connected = e;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        if (isOpen) {
            ctx.sendUpstream(e);
            return;
        }
        received.writeBytes((ChannelBuffer) e.getMessage());
        if (!hasGreeted && received.readableBytes() >= GREETING_BYTES) {
            hasGreeted = true;
            answer(ctx, 5, 0);
        }
        if (received.readableBytes() >= REQUEST_BYTES) {
            isOpen = true;
            received.skipBytes(REQUEST_BYTES);
            answer(ctx, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0);
            ctx.sendUpstream(connected);
            if (received.readable()) {
                Channels.fireMessageReceived(ctx, received);
            }
        }
    }

    private static void answer(ChannelHandlerContext ctx, int... bytes) {
        ChannelBuffer answer = ChannelBuffers.buffer(bytes.length);
        for (int each : bytes) {
            answer.writeByte(each);
        }
        Channels.write(ctx, Channels.future(ctx.getChannel()), answer);
    }
}
