package org.freshet.channel;

/** A change of a channel's state (upstream), or the request to change it (downstream); see the table in {@link ChannelState}. */
public interface ChannelStateEvent extends ChannelEvent {
    ChannelState getState();

    /** The new or wanted value; null is a value too and means, for most states, the opposite of the state's name. */
    Object getValue();
}
