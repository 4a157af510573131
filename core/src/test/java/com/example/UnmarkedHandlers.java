package com.example;

import java.net.InetSocketAddress;
import org.freshet.channel.ChannelDownstreamHandler;
import org.freshet.channel.ChannelEvent;
import org.freshet.channel.ChannelHandler.Sharable;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.channel.SimpleChannelHandler;
import org.freshet.handler.ipfilter.IpFilteringHandlerImpl;

/** Handlers as a user writes them, in a package of the user's: for the rules that tell them from Freshet's own. */
public final class UnmarkedHandlers {
    private UnmarkedHandlers() {}

    /** Whether this field is the state of one connection, only its author knows. */
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

    /** Runs an action for each upstream event, and passes on the others. */
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

    /** As {@link Acting}, but marked. */
    @Sharable
    public static final class MarkedActing extends Acting {
        public MarkedActing(Runnable action) {
            super(action);
        }
    }

    /** Extends a base class of Freshet's that has a field, but none of a channel's state. */
    public static class Filter extends IpFilteringHandlerImpl {
        @Override
        protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress peer) {
            return true;
        }
    }
}
