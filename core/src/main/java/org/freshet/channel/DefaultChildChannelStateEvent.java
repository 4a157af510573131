package org.freshet.channel;

import java.util.Objects;

/** A child of a channel was opened or closed. Immutable. */
public class DefaultChildChannelStateEvent implements ChildChannelStateEvent {
    private final Channel parent;
    private final Channel child;

    public DefaultChildChannelStateEvent(Channel parentChannel, Channel childChannel) {
        this.parent = Objects.requireNonNull(parentChannel, "parentChannel");
        this.child = Objects.requireNonNull(childChannel, "childChannel");
    }

    @Override
    public Channel getChannel() {
        return parent;
    }

    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(parent);
    }

    @Override
    public Channel getChildChannel() {
        return child;
    }

    @Override
    public String toString() {
        return parent + (child.isOpen() ? " CHILD_OPEN: " : " CHILD_CLOSED: ") + child.getId();
    }
}
