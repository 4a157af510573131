package org.freshet.handler.codec.frame;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/** Frames consist of a digit and as many bytes as it says. Records its input. */
class DigitDecoder extends FrameDecoder {
    final List<ChannelBuffer> shown = new ArrayList<>();
    long copiedBytes;

    DigitDecoder() {}

    @Override
    protected Object decode(ChannelHandlerContext ctx, Channel channel, ChannelBuffer buffer) throws Exception {
        shown.add(buffer);
        int length = buffer.getByte(buffer.readerIndex()) - '0';
        if (buffer.readableBytes() <= length) {
            return null;
        }
        buffer.skipBytes(1);
        return text(buffer.readBytes(length));
    }

    @Override
    protected ChannelBuffer newCumulationBuffer(ChannelHandlerContext ctx, int minimumCapacity) {
        copiedBytes += cumulation.readableBytes();
        return super.newCumulationBuffer(ctx, minimumCapacity);
    }

    ChannelBuffer cumulation() {
        return cumulation;
    }

    // ---- used by tests ----

    static ChannelBuffer bytes(String text) {
        return ChannelBuffers.copiedBuffer(text, US_ASCII);
    }

    static String text(ChannelBuffer buffer) {
        return buffer.toString(US_ASCII);
    }

    static String text(Object product) {
        return product instanceof ChannelBuffer buffer ? text(buffer) : (String) product;
    }

    static List<String> products(DecoderEmbedder<?> embedder) {
        return Arrays.stream(embedder.pollAll()).map(DigitDecoder::text).toList();
    }
}
