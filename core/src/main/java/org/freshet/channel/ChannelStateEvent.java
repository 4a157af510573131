package org.freshet.channel;

public interface ChannelStateEvent extends ChannelEvent {
    ChannelState getState();

    Object getValue();
}
