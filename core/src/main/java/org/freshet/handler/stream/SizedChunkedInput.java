package org.freshet.handler.stream;

/**
 * An input that knows its total size and the size of each chunk, to notify
 * {@link org.freshet.channel.ChannelFutureProgressListener}s. For other inputs, only chunks that are buffers or file
 * regions are counted, and the total is unknown.
 */
public interface SizedChunkedInput extends ChunkedInput {
    /**
     * Returns the bytes of all chunks together, or -1 if unknown. Any thread may call it, even after the input was
     * closed.
     */
    long totalBytes();

    /**
     * Returns how many bytes of the input a chunk represents. Called once for each chunk, before it is written.
     *
     * @return by default the size of a buffer or a file region, and 0 for anything else
     */
    default long bytesOf(Object chunk) {
        return Transfer.bytesOf(chunk);
    }
}
