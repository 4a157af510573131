package org.freshet.channel;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A {@link ChannelFuture} as a {@link CompletableFuture}; see {@link ChannelFuture#toCompletableFuture()}. Any thread may use it.
 *
 * <p>Waiting is refused where the source refuses it. Dependent stages don't know the channel, so they never refuse a wait.
 */
final class CompletableView extends CompletableFuture<Channel> implements ChannelFutureListener {
    private final ChannelFuture source;

    private CompletableView(ChannelFuture source) {
        this.source = source;
    }

    static CompletableView of(ChannelFuture source) {
        CompletableView view = new CompletableView(source);
        source.addListener(view);
        return view;
    }

    @Override
    public void operationComplete(ChannelFuture future) {
        if (future.isSuccess()) {
            complete(future.getChannel());
        } else if (future.isCancelled()) {
            super.cancel(false);
        } else {
            completeExceptionally(future.getCause());
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        source.cancel(); // calls operationComplete if it succeeds
        return isCancelled();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }

    @Override
    public Channel get() throws InterruptedException, ExecutionException {
        beforeAwait();
        return super.get();
    }

    @Override
    public Channel get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        beforeAwait();
        return super.get(timeout, unit);
    }

    @Override
    public Channel join() {
        beforeAwait();
        return super.join();
    }

    private void beforeAwait() {
        if (!isDone()) {
            DefaultChannelFuture.beforeAwait(source);
        }
    }
}
