package org.freshet.channel;

public interface LifeCycleAwareChannelHandler extends ChannelHandler {
    void beforeAdd(ChannelHandlerContext ctx) throws Exception;

    void afterAdd(ChannelHandlerContext ctx) throws Exception;

    void beforeRemove(ChannelHandlerContext ctx) throws Exception;

    void afterRemove(ChannelHandlerContext ctx) throws Exception;
}
