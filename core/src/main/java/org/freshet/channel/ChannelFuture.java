package org.freshet.channel;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The outcome of an operation on a {@link Channel}, now or later.
 *
 * <p>Every operation returns at once. Its future is pending first and completes exactly once, in one of three ways; it
 * never changes afterwards:
 *
 * <pre>
 *                                  isDone  isSuccess  isCancelled  getCause
 *               pending            false   false      false        null
 *                  |
 *      +-----------+-----------+
 *      |           |           |
 *  succeeded       |           |   true    true       false        null
 *               failed         |   true    false      false        why
 *                          cancelled  true false      true         null
 * </pre>
 *
 * <p>Listen rather than wait: {@link #addListener} costs no thread. A channel's I/O thread must never wait for what only
 * it can do; the futures of channels that such a thread drives refuse it with {@link IllegalStateException} when they
 * are awaited there.
 *
 * <p>A connect timeout is an option of the channel ({@code connectTimeoutMillis}), not the timeout of an await: the
 * latter ends the waiting and leaves the operation going on.
 *
 * <p>Any thread may call any method. What the completing thread did before it completed the future is visible to those
 * that see it done.
 */
public interface ChannelFuture {
    // ---- outcome ----

    /** The channel of the operation. */
    Channel getChannel();

    /** Whether the operation is over, in whichever way. */
    boolean isDone();

    /** Whether the operation is over and did what was asked. */
    boolean isSuccess();

    /** Why the operation failed; null while it is pending, and after success or cancellation. */
    Throwable getCause();

    /** Whether {@link #cancel} ended the operation. */
    boolean isCancelled();

    /**
     * Cancels the operation if it is pending and of a kind that can be cancelled. Only few kinds are: a connection attempt
     * is, a write is not.
     *
     * @return whether this call cancelled it
     */
    boolean cancel();

    // ---- listening ----

    /**
     * Has the listener called once when this future completes, on the completing thread and after those added earlier.
     * The listener of a complete future is called at once, on the calling thread.
     */
    void addListener(ChannelFutureListener listener);

    /** Takes back one {@link #addListener}; has no effect if the listener is not there or was called already. */
    void removeListener(ChannelFutureListener listener);

    /**
     * A view for code that composes stages of the JDK. It completes with this future, on the same thread and in the same
     * order as a listener added now: with the channel after success, with the cause after a failure, with {@link
     * CancellationException} after cancellation.
     *
     * <p>Cancelling the view cancels this future, and is refused (returning false) where {@link #cancel} is. Completing
     * the view in any other way, a timeout included, has no effect on this future. Each call makes a new view.
     */
    default CompletableFuture<Channel> toCompletableFuture() {
        return CompletableView.of(this);
    }

    // ---- waiting ----

    /** Waits until this future is done, however the operation ends. */
    ChannelFuture await() throws InterruptedException;

    /**
     * Waits until this future is done, but not longer than the timeout. Without a positive timeout it only looks.
     *
     * @return whether this future is done
     */
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;

    /**
     * As {@link #await(long, TimeUnit)}, in milliseconds.
     *
     * @return whether this future is done
     */
    boolean await(long timeoutMillis) throws InterruptedException;

    /** As {@link #await()}; an interrupt does not end the waiting and is kept in the thread's flag. */
    ChannelFuture awaitUninterruptibly();

    /**
     * As {@link #await(long, TimeUnit)}; an interrupt does not end the waiting and is kept in the thread's flag.
     *
     * @return whether this future is done
     */
    boolean awaitUninterruptibly(long timeout, TimeUnit unit);

    /**
     * As {@link #awaitUninterruptibly(long, TimeUnit)}, in milliseconds.
     *
     * @return whether this future is done
     */
    boolean awaitUninterruptibly(long timeoutMillis);

    /**
     * Waits until this future is done and throws what made the operation fail: as it is if unchecked, else wrapped in a
     * {@link ChannelException}. Returns normally after cancellation.
     */
    ChannelFuture sync() throws InterruptedException;

    /** As {@link #sync()}; an interrupt does not end the waiting and is kept in the thread's flag. */
    ChannelFuture syncUninterruptibly();

    // ---- completing: for those who carry out the operation ----

    /**
     * Completes this future with success and calls its listeners. For those who carry out the operation.
     *
     * @return whether this call completed it
     */
    boolean setSuccess();

    /**
     * Completes this future with a failure and calls its listeners. For those who carry out the operation.
     *
     * @return whether this call completed it
     */
    boolean setFailure(Throwable cause);

    /**
     * Tells the {@linkplain ChannelFutureProgressListener progress listeners} how far a pending operation has come. For
     * those who carry out the operation; one thread at a time.
     *
     * @param amount bytes transferred since the last call
     * @param current bytes transferred so far
     * @param total bytes to transfer, or -1 when nobody knows
     * @return false if this future was complete, so that nobody was told
     */
    boolean setProgress(long amount, long current, long total);
}
