package org.freshet.channel;

import java.util.Objects;

/**
 * A channel's child was opened or closed. Immutable: all handlers see the same event, even if one of them closes the child in the meantime.
 */
public class DefaultChildChannelStateEvent implements ChildChannelStateEvent {
    private final Channel parent;
    private final Channel child;
    private final boolean opened;

    /** Reports the current state of the child: open or closed. */
    public DefaultChildChannelStateEvent(Channel parentChannel, Channel childChannel) {
        this(
                parentChannel,
                childChannel,
                Objects.requireNonNull(childChannel, "childChannel").isOpen());
    }

    /**
     * Reports that the child was opened or closed.
     *
     * @param opened true for opened, even if the child is no longer open
     */
    DefaultChildChannelStateEvent(Channel parentChannel, Channel childChannel, boolean opened) {
        this.parent = Objects.requireNonNull(parentChannel, "parentChannel");
        this.child = Objects.requireNonNull(childChannel, "childChannel");
        this.opened = opened;
    }

    /** Whether the event reports an opening. An event of another class does if its child is open. */
    static boolean isOpening(ChildChannelStateEvent e) {
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
