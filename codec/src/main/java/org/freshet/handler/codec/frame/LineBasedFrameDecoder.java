package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Cuts a stream into lines that end with LF or CR LF; a CR elsewhere is part of its line. When the channel closes,
 * bytes after the last line end are discarded.
 *
 * <p>A line longer than {@code maxLength}, not counting its end, is skipped and reported as one
 * {@link TooLongFrameException}: at its end, with its length, or as soon as it is too long if {@code failFast}.
 * Decoding continues with the next line.
 */
@ChannelHandler.Borrower
public class LineBasedFrameDecoder extends FrameDecoder {
    private static final DelimiterSearch LINE_END = new DelimiterSearch(new byte[] {'\r', '\n'}, new byte[] {'\n'});

    private final DelimitedFrames frames;

    /** Strips line ends; {@code failFast} off. */
    public LineBasedFrameDecoder(int maxLength) {
        this(maxLength, true, false);
    }

    /**
     * @param maxLength bytes without the line end, 0 or more
     * @param stripDelimiter whether to remove line ends
     * @param failFast whether to report a too long line before its end arrives
     */
    public LineBasedFrameDecoder(int maxLength, boolean stripDelimiter, boolean failFast) {
        if (maxLength < 0) {
            throw new IllegalArgumentException("maxLength < 0: " + maxLength);
        }
        frames = new DelimitedFrames(LINE_END, maxLength, stripDelimiter, failFast);
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
