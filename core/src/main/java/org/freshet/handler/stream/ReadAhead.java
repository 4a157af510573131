package org.freshet.handler.stream;

import java.io.IOException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Cuts a source of unknown length into chunks. Whether there is more can only be found out by reading, so up to one chunk
 * is read ahead. One thread at a time.
 */
final class ReadAhead {
    /** Reads like {@link java.io.InputStream#read(byte[])}; 0 means nothing now. */
    interface Source {
        int read(byte[] target) throws IOException;
    }

    private final Source source;
    private final int chunkBytes;

    /** Null if nothing was read ahead. */
    private ChannelBuffer chunk;

    private boolean ended;
    private long takenBytes;

    ReadAhead(Source source, int chunkBytes) {
        this.source = source;
        this.chunkBytes = FileChunks.checkChunkBytes(chunkBytes);
    }

    long takenBytes() {
        return takenBytes;
    }

    boolean hasChunk() throws IOException {
        look();
        return chunk != null;
    }

    boolean isAtEnd() throws IOException {
        look();
        return chunk == null && ended;
    }

    /** Null at the end, or if there is nothing now. */
    ChannelBuffer take() throws IOException {
        look();
        ChannelBuffer taken = chunk;
        chunk = null;
        if (taken != null) {
            takenBytes += taken.readableBytes();
        }
        return taken;
    }

    void drop() {
        ended = true;
        chunk = null;
    }

    private void look() throws IOException {
        if (chunk != null || ended) {
            return;
        }
        byte[] bytes = new byte[chunkBytes];
        int count = source.read(bytes);
        if (count < 0) {
            ended = true;
        } else if (count > 0) {
            chunk = ChannelBuffers.wrappedBuffer(bytes, 0, count);
        }
    }
}
