package org.freshet.channel;

import java.util.Objects;

/** The future of an operation that has already failed. Immutable; see {@link Channels#failedFuture}. */
public class FailedChannelFuture extends CompleteChannelFuture {
    private final Throwable cause;

    public FailedChannelFuture(Channel channel, Throwable cause) {
        super(channel);
        this.cause = Objects.requireNonNull(cause, "cause");
    }

    @Override
    public Throwable getCause() {
        return cause;
    }

    @Override
    public boolean isSuccess() {
        return false;
    }

    @Override
    public ChannelFuture sync() throws InterruptedException {
        return syncUninterruptibly();
    }

    @Override
    public ChannelFuture syncUninterruptibly() {
        DefaultChannelFuture.rethrow(cause);
        return this;
    }
}
