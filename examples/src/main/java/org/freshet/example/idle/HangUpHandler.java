package org.freshet.example.idle;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.handler.timeout.IdleStateAwareChannelUpstreamHandler;
import org.freshet.handler.timeout.IdleStateEvent;

/**
 * The server's side: hangs up when the handler below reports that nothing was received for a while. Exclusive; its
 * fields belong to the I/O thread.
 */
final class HangUpHandler extends IdleStateAwareChannelUpstreamHandler {
    private String name = "a client without a name";
    private int heartbeats;

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        name = ((ChannelBuffer) e.getMessage()).toString(StandardCharsets.US_ASCII);
        heartbeats++;
        System.out.println(heartbeats == 1 ? name + " is here" : name + " is alive");
    }

    @Override
    public void channelIdle(ChannelHandlerContext ctx, IdleStateEvent e) {
        long silentMillis = System.currentTimeMillis() - e.getLastActivityTimeMillis();
        System.out.println(name + " was silent for " + silentMillis + " ms: hanging up");
        e.getChannel().close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println(name + ": " + e.getCause());
        e.getChannel().close();
    }
}
