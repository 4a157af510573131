package org.freshet.channel;

import java.util.concurrent.TimeUnit;

public interface ChannelFuture {
    Channel getChannel();

    boolean isDone();

    boolean isCancelled();

    boolean isSuccess();

    Throwable getCause();

    boolean cancel();

    boolean setSuccess();

    boolean setFailure(Throwable cause);

    boolean setProgress(long value, long value2, long value3);

    void addListener(ChannelFutureListener listener);

    void removeListener(ChannelFutureListener listener);

    ChannelFuture sync() throws InterruptedException;

    ChannelFuture syncUninterruptibly();

    ChannelFuture await() throws InterruptedException;

    ChannelFuture awaitUninterruptibly();

    boolean await(long value, TimeUnit unit) throws InterruptedException;

    boolean await(long value) throws InterruptedException;

    boolean awaitUninterruptibly(long value, TimeUnit unit);

    boolean awaitUninterruptibly(long value);
}
