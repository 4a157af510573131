package org.freshet.channel;

public interface ChildChannelStateEvent extends ChannelEvent {
    Channel getChannel();

    Channel getChildChannel();
}
