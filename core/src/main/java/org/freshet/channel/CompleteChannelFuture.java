package org.freshet.channel;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The future of an operation that has already ended. Immutable; any thread may use it.
 *
 * <p>It can be neither completed again nor cancelled, so all setters return false. Listeners are called immediately.
 */
public abstract class CompleteChannelFuture implements ChannelFuture {
    private final Channel channel;

    /** The subclass provides the outcome with {@link #isSuccess()} and {@link #getCause()}. */
    protected CompleteChannelFuture(Channel channel) {
        this.channel = Objects.requireNonNull(channel, "channel");
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public boolean setSuccess() {
        return false;
    }

    @Override
    public boolean setFailure(Throwable cause) {
        return false;
    }

    @Override
    public boolean setProgress(long amount, long current, long total) {
        return false;
    }

    @Override
    public void addListener(ChannelFutureListener listener) {
        ListenerCalls.complete(Objects.requireNonNull(listener, "listener"), this);
    }

    @Override
    public void removeListener(ChannelFutureListener listener) {
        // Listeners are called when they are added, so there are none to remove.
    }

    @Override
    public ChannelFuture await() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return this;
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        await();
        return true;
    }

    @Override
    public boolean await(long timeoutMillis) throws InterruptedException {
        await();
        return true;
    }

    @Override
    public ChannelFuture awaitUninterruptibly() {
        return this;
    }

    @Override
    public boolean awaitUninterruptibly(long timeout, TimeUnit unit) {
        return true;
    }

    @Override
    public boolean awaitUninterruptibly(long timeoutMillis) {
        return true;
    }

    /** The outcome and the channel. */
    @Override
    public String toString() {
        String outcome = isSuccess() ? "succeeded" : "failed: " + getCause();
        return getClass().getSimpleName() + '(' + outcome + ", " + channel + ')';
    }
}
