package org.freshet.handler.stream;

import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Cuts a source of unknown length into chunks. Only reading reveals whether there is more, so up to one chunk is read
 * ahead. For use by one thread at a time.
 */
abstract class ReadAhead implements ChunkedInput {
    private final Closeable source;
    private final int chunkBytes;

    /** Null if nothing was read ahead. */
    private ChannelBuffer chunk;

    private boolean ended;
    private long takenBytes;

    ReadAhead(Closeable source, int chunkBytes) {
        this.source = Objects.requireNonNull(source, "in");
        this.chunkBytes = FileChunks.checkChunkBytes(chunkBytes);
    }

    /** Reads like {@link java.io.InputStream#read(byte[])}; 0 means nothing is available yet. */
    abstract int read(byte[] target) throws IOException;

    /** Returns how many bytes {@link #nextChunk()} has returned. */
    public long getTransferredBytes() {
        return takenBytes;
    }

    @Override
    public boolean hasNextChunk() throws Exception {
        look();
        return chunk != null;
    }

    @Override
    public boolean isEndOfInput() throws Exception {
        look();
        return chunk == null && ended;
    }

    /** Returns null at the end, or if nothing is available yet. */
    @Override
    public Object nextChunk() throws Exception {
        look();
        ChannelBuffer taken = chunk;
        chunk = null;
        if (taken != null) {
            takenBytes += taken.readableBytes();
        }
        return taken;
    }

    @Override
    public void close() throws Exception {
        ended = true;
        chunk = null;
        source.close();
    }

    private void look() throws IOException {
        if (chunk != null || ended) {
            return;
        }
        byte[] bytes = new byte[chunkBytes];
        int count = read(bytes);
        if (count < 0) {
            ended = true;
        } else if (count > 0) {
            chunk = ChannelBuffers.wrappedBuffer(bytes, 0, count);
        }
    }
}
