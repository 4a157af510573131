package org.freshet.handler.codec.http;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.handler.codec.http.internal.PercentDecoder;

/**
 * Follows the chunks of a response that the application frames itself, to find out where the response ends. Bytes that
 * break the grammar are sent anyway, but then the end is not found.
 *
 * <p>Belongs to one response and the thread that writes it.
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

    /** The size of the chunk so far, then the bytes left of it. */
    private long left;

    /** Whether the bytes fed so far end the response. */
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
                next = after(bytes.getByte(at));
                at++;
            }
        }
    }

    /** @param bytes the length of content that isn't in memory; -1 if not known */
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

    private Next after(byte b) {
        return switch (next) {
            case SIZE -> afterSize(b);
            case EXTENSION -> b == '\n' ? afterLine() : Next.EXTENSION;
            case END_OF_DATA -> b == '\r' ? Next.END_OF_DATA : b == '\n' ? Next.SIZE : Next.UNKNOWN;
            case TRAILER_LINE -> b == '\r' ? Next.TRAILER_LINE : b == '\n' ? Next.NOTHING : Next.TRAILER;
            case TRAILER -> b == '\n' ? Next.TRAILER_LINE : Next.TRAILER;
            default -> Next.UNKNOWN; // bytes after the response
        };
    }

    private Next afterSize(byte b) {
        int digit = PercentDecoder.hexDigit(b);
        if (digit < 0) {
            return b == '\n' ? afterLine() : Next.EXTENSION;
        }
        left = left << 4 | digit;
        return left > Integer.MAX_VALUE ? Next.UNKNOWN : Next.SIZE;
    }

    private Next afterLine() {
        return left == 0 ? Next.TRAILER_LINE : Next.DATA;
    }
}
