package org.freshet.channel;

/**
 * A server channel's child was opened or closed. Travels up the <em>parent's</em> pipeline, on the parent's I/O thread.
 *
 * <p>The Simple handlers have a separate method for each of the two. In an opening event, {@code getChildChannel().isOpen()} is true unless
 * the child has been closed in the meantime, possibly by another handler.
 */
public interface ChildChannelStateEvent extends ChannelEvent {
    /** The parent. */
    @Override
    Channel getChannel();

    /** The channel that was accepted, or that is now closed. */
    Channel getChildChannel();
}
