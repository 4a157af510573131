package org.freshet.channel;

public interface ChannelHandlerContext {
    Channel getChannel();

    ChannelPipeline getPipeline();

    String getName();

    ChannelHandler getHandler();

    boolean canHandleUpstream();

    boolean canHandleDownstream();

    void sendUpstream(ChannelEvent e);

    void sendDownstream(ChannelEvent e);

    Object getAttachment();

    void setAttachment(Object value);
}
