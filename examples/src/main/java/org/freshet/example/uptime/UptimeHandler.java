package org.freshet.example.uptime;

import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.handler.timeout.ReadTimeoutException;

/** Reports the events of one connection to the reconnector. */
final class UptimeHandler extends SimpleChannelUpstreamHandler {
    private final Reconnector reconnector;
    private final UptimeLog log;

    UptimeHandler(Reconnector reconnector, UptimeLog log) {
        this.reconnector = reconnector;
        this.log = log;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        reconnector.connected();
        log.record(UptimeLog.Event.UP, "connected to " + e.getChannel().getRemoteAddress());
    }

    @Override
    public void channelDisconnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        log.record(UptimeLog.Event.DOWN, "disconnected");
    }

    /** Called once for every channel, connected or not, so the next attempt starts here. */
    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        reconnector.disconnected();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        if (e.getCause() instanceof ReadTimeoutException) {
            log.record(UptimeLog.Event.SILENT, "nothing was received for too long");
        } else if (e.getChannel().isConnected()) { // otherwise connecting failed, and its future reports that
            log.record(UptimeLog.Event.FAILED, e.getCause().toString());
        }
        e.getChannel().close();
    }
}
