package org.freshet.channel;

public interface ChannelFutureProgressListener extends ChannelFutureListener {
    void operationProgressed(ChannelFuture future, long value, long value2, long value3) throws Exception;
}
