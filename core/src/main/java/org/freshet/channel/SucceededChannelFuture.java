package org.freshet.channel;

/**
 * The future of an operation that has succeeded already. Immutable.
 *
 * <p>{@link Channels#succeededFuture} returns one.
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

    /** Returns at once and leaves the thread's interrupt flag alone: there is neither a wait nor a failure. */
    @Override
    public ChannelFuture sync() throws InterruptedException {
        return this;
    }

    @Override
    public ChannelFuture syncUninterruptibly() {
        return this;
    }
}
