package org.freshet.handler.stream;

import org.freshet.internal.OpenInput;

/**
 * A large input read chunk by chunk. Write it to a channel that has a {@link ChunkedWriteHandler}.
 *
 * <p>Once written, it belongs to the handler. The handler calls it from one thread at a time, not always the same, and
 * never after {@link #close()}. If a method throws, the write fails.
 */
@SuppressWarnings("exports") // OpenInput is exported to Freshet's modules only
public interface ChunkedInput extends OpenInput {
    /** Returns whether {@link #nextChunk()} would return a chunk now. */
    boolean hasNextChunk() throws Exception;

    /**
     * Returns the next chunk.
     *
     * @return a message that the handlers below understand, usually a {@link org.freshet.buffer.ChannelBuffer}; null at
     *     the end, or if nothing is available yet. In the latter case call {@link ChunkedWriteHandler#resumeTransfer()}
     *     later
     */
    Object nextChunk() throws Exception;

    /** Returns whether {@link #nextChunk()} has returned everything. May block to find out. */
    boolean isEndOfInput() throws Exception;

    /** Releases the input's resources. Called once: after the last chunk was sent, or on failure. */
    @Override
    void close() throws Exception;
}
