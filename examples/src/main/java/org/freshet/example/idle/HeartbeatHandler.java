package org.freshet.example.idle;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.handler.timeout.IdleStateAwareChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleStateEvent;

/**
 * Sends a heartbeat, the client's name, when it connects, and again whenever the handler below reports that nothing was
 * written for a while. If something else is written in the meantime, no heartbeat is needed. Exclusive.
 */
final class HeartbeatHandler extends IdleStateAwareChannelUpstreamHandler {
    private final String name;

    HeartbeatHandler(String name) {
        this.name = name;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        beat(e.getChannel());
    }

    @Override
    public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
        beat(e.getChannel());
    }

    private void beat(Channel channel) {
        channel.write(ChannelBuffers.copiedBuffer(name, StandardCharsets.US_ASCII));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(name + ": " + e.getCause());
        e.getChannel().close();
    }
}
