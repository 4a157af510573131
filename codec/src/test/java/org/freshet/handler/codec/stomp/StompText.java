package org.freshet.handler.codec.stomp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;

/** Frames as text, with {@code ^} for NUL on the wire. */
final class StompText {
    private StompText() {}

    static byte[] wire(String text) {
        return text.replace('^', '\0').getBytes(UTF_8);
    }

    static String wire(ChannelBuffer buffer) {
        return buffer.toString(UTF_8).replace('\0', '^');
    }

    /** Command, headers and content, or the content of a chunk. */
    static Object shown(Object product) {
        if (product instanceof StompFrame frame) {
            String content = frame.isChunked() ? "..." : wire(frame.content());
            return frame.command() + " " + frame.headers() + " " + content;
        }
        if (product instanceof StompChunk chunk) {
            return chunk.isLast() ? "end" : wire(chunk.content());
        }
        return product;
    }

    /** A decoder's output for the input, with a failure last; every split of the input must give the same. */
    static List<Object> decode(DecoderFactory decoders, String input) {
        byte[] bytes = wire(input);
        DecoderSplitChecker.of(decoders::create).comparing(StompText::shown).check(bytes);
        return decodeWhole(decoders.create(), bytes);
    }

    static List<Object> decodeWhole(StompFrameDecoder decoder, byte[] bytes) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        List<Object> outcomes = new ArrayList<>();
        String failure = null;
        try {
            embedder.offer(ChannelBuffers.wrappedBuffer(bytes));
        } catch (CodecEmbedderException e) {
            failure = e.getCause().getClass().getSimpleName() + ": "
                    + e.getCause().getMessage();
        }
        for (Object product = embedder.poll(); product != null; product = embedder.poll()) {
            outcomes.add(shown(product));
        }
        if (failure != null) {
            outcomes.add(failure);
        }
        return outcomes;
    }

    interface DecoderFactory {
        StompFrameDecoder create();
    }
}
