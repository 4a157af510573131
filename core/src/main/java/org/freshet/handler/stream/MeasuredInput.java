package org.freshet.handler.stream;

/**
 * An input that knows how many bytes it has, and how many of them a chunk is: {@link
 * org.freshet.channel.ChannelFutureProgressListener}s are told. Of other inputs, chunks that are buffers or regions of files are
 * counted, and the total is unknown.
 */
public interface MeasuredInput extends ChunkedInput {
    /** Bytes of all chunks together; -1 if unknown. Asked by any thread, also after the input was closed. */
    long totalBytes();

    /**
     * Bytes that a chunk of this input stands for. Asked once for each, before it is written.
     *
     * @return by default, those of a buffer or a region of a file, and 0 for anything else
     */
    default long bytesOf(Object chunk) {
        return Transfer.bytesOf(chunk);
    }
}
