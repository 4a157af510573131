package org.freshet.channel;

import java.util.Objects;

/**
 * A child of a channel was opened or closed. Immutable: handlers are told of the same, also when one of them closes the child
 * meanwhile.
 */
public class DefaultChildChannelStateEvent implements ChildChannelStateEvent {
    private final Channel parent;
    private final Channel child;
    private final boolean opened;

    /** Tells what is true of the child now: that it is open, or that it is closed. */
    public DefaultChildChannelStateEvent(Channel parentChannel, Channel childChannel) {
        this(
                parentChannel,
                childChannel,
                Objects.requireNonNull(childChannel, "childChannel").isOpen());
    }

    /**
     * Tells that the child was opened or closed.
     *
     * @param opened whether it was opened, be it open still or not
     */
    DefaultChildChannelStateEvent(Channel parentChannel, Channel childChannel, boolean opened) {
        this.parent = Objects.requireNonNull(parentChannel, "parentChannel");
        this.child = Objects.requireNonNull(childChannel, "childChannel");
        this.opened = opened;
    }

    /** Whether the event says that its child was opened; with an event of another class, whether the child is open. */
    static boolean tellsOfOpening(ChildChannelStateEvent e) {
        return e instanceof DefaultChildChannelStateEvent own
                ? own.opened
                : e.getChildChannel().isOpen();
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
        return parent + (opened ? " CHILD_OPEN: " : " CHILD_CLOSED: ") + child.getId();
    }
}
