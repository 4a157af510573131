package org.freshet.channel;

import java.util.List;
import java.util.Map;

public interface ChannelPipeline {
    void addFirst(String name, ChannelHandler handler);

    void addLast(String name, ChannelHandler handler);

    void addBefore(String name, String name2, ChannelHandler handler);

    void addAfter(String name, String name2, ChannelHandler handler);

    void remove(ChannelHandler handler);

    ChannelHandler remove(String name);

    <T extends ChannelHandler> T remove(Class<T> type);

    ChannelHandler removeFirst();

    ChannelHandler removeLast();

    void replace(ChannelHandler handler, String name, ChannelHandler handler2);

    ChannelHandler replace(String name, String name2, ChannelHandler handler);

    <T extends ChannelHandler> T replace(Class<T> type, String name, ChannelHandler handler);

    ChannelHandler getFirst();

    ChannelHandler getLast();

    ChannelHandler get(String name);

    <T extends ChannelHandler> T get(Class<T> type);

    ChannelHandlerContext getContext(ChannelHandler handler);

    ChannelHandlerContext getContext(String name);

    ChannelHandlerContext getContext(Class<? extends ChannelHandler> type);

    void sendUpstream(ChannelEvent e);

    void sendDownstream(ChannelEvent e);

    ChannelFuture execute(Runnable task);

    Channel getChannel();

    ChannelSink getSink();

    void attach(Channel channel, ChannelSink channelSink);

    boolean isAttached();

    List<String> getNames();

    Map<String, ChannelHandler> toMap();
}
