package org.freshet.handler.codec.http;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.HttpHeaders.Names;

/**
 * Reads what the head of an outgoing message declares about its content, and handles content that contradicts it.
 * Stateless.
 */
final class DeclaredContent {
    private DeclaredContent() {}

    /**
     * The {@code Content-Length} in bytes, or -1 if the header is missing.
     *
     * @throws IllegalArgumentException if it isn't a number of bytes, or several headers disagree
     */
    static long lengthOf(HttpMessage message) {
        String first = message.headers().get(Names.CONTENT_LENGTH);
        if (first == null) {
            return -1;
        }
        long length = parse(first);
        return HeaderStatics.isSingle(message.headers(), Names.CONTENT_LENGTH) ? length : agreed(message, length);
    }

    private static long agreed(HttpMessage message, long length) {
        List<String> values = message.headers().getAll(Names.CONTENT_LENGTH);
        for (int i = 1; i < values.size(); i++) {
            if (parse(values.get(i)) != length) {
                throw new IllegalArgumentException("the Content-Length headers contradict each other: " + values);
            }
        }
        return length;
    }

    /** Accepts no sign: {@link Long#parseLong} would, but a peer refuses it. */
    private static long parse(String value) {
        String digits = value.trim();
        if (digits.isEmpty() || digits.charAt(0) == '+' || digits.charAt(0) == '-') {
            throw new IllegalArgumentException("Content-Length is not a number of bytes: '" + value + "'");
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Content-Length is not a number of bytes: '" + value + "'", e);
        }
    }

    /** Whether chunks follow the head and the last one ends the content. A declared length takes precedence. */
    static boolean isInChunks(HttpMessage message, long length) {
        return length < 0 && message.isChunked();
    }

    /**
     * The number of bytes still to follow a message that declares its length.
     *
     * @throws IllegalArgumentException if the message itself already has more content than it declares
     */
    static long missing(HttpMessage message, long length) {
        int present = message.getContent().readableBytes();
        if (length < present) {
            throw new IllegalArgumentException("the message declares a Content-Length of " + length + " but has "
                    + present + " bytes of content: set Content-Length to " + present + ", or leave it out");
        }
        return HttpMessageEncoder.isSentInOneChunk(message) ? 0 : length - present;
    }

    /** In bytes; -1 if it isn't known. */
    static long sizeOf(Object content) {
        if (content instanceof ChannelBuffer buffer) {
            return buffer.readableBytes();
        }
        return content instanceof FileRegion region ? region.getCount() : -1;
    }

    /** The reason for refusing content beyond the declared length. */
    static String tooLong(long bytes, long due) {
        return bytes + " bytes of content were written where " + due + " are left of the declared Content-Length";
    }

    /** The reason for refusing the end of content. */
    static String tooShort(long due) {
        return due + " bytes of the declared Content-Length are missing";
    }

    /** Ends a connection on which a message can't be completed. Closing is the only way to let the peer know. */
    static IllegalStateException close(ChannelHandlerContext ctx, String why) {
        CloseReason reason = CloseReason.of(CloseReason.Kind.LOCAL, why);
        Channels.noteCloseReason(ctx.getChannel(), reason);
        Channels.close(ctx, Channels.future(ctx.getChannel()));
        return new IllegalStateException(why + ", so the connection is closed");
    }
}
