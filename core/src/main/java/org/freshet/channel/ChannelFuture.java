package org.freshet.channel;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The outcome of an operation on a {@link Channel}, now or later.
 *
 * <p>Every operation returns immediately. Its future is pending first, completes exactly once, in one of three ways, and never changes
 * afterwards:
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
 * <p>Prefer listening to waiting: {@link #addListener} blocks no thread. A channel's I/O thread must never wait for something that only it
 * can do; if such a future is awaited there, the await throws {@link IllegalStateException}.
 *
 * <p>To limit the time of a connect, use the channel's option {@code connectTimeoutMillis}. The timeout of an await ends only the waiting,
 * not the operation.
 *
 * <p>Any thread may call any method. What the completing thread did before it completed the future is visible to threads that see it done.
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
     * Cancels the operation if it is pending and can be cancelled. Few operations can: a connect attempt can, a write can't.
     *
     * @return whether this call cancelled it
     */
    boolean cancel();

    // ---- listening ----

    /**
     * Adds a listener. It is called once, when this future completes, on the completing thread, after the listeners added earlier. If the
     * future is already complete, the listener is called immediately, on the calling thread.
     */
    void addListener(ChannelFutureListener listener);

    /** Removes a listener added with {@link #addListener}; has no effect if it is not there or was already called. */
    void removeListener(ChannelFutureListener listener);

    /**
     * Returns a view for code that composes JDK completion stages. It completes with this future, on the same thread and in the same order
     * as a listener added now: with the channel after success, with the cause after a failure, with {@link CancellationException} after
     * cancellation.
     *
     * <p>Cancelling the view cancels this future; if this future can't be cancelled, neither can the view, and {@code cancel} returns
     * false. Completing the view in any other way, such as by a timeout, has no effect on this future. Each call creates a new view.
     */
    default CompletableFuture<Channel> toCompletableFuture() {
        return CompletableView.of(this);
    }

    // ---- waiting ----

    /** Waits until this future is done, however the operation ends. */
    ChannelFuture await() throws InterruptedException;

    /**
     * Waits until this future is done, but no longer than the timeout. With a timeout of 0 or less it doesn't wait.
     *
     * @return whether this future is done
     */
    boolean await(long timeout, TimeUnit unit) throws InterruptedException;

    /**
     * Waits like {@link #await(long, TimeUnit)}, with the timeout in milliseconds.
     *
     * @return whether this future is done
     */
    boolean await(long timeoutMillis) throws InterruptedException;

    /** Waits like {@link #await()}, but is not ended by an interrupt; the interrupt flag is kept. */
    ChannelFuture awaitUninterruptibly();

    /**
     * Waits like {@link #await(long, TimeUnit)}, but is not ended by an interrupt; the interrupt flag is kept.
     *
     * @return whether this future is done
     */
    boolean awaitUninterruptibly(long timeout, TimeUnit unit);

    /**
     * Waits like {@link #awaitUninterruptibly(long, TimeUnit)}, with the timeout in milliseconds.
     *
     * @return whether this future is done
     */
    boolean awaitUninterruptibly(long timeoutMillis);

    /**
     * Waits until this future is done. If the operation failed, throws the cause: directly if it is unchecked, otherwise wrapped in a
     * {@link ChannelException}. Returns normally after cancellation.
     */
    ChannelFuture sync() throws InterruptedException;

    /** Waits like {@link #sync()}, but is not ended by an interrupt; the interrupt flag is kept. */
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
     * Reports the progress of a pending operation to the {@linkplain ChannelFutureProgressListener progress listeners}. For the code that
     * carries out the operation; one thread at a time.
     *
     * @param amount bytes transferred since the last call
     * @param current bytes transferred so far
     * @param total bytes to transfer, or -1 if unknown
     * @return false if this future was already complete; no listener was called then
     */
    boolean setProgress(long amount, long current, long total);
}
