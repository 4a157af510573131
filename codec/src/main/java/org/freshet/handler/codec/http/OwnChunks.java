package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.http.internal.PercentDecoder;

/**
 * Follows the chunks of an answer that the application frames itself, to see where the answer ends. What breaks the grammar is sent all the
 * same; then the end isn't seen.
 *
 * <p>Belongs to one answer. For the thread that writes it.
 */
final class OwnChunks {
    private enum Next {
        SIZE,
        EXTENSION,
        DATA,
        END_OF_DATA,
        TRAILER_LINE,
        TRAILER,
        NOTHING,
        UNKNOWN
    }

    private Next next = Next.SIZE;

    /** Of the chunk: its size so far, then what is left of it. */
    private long left;

    /** Whether what was fed so far ends the answer. */
    boolean isOver() {
        return next == Next.NOTHING;
    }

    void feed(ChannelBuffer bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex() && next != Next.UNKNOWN) {
            if (next == Next.DATA) {
                int taken = (int) Math.min(left, bytes.writerIndex() - at);
                feedData(taken);
                at += taken;
            } else {
                next = behind(bytes.getByte(at));
                at++;
            }
        }
    }

    /** @param bytes of content that isn't in memory; -1 if it isn't known */
    void feed(long bytes) {
        if (next == Next.DATA && bytes >= 0 && bytes <= left) {
            feedData(bytes);
        } else {
            next = Next.UNKNOWN;
        }
    }

    private void feedData(long bytes) {
        left -= bytes;
        if (left == 0) {
            next = Next.END_OF_DATA;
        }
    }

    private Next behind(byte b) {
        return switch (next) {
            case SIZE -> behindSize(b);
            case EXTENSION -> b == '\n' ? behindLine() : Next.EXTENSION;
            case END_OF_DATA -> b == '\r' ? Next.END_OF_DATA : b == '\n' ? Next.SIZE : Next.UNKNOWN;
            case TRAILER_LINE -> b == '\r' ? Next.TRAILER_LINE : b == '\n' ? Next.NOTHING : Next.TRAILER;
            case TRAILER -> b == '\n' ? Next.TRAILER_LINE : Next.TRAILER;
            default -> Next.UNKNOWN; // more than the answer
        };
    }

    private Next behindSize(byte b) {
        int digit = PercentDecoder.hexDigit(b);
        if (digit < 0) {
            return b == '\n' ? behindLine() : Next.EXTENSION;
        }
        left = left << 4 | digit;
        return left > Integer.MAX_VALUE ? Next.UNKNOWN : Next.SIZE;
    }

    private Next behindLine() {
        return left == 0 ? Next.TRAILER_LINE : Next.DATA;
    }
}
