package org.freshet.internal;

import org.freshet.channel.Channel;

/** A channel whose events are kept apart by an {@link EventTurn}. */
public interface TakesTurns extends Channel {
    /** Never changes. Any thread may ask. */
    EventTurn turn();
}
