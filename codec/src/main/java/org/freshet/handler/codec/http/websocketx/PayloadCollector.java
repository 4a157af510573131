package org.freshet.handler.codec.http.websocketx;

import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * Collects the content of one frame as it arrives, unmasking it on the way. Uses at most about twice the memory of the bytes
 * that have arrived, whatever length was announced. Belongs to one decoder and its thread.
 */
final class PayloadCollector {
    /** An announced length up to this is trusted. */
    private static final int BELIEVED_BYTES = 1024;

    /** Never longer than the frame; exactly as long once everything has arrived. */
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

    /** The array, of which the first {@link #collected} bytes are valid. */
    byte[] bytes() {
        return bytes;
    }

    int collected() {
        return collected;
    }

    /** Copies bytes of the frame, at most as many as are missing. The source's indexes don't change. */
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

    /** Doubles, so a frame slightly longer than one read isn't copied again. */
    private int roomFor(int needed) {
        return (int) Math.min(length, Math.max(BELIEVED_BYTES, 2L * needed));
    }

    /** Returns the complete content. Nothing else refers to it. */
    ChannelBuffer take() {
        ChannelBuffer content = length == 0 ? ChannelBuffers.EMPTY_BUFFER : ChannelBuffers.wrappedBuffer(bytes);
        bytes = null;
        return content;
    }
}
