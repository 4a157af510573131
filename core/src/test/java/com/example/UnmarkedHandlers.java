package com.example;

import java.net.InetSocketAddress;
import org.freshet.channel.ChannelEvent;
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

    /** Extends a base class of Freshet's that has a field, but none of a channel's state. */
    public static class Filter extends IpFilteringHandlerImpl {
        @Override
        protected boolean accept(ChannelHandlerContext ctx, ChannelEvent e, InetSocketAddress peer) {
            return true;
        }
    }
}
