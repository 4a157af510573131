package org.freshet.example.portunification;

import java.nio.charset.StandardCharsets;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelPipeline;
import org.freshet.handler.codec.compression.ZlibDecoder;
import org.freshet.handler.codec.compression.ZlibEncoder;
import org.freshet.handler.codec.compression.ZlibWrapper;
import org.freshet.handler.codec.frame.CorruptedFrameException;
import org.freshet.handler.codec.frame.FrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldBasedFrameDecoder;
import org.freshet.handler.codec.frame.LengthFieldPrepender;
import org.freshet.handler.codec.frame.LineBasedFrameDecoder;
import org.freshet.handler.codec.string.StringDecoder;
import org.freshet.handler.codec.string.StringEncoder;

/**
 * Looks at the first two bytes of a connection and replaces itself with the handlers for that protocol. The bytes are
 * not consumed: when this handler leaves, all received bytes go to the handlers that follow it.
 *
 * <pre>
 * 1F 8B      gzip: another detector looks at the content
 * 00 ..      frames, each after its length (4 bytes, big endian)
 * text       lines
 * </pre>
 */
final class ProtocolDetector extends FrameDecoder {
    private static final int MAX_FRAME_BYTES = 1024;
    private static final int MAX_GZIP_OUTPUT_BYTES = 1024 * 1024;
    private static final int GZIP_MAGIC = 0x1F8B;
    private static final int LENGTH_BYTES = 4;

    private final boolean withinGzip;

    ProtocolDetector(boolean withinGzip) {
        this.withinGzip = withinGzip;
    }

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer)
            throws CorruptedFrameException {
        if (buffer.readableBytes() < 2) {
            return null;
        }
        int start = buffer.getUnsignedShort(buffer.readerIndex());
        if (start == GZIP_MAGIC && !withinGzip) {
            speakGzip(ctx.getPipeline());
        } else if (start >>> 8 == 0) {
            speakFrames(ctx.getPipeline());
        } else if (isText(start >>> 8) && isText(start & 0xFF)) {
            speakLines(ctx.getPipeline());
        } else {
            buffer.skipBytes(buffer.readableBytes()); // unread bytes would be decoded again when the channel closes
            throw new CorruptedFrameException(String.format("no protocol starts with 0x%04X", start));
        }
        ctx.getPipeline().remove(this);
        return null;
    }

    private static boolean isText(int b) {
        return b >= ' ' || b == '\r' || b == '\n' || b == '\t';
    }

    private static void speakGzip(ChannelPipeline pipeline) {
        pipeline.addBefore("handler", "gunzip", new ZlibDecoder(ZlibWrapper.GZIP, MAX_GZIP_OUTPUT_BYTES));
        pipeline.addBefore("handler", "gzip", new ZlibEncoder(ZlibWrapper.GZIP));
        pipeline.addBefore("handler", "detector within", new ProtocolDetector(true));
    }

    private static void speakFrames(ChannelPipeline pipeline) {
        LengthFieldBasedFrameDecoder frames =
                new LengthFieldBasedFrameDecoder(MAX_FRAME_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
        pipeline.addBefore("handler", "frames", frames);
        pipeline.addBefore("handler", "lengths", new LengthFieldPrepender(LENGTH_BYTES));
        speakText(pipeline);
    }

    private static void speakLines(ChannelPipeline pipeline) {
        pipeline.addBefore("handler", "lines", new LineBasedFrameDecoder(MAX_FRAME_BYTES));
        speakText(pipeline);
    }

    private static void speakText(ChannelPipeline pipeline) {
        pipeline.addBefore("handler", "decoder", new StringDecoder(StandardCharsets.UTF_8));
        pipeline.addBefore("handler", "encoder", new StringEncoder(StandardCharsets.UTF_8));
    }
}
