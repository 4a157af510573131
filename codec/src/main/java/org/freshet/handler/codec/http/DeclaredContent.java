package org.freshet.handler.codec.http;

import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.Channels;
import org.freshet.channel.CloseReason;
import org.freshet.channel.FileRegion;
import org.freshet.handler.codec.http.HttpHeaders.Names;

/**
 * What the head of an outgoing request or response declares about its content, and what happens when the content contradicts it.
 * Stateless.
 */
final class DeclaredContent {
    private DeclaredContent() {}

    /**
     * The {@code Content-Length} in bytes, or -1 if there is none.
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
                throw new IllegalArgumentException("contradicting Content-Length headers: " + values);
            }
        }
        return length;
    }

    /** Takes no sign: {@link Long#parseLong} alone would, and a peer refuses it. */
    private static long parse(String value) {
        String digits = value.trim();
        if (digits.isEmpty() || digits.charAt(0) == '+' || digits.charAt(0) == '-') {
            throw new IllegalArgumentException("a Content-Length that is not a number of bytes: '" + value + "'");
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a Content-Length that is not a number of bytes: '" + value + "'", e);
        }
    }

    /** Whether chunks follow the head and their last one ends the content; a declared length has precedence. */
    static boolean isInChunks(HttpMessage message, long length) {
        return length < 0 && (message.isChunked() || HttpHeaders.isTransferEncodingChunked(message));
    }

    /**
     * How many bytes are to follow a message that declares its length.
     *
     * @throws IllegalArgumentException if the message itself has more content than it declares
     */
    static long missing(HttpMessage message, long length) {
        int present = message.getContent().readableBytes();
        if (length < present) {
            throw new IllegalArgumentException("the message declares a Content-Length of " + length + " and has "
                    + present + " bytes of content: set the length to that, or leave it out");
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

    /** Why content is refused. */
    static String tooLong(long bytes, long due) {
        return bytes + " bytes of content where " + due + " are left of the declared Content-Length";
    }

    /** Why the end of content is refused. */
    static String tooShort(long due) {
        return due + " bytes of the declared Content-Length are missing";
    }

    /** Ends a connection on which a message can't be completed: only that tells the peer. */
    static IllegalStateException close(ChannelHandlerContext ctx, String why) {
        CloseReason reason = CloseReason.of(CloseReason.Kind.LOCAL, why);
        Channels.noteCloseReason(ctx.getChannel(), reason);
        Channels.close(ctx, Channels.future(ctx.getChannel()));
        return new IllegalStateException(why + ", so the connection is closed");
    }
}
