package org.freshet.channel;

/** A write was refused because too many bytes wait on its channel: see {@link WriteOverflow#FAIL}. None of it was sent. */
public class WriteOverflowException extends ChannelException {
    private static final long serialVersionUID = 1L;

    private final long pendingBytes;
    private final int limitBytes;

    /**
     * @param pendingBytes what waited before the write
     * @param limitBytes the channel's {@code writeBufferLimit}
     */
    public WriteOverflowException(String message, long pendingBytes, int limitBytes) {
        super(message);
        this.pendingBytes = pendingBytes;
        this.limitBytes = limitBytes;
    }

    /** The bytes that waited before the write. */
    public long getPendingBytes() {
        return pendingBytes;
    }

    /** The limit that the write would have exceeded. */
    public int getLimitBytes() {
        return limitBytes;
    }
}
