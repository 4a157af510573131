package org.freshet.channel;

/** Bytes of a channel were sent. Immutable. */
public class DefaultWriteCompletionEvent extends UpstreamEvent implements WriteCompletionEvent {
    private final long writtenBytes;

    /**
     * Reports that bytes were sent.
     *
     * @param writtenAmount the number of bytes
     * @throws IllegalArgumentException if {@code writtenAmount} is not positive
     */
    public DefaultWriteCompletionEvent(Channel channel, long writtenAmount) {
        super(channel);
        if (writtenAmount <= 0) {
            throw new IllegalArgumentException("writtenAmount <= 0: " + writtenAmount);
        }
        this.writtenBytes = writtenAmount;
    }

    @Override
    public long getWrittenAmount() {
        return writtenBytes;
    }

    @Override
    public String toString() {
        return getChannel() + " WRITTEN_AMOUNT: " + writtenBytes;
    }
}
