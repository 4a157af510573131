package org.freshet.channel;

import java.util.Objects;

/** Bytes of a channel were sent. Immutable. */
public class DefaultWriteCompletionEvent implements WriteCompletionEvent {
    private final Channel channel;
    private final long writtenBytes;

    /**
     * Reports that bytes were sent.
     *
     * @param writtenAmount in bytes
     * @throws IllegalArgumentException if {@code writtenAmount} is not positive
     */
    public DefaultWriteCompletionEvent(Channel channel, long writtenAmount) {
        this.channel = Objects.requireNonNull(channel, "channel");
        if (writtenAmount <= 0) {
            throw new IllegalArgumentException("writtenAmount <= 0: " + writtenAmount);
        }
        this.writtenBytes = writtenAmount;
    }

    @Override
    public Channel getChannel() {
        return channel;
    }

    @Override
    public ChannelFuture getFuture() {
        return Channels.succeededFuture(channel);
    }

    @Override
    public long getWrittenAmount() {
        return writtenBytes;
    }

    @Override
    public String toString() {
        return channel + " WRITTEN_AMOUNT: " + writtenBytes;
    }
}
