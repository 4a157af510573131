package org.freshet.channel;

public interface ChannelUpstreamHandler extends ChannelHandler {
    void handleUpstream(ChannelHandlerContext ctx, ChannelEvent e) throws Exception;
}
