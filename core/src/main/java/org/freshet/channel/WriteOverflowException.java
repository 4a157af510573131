package org.freshet.channel;

/** Thrown when a write is refused because too many bytes wait on its channel; see {@link WriteOverflow#FAIL}. None of it was sent. */
public class WriteOverflowException extends ChannelException {
    private static final long serialVersionUID = 1L;

    private final long pendingBytes;
    private final int limitBytes;

    /**
     * @param pendingBytes the bytes that waited before the write
     * @param limitBytes the channel's {@code writeBufferLimit}
     */
    public WriteOverflowException(String message, long pendingBytes, int limitBytes) {
        super(message);
        this.pendingBytes = pendingBytes;
        this.limitBytes = limitBytes;
    }

    /** Returns the bytes that waited before the write. */
    public long getPendingBytes() {
        return pendingBytes;
    }

    /** Returns the limit that the write would have exceeded. */
    public int getLimitBytes() {
        return limitBytes;
    }
}
