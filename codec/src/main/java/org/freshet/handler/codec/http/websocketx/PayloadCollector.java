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
            bytes = new byte[needed == length ? length : Math.min(length, Math.max(BELIEVED_BYTES, needed))];
        } else if (needed > bytes.length) {
            int doubled = (int) Math.min(length, Math.max(needed, 2L * bytes.length));
            bytes = Arrays.copyOf(bytes, doubled);
        }
    }

    /** The whole content, to which nothing else refers. */
    ChannelBuffer take() {
        ChannelBuffer content =
                length == 0 ? ChannelBuffers.EMPTY_BUFFER : ChannelBuffers.wrappedBuffer(bytes, 0, length);
        bytes = null;
        return content;
    }
}
