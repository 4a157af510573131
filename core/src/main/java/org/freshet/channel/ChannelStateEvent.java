package org.freshet.channel;

/** A change of a channel's state (upstream), or the request to change it (downstream); see the table in {@link ChannelState}. */
public interface ChannelStateEvent extends ChannelEvent {
    ChannelState getState();

    /** The new or requested value. Null is a value, too; for most states it means the opposite of the state's name. */
    Object getValue();
}
