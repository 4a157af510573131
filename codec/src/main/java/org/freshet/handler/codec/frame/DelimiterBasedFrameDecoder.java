package org.freshet.handler.codec.frame;

import java.util.Arrays;
import java.util.Comparator;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Cuts a stream into frames that end with a delimiter, or with one of several.
 *
 * <p>The first complete delimiter ends the frame. If several end at the same byte, the longest counts: with CR LF and
 * LF, the line {@code "a\r\n"} is {@code "a"}. Two delimiters in a row make an empty frame. When the channel closes,
 * bytes after the last delimiter are discarded.
 *
 * <p>A frame longer than {@code maxFrameLength}, not counting its delimiter, is skipped and reported as one
 * {@link TooLongFrameException}: at its end, with its length, or as soon as it is too long if {@code failFast}.
 * Decoding continues with the next frame.
 *
 * @see LineBasedFrameDecoder
 */
@ChannelHandler.Borrower
public class DelimiterBasedFrameDecoder extends FrameDecoder {
    private final DelimitedFrames frames;

    /** Strips the delimiter; {@code failFast} off. */
    public DelimiterBasedFrameDecoder(int maxFrameLength, ChannelBuffer delimiter) {
        this(maxFrameLength, true, delimiter);
    }

    /** {@code failFast} off. */
    public DelimiterBasedFrameDecoder(int maxFrameLength, boolean stripDelimiter, ChannelBuffer delimiter) {
        this(maxFrameLength, stripDelimiter, false, delimiter);
    }

    public DelimiterBasedFrameDecoder(
            int maxFrameLength, boolean stripDelimiter, boolean failFast, ChannelBuffer delimiter) {
        this(maxFrameLength, stripDelimiter, failFast, new ChannelBuffer[] {delimiter});
    }

    /** Strips delimiters; {@code failFast} off. */
    public DelimiterBasedFrameDecoder(int maxFrameLength, ChannelBuffer... delimiters) {
        this(maxFrameLength, true, delimiters);
    }

    /** {@code failFast} off. */
    public DelimiterBasedFrameDecoder(int maxFrameLength, boolean stripDelimiter, ChannelBuffer... delimiters) {
        this(maxFrameLength, stripDelimiter, false, delimiters);
    }

    /**
     * @param maxFrameLength bytes without the delimiter, 1 or more
     * @param stripDelimiter whether to remove delimiters
     * @param failFast whether to report a too long frame before its end arrives
     * @param delimiters at least one, each with at least one readable byte; their bytes are copied
     */
    public DelimiterBasedFrameDecoder(
            int maxFrameLength, boolean stripDelimiter, boolean failFast, ChannelBuffer... delimiters) {
        if (maxFrameLength <= 0) {
            throw new IllegalArgumentException("maxFrameLength <= 0: " + maxFrameLength);
        }
        frames = new DelimitedFrames(search(delimiters), maxFrameLength, stripDelimiter, failFast);
    }

    private static DelimiterSearch search(ChannelBuffer[] delimiters) {
        if (delimiters == null) {
            throw new NullPointerException("delimiters");
        }
        if (delimiters.length == 0) {
            throw new IllegalArgumentException("no delimiter");
        }
        byte[][] bytes = new byte[delimiters.length][];
        for (int i = 0; i < delimiters.length; i++) {
            ChannelBuffer delimiter = delimiters[i];
            if (delimiter == null) {
                throw new NullPointerException("delimiters[" + i + "]");
            }
            if (!delimiter.readable()) {
                throw new IllegalArgumentException("delimiters[" + i + "] is empty");
            }
            bytes[i] = new byte[delimiter.readableBytes()];
            delimiter.getBytes(delimiter.readerIndex(), bytes[i]);
        }
        Arrays.sort(
                bytes,
                Comparator.comparingInt((byte[] delimiter) -> delimiter.length).reversed());
        return new DelimiterSearch(bytes);
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        return frames.next(this, buffer);
    }

    @Override
    protected void onBytesForgotten() {
        frames.reset();
    }
}
