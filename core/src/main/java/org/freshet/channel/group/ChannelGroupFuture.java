package org.freshet.channel.group;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

/**
 * The outcome of an operation on all channels of a group: the futures of its channels, and the time when all are done.
 *
 * <p>The four methods about success and failure may be called before that, and then consider the futures that are done. Any
 * thread may call any method. Awaiting is refused with {@link IllegalStateException} on the I/O thread of a channel whose
 * future is pending.
 */
public interface ChannelGroupFuture extends Iterable<ChannelFuture> {
    /** The group of the operation. */
    ChannelGroup getGroup();

    /** The future of the channel with the id; null if the operation did not reach such a channel. */
    ChannelFuture find(Integer channelId);

    /** The future of the channel; null if the operation did not reach it. */
    ChannelFuture find(Channel channel);

    /** Whether all futures are done. */
    boolean isDone();

    /** Whether all succeeded; also if there are none. */
    boolean isCompleteSuccess();

    /** Whether some succeeded, but not all. */
    boolean isPartialSuccess();

    /** Whether all failed or were cancelled; not if there are none. */
    boolean isCompleteFailure();

    /** Whether some failed or were cancelled, but not all. */
    boolean isPartialFailure();

    /** Adds a listener that is called once when all futures are done, or at once if they are. */
    void addListener(ChannelGroupFutureListener listener);

    /** Undoes one {@link #addListener}; has no effect if the listener is not there or was called already. */
    void removeListener(ChannelGroupFutureListener listener);

    /** Waits until all futures are done, however the operations end. */
    ChannelGroupFuture await() throws InterruptedException;

    /** As {@link #await()}; an interrupt does not end the waiting and is kept in the thread's flag. */
    ChannelGroupFuture awaitUninterruptibly();

    /**
     * Waits until all futures are done, but not longer than the timeout. Without a positive timeout it only looks.
     *
     * @return whether all futures are done
     */
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;

    /**
     * As {@link #await(long, TimeUnit)}, in milliseconds.
     *
     * @return whether all futures are done
     */
    boolean await(long timeoutMillis) throws InterruptedException;

    /**
     * As {@link #await(long, TimeUnit)}; an interrupt does not end the waiting and is kept in the thread's flag.
     *
     * @return whether all futures are done
     */
    boolean awaitUninterruptibly(long timeout, TimeUnit unit);

    /**
     * As {@link #awaitUninterruptibly(long, TimeUnit)}, in milliseconds.
     *
     * @return whether all futures are done
     */
    boolean awaitUninterruptibly(long timeoutMillis);

    /** Iterates over the futures, those of server channels first; nothing can be removed. */
    @Override
    Iterator<ChannelFuture> iterator();
}
