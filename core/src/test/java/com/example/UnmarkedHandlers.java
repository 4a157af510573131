package com.example;

import java.net.InetSocketAddress;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.ipfilter.IpFilteringHandlerImpl;

/** Handlers as a user would write them, in a user's package: the sharing rules treat them unlike Freshet's own. */
public final class UnmarkedHandlers {
    private UnmarkedHandlers() {}

    /** Only the author knows whether this field is the state of one connection. */
    public static class Extending extends SimpleChannelHandler {
        public String greeting = "hello";
    }

    /** Does not extend Freshet's base classes. */
    public static class Implementing implements ChannelUpstreamHandler {
        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            ctx.sendUpstream(e);
        }
    }

    /** Runs an action for each upstream event and passes the other events on. */
    public static class Acting implements ChannelUpstreamHandler, ChannelDownstreamHandler {
        private final Runnable action;

        public Acting(Runnable action) {
            this.action = action;
        }

        @Override
        public void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) {
            action.run();
        }

        @Override
        public void handleDownstream(ChannelHandlerContext ctx, ChannelEvent e) {
            ctx.sendDownstream(e);
        }
    }

    /** Like {@link Acting}, but marked. */
    @Sharable
    public static final class MarkedActing extends Acting {
        public MarkedActing(Runnable action) {
            super(action);
        }
    }

    /** Extends a Freshet base class that has a field, but no state of a channel. */
    public static class Filter extends IpFilteringHandlerImpl {
        @Override
        protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress peer) {
            return true;
        }
    }
}
