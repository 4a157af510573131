package org.freshet.channel.group;

import java.net.SocketAddress;
import java.util.Set;
import org.freshet.channel.Channel;

public interface ChannelGroup extends Set<Channel>, Comparable<ChannelGroup> {
    String getName();

    Channel find(Integer integer);

    ChannelGroupFuture setInterestOps(int value);

    ChannelGroupFuture setReadable(boolean value);

    ChannelGroupFuture write(Object value);

    ChannelGroupFuture write(Object value, SocketAddress address);

    ChannelGroupFuture disconnect();

    ChannelGroupFuture unbind();

    ChannelGroupFuture close();
}
