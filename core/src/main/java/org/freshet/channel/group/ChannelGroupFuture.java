package org.freshet.channel.group;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

/**
 * The outcome of an operation on all channels of a group: the futures of the channels, and when they are all done.
 *
 * <p>You can call the four methods about success and failure earlier; they then consider the futures that are done. Any thread may call any
 * method. Awaiting throws {@link IllegalStateException} on the I/O thread of a channel whose future is pending.
 */
public interface ChannelGroupFuture extends Iterable<ChannelFuture> {
    /** The group of the operation. */
    ChannelGroup getGroup();

    /** Returns the future of the channel with the id; null if the operation did not include such a channel. */
    ChannelFuture find(Integer channelId);

    /** Returns the future of the channel; null if the operation did not include it. */
    ChannelFuture find(Channel channel);

    /** Whether all futures are done. */
    boolean isDone();

    /** Whether all succeeded; also true for an empty group. */
    boolean isCompleteSuccess();

    /** Whether some succeeded, but not all. */
    boolean isPartialSuccess();

    /** Whether all failed or were cancelled; false for an empty group. */
    boolean isCompleteFailure();

    /** Whether some failed or were cancelled, but not all. */
    boolean isPartialFailure();

    /** Adds a listener that is called once when all futures are done, or immediately if they already are. */
    void addListener(ChannelGroupFutureListener listener);

    /** Removes a listener added with {@link #addListener}; has no effect if it is not there or was already called. */
    void removeListener(ChannelGroupFutureListener listener);

    /** Waits until all futures are done, however the operations end. */
    ChannelGroupFuture await() throws InterruptedException;

    /** Waits like {@link #await()}, but is not ended by an interrupt; the interrupt flag is kept. */
    ChannelGroupFuture awaitUninterruptibly();

    /**
     * Waits until all futures are done, but no longer than the timeout. With a timeout of 0 or less it doesn't wait.
     *
     * @return whether all futures are done
     */
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;

    /**
     * Waits like {@link #await(long, TimeUnit)}, with the timeout in milliseconds.
     *
     * @return whether all futures are done
     */
    boolean await(long timeoutMillis) throws InterruptedException;

    /**
     * Waits like {@link #await(long, TimeUnit)}, but is not ended by an interrupt; the interrupt flag is kept.
     *
     * @return whether all futures are done
     */
    boolean awaitUninterruptibly(long timeout, TimeUnit unit);

    /**
     * Waits like {@link #awaitUninterruptibly(long, TimeUnit)}, with the timeout in milliseconds.
     *
     * @return whether all futures are done
     */
    boolean awaitUninterruptibly(long timeoutMillis);

    /** Iterates over the futures, those of server channels first. The iterator can't remove. */
    @Override
    Iterator<ChannelFuture> iterator();
}
