package org.freshet.channel;

/**
 * A server channel's child was opened or closed. Travels up the <em>parent's</em> pipeline, on the parent's I/O thread.
 *
 * <p>Which of the two it was the Simple handlers tell by their methods. {@code getChildChannel().isOpen()} is true when the event
 * is that of the opening, unless the child has been closed in the meantime, be it by another handler.
 */
public interface ChildChannelStateEvent extends ChannelEvent {
    /** The parent. */
    @Override
    Channel getChannel();

    /** The channel that was accepted, or that is closed now. */
    Channel getChildChannel();
}
