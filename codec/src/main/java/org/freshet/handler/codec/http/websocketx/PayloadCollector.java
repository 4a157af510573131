package org.freshet.handler.codec.http.websocketx;

import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Collects the content of one frame as it arrives, and unmasks it on the way. Takes no more memory than about twice what has
 * arrived, whatever length was announced. Belongs to one decoder and its thread.
 */
final class PayloadCollector {
    /** An announced length up to this is believed. */
    private static final int BELIEVED_BYTES = 1024;

    /** No longer than the frame; as long once all has arrived. */
    private byte[] bytes;

    private int length;
    private int collected;
    private int mask;
    private boolean masked;

    void start(int length, boolean masked, int mask) {
        this.length = length;
        this.masked = masked;
        this.mask = mask;
        collected = 0;
        bytes = null;
    }

    int missing() {
        return length - collected;
    }

    /** The array; the first {@link #collected} bytes are there. */
    byte[] bytes() {
        return bytes;
    }

    int collected() {
        return collected;
    }

    /** Copies bytes of the frame, no more than are missing; the source's indexes stay. */
    void add(ChannelBuffer source, int index, int count) {
        ensureRoomFor(count);
        if (masked) {
            Masks.copy(Masks.after(mask, collected), source, index, bytes, collected, count);
        } else {
            source.getBytes(index, bytes, collected, count);
        }
        collected += count;
    }

    private void ensureRoomFor(int count) {
        int needed = collected + count;
        if (bytes == null) {
            bytes = new byte[roomFor(needed)];
        } else if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, roomFor(needed));
        }
    }

    /** Half of it is still to come, so that a frame which is a little longer than a read is not copied again. */
    private int roomFor(int needed) {
        return (int) Math.min(length, Math.max(BELIEVED_BYTES, 2L * needed));
    }

    /** The whole content, to which nothing else refers. */
    ChannelBuffer take() {
        ChannelBuffer content = length == 0 ? ChannelBuffers.EMPTY_BUFFER : ChannelBuffers.wrappedBuffer(bytes);
        bytes = null;
        return content;
    }
}
