package org.freshet.bootstrap;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.ChildChannelStateEvent;
import org.freshet.channel.CloseReason;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.internal.metering.TrafficMeter;

/**
 * Sets up each channel that a server channel accepts, by applying the bootstrap's current child options. It is the first handler in the
 * server channel's pipeline.
 *
 * <p>Runs on the server channel's I/O thread. For each connection it reads one volatile snapshot of options that are already converted.
 */
final class ChildSetup extends SimpleChannelUpstreamHandler {
    private final ServerBootstrap bootstrap;

    ChildSetup(ServerBootstrap bootstrap) {
        this.bootstrap = bootstrap;
    }

    @Override
    public void childChannelOpen(ChannelHandlerContext ctx, ChildChannelStateEvent e) {
        Channel child = e.getChildChannel();
        try {
            child.getConfig().setOptions(bootstrap.optionSnapshot().child());
            TrafficMeter meter = bootstrap.meter();
            if (meter != null) {
                meter.follow(child);
            }
        } catch (RuntimeException refused) {
            Channels.fireExceptionCaughtLater(child, refused);
            child.close(CloseReason.of(CloseReason.Kind.REFUSED, "an option was refused", refused));
        }
        ctx.sendUpstream(e);
    }
}
