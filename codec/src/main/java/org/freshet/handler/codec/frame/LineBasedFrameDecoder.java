package org.freshet.handler.codec.frame;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandler;
import org.freshet.channel.ChannelHandlerContext;

/**
 * Cuts a stream into lines that end with LF or CR LF; a CR elsewhere is part of its line. Bytes after the last line end
 * are discarded when the channel closes.
 *
 * <p>A line longer than {@code maxLength}, not counting its end, is skipped and reported as one {@link
 * TooLongFrameException}: at its end with its length, or as soon as it is too long if {@code failFast}. Decoding continues
 * with the next line.
 */
@ChannelHandler.Borrower
public class LineBasedFrameDecoder extends FrameDecoder {
    private static final DelimiterSearch LINE_END = new DelimiterSearch(new byte[] {'\r', '\n'}, new byte[] {'\n'});

    private final DelimitedFrames frames;

    /** Strips line ends and fails late. */
    public LineBasedFrameDecoder(int maxLength) {
        this(maxLength, true, false);
    }

    /**
     * @param maxLength bytes without the line end, 0 or more
     * @param stripDelimiter whether lines are sent on without their end
     * @param failFast whether a too long line is reported before its end is seen
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
    public void beforeAdd(ChannelHandlerContext ctx) throws Exception {
        super.beforeAdd(ctx);
        frames.reset();
    }
}
