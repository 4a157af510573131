package org.freshet.channel;

/**
 * A server channel's child was opened or closed. Travels up the <em>parent's</em> pipeline, on the parent's I/O thread; ask
 * {@code getChildChannel().isOpen()} which of the two it was.
 */
public interface ChildChannelStateEvent extends ChannelEvent {
    /** The parent. */
    @Override
    Channel getChannel();

    /** The channel that was accepted, or that is closed now. */
    Channel getChildChannel();
}
