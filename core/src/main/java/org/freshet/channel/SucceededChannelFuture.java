package org.freshet.channel;

/**
 * The future of an operation that has already succeeded. Immutable.
 *
 * <p>Returned by {@link Channels#succeededFuture}.
 */
public class SucceededChannelFuture extends CompleteChannelFuture {
    public SucceededChannelFuture(Channel channel) {
        super(channel);
    }

    @Override
    public Throwable getCause() {
        return null;
    }

    @Override
    public boolean isSuccess() {
        return true;
    }

    /** Returns immediately and leaves the thread's interrupt flag alone: there is neither a wait nor a failure. */
    @Override
    public ChannelFuture sync() throws InterruptedException {
        return this;
    }

    @Override
    public ChannelFuture syncUninterruptibly() {
        return this;
    }
}
