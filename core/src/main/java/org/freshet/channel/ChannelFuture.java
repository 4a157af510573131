package org.freshet.channel;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The outcome of an operation on a {@link Channel}, now or later.
 *
 * <p>Every operation returns at once. Its future is pending first and completes exactly once, in one of three ways, and
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
 * <p>Prefer listening to waiting: {@link #addListener} blocks no thread. A channel's I/O thread must never wait for what only
 * it can do; the futures of channels that such a thread drives refuse it with {@link IllegalStateException} when they
 * are awaited there.
 *
 * <p>A connect timeout is an option of the channel ({@code connectTimeoutMillis}), not the timeout of an await,
 * which ends the waiting and not the operation.
 *
 * <p>Any thread may call any method. What the completing thread did before it completed the future is visible to those
 * that see it done.
 */
public interface ChannelFuture {
    // ---- outcome ----

    /** The channel of the operation. */
    Channel getChannel();

    /** Whether the operation has ended, in any of the three ways. */
    boolean isDone();

    /** Whether the operation succeeded. */
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
     * Adds a listener that is called once when this future completes, on the completing thread and after those added earlier.
     * The listener of a complete future is called at once, on the calling thread.
     */
    void addListener(ChannelFutureListener listener);

    /** Undoes one {@link #addListener}; has no effect if the listener is not there or was called already. */
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

    // ---- completing: for the code that carries out the operation ----

    /**
     * Completes this future with success and calls its listeners. For the code that carries out the operation.
     *
     * @return whether this call completed it
     */
    boolean setSuccess();

    /**
     * Completes this future with a failure and calls its listeners. For the code that carries out the operation.
     *
     * @return whether this call completed it
     */
    boolean setFailure(Throwable cause);

    /**
     * Tells the {@linkplain ChannelFutureProgressListener progress listeners} how far a pending operation is. For
     * the code that carries out the operation; one thread at a time.
     *
     * @param amount bytes transferred since the last call
     * @param current bytes transferred so far
     * @param total bytes to transfer, or -1 if unknown
     * @return false if this future was complete and no listener was called
     */
    boolean setProgress(long amount, long current, long total);
}
