package org.freshet.handler.codec.http2;

import java.util.ArrayDeque;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http.DefaultHttpChunk;
import org.freshet.handler.codec.http.HttpChunk;

/**
 * The received messages of a stream whose handlers have suspended reading. Short chunks are merged, and so are short buffers of
 * a tunnel: a peer that sends one octet at a time can't make us hold more than its window.
 *
 * <p>Belongs to its connection's thread.
 */
final class HeldMessages {
    /** Content shorter than this is appended to the previous entry if it is of the same kind. */
    private static final int SHORT = 1024;

    /** Merged content grows no longer than this. */
    private static final int LONGEST = 16 * 1024;

    /** A message, and its octets of flow control, which are returned once handlers have seen it. */
    record Entry(Object message, int octets) {}

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    /** The last entry's content while it can grow; otherwise null. */
    private ChannelBuffer growing;

    /** Whether that entry is a chunk; if not, it is the buffer itself. */
    private boolean isChunkGrowing;

    int size() {
        return entries.size();
    }

    void add(Object message, int octets) {
        if (message instanceof HttpChunk chunk && !chunk.isLast() && isShort(chunk.getContent())) {
            addShort(chunk.getContent(), true, octets);
        } else if (message instanceof ChannelBuffer content && isShort(content)) {
            addShort(content, false, octets);
        } else {
            growing = null;
            entries.add(new Entry(message, octets));
        }
    }

    private static boolean isShort(ChannelBuffer content) {
        return content.readableBytes() < SHORT;
    }

    private void addShort(ChannelBuffer content, boolean isChunk, int octets) {
        int earlier = 0;
        if (growing == null
                || isChunk != isChunkGrowing
                || growing.readableBytes() + content.readableBytes() > LONGEST) {
            isChunkGrowing = isChunk;
            growing = ChannelBuffers.dynamicBuffer(2 * content.readableBytes());
        } else {
            earlier = entries.pollLast().octets();
        }
        growing.writeBytes(content);
        entries.add(new Entry(isChunk ? new DefaultHttpChunk(growing) : growing, earlier + octets));
    }

    /** Removes the first entry, or null. */
    Entry poll() {
        Entry first = entries.poll();
        if (entries.isEmpty()) {
            growing = null; // handlers own the buffer now
        }
        return first;
    }
}
