package org.freshet.channel.group;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;

public interface ChannelGroupFuture extends Iterable<ChannelFuture> {
    ChannelGroup getGroup();

    ChannelFuture find(Integer integer);

    ChannelFuture find(Channel channel);

    boolean isDone();

    boolean isCompleteSuccess();

    boolean isPartialSuccess();

    boolean isCompleteFailure();

    boolean isPartialFailure();

    void addListener(ChannelGroupFutureListener channelGroupFutureListener);

    void removeListener(ChannelGroupFutureListener channelGroupFutureListener);

    ChannelGroupFuture await() throws InterruptedException;

    ChannelGroupFuture awaitUninterruptibly();

    boolean await(long value, TimeUnit unit) throws InterruptedException;

    boolean await(long value) throws InterruptedException;

    boolean awaitUninterruptibly(long value, TimeUnit unit);

    boolean awaitUninterruptibly(long value);

    Iterator<ChannelFuture> iterator();
}
