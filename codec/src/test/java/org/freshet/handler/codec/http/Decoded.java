package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelUpstreamHandler;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;
import org.freshet.handler.codec.embedder.DecoderSplitChecker;

/** A decoder's output as text, with a check that it is the same however the input is split. */
final class Decoded {
    /**
     * Longer inputs are not split at every pair of positions, because the time for that grows with the cube of the
     * length.
     */
    private static final int MAX_BYTES_FOR_TWO_CUTS = 80;

    private Decoded() {}

    /**
     * Descriptions of the messages and the failure, in order, after checking that every way of splitting the input
     * gives the same.
     */
    static List<String> of(Supplier<? extends ChannelUpstreamHandler> decoder, String latin1) {
        byte[] input = latin1.getBytes(ISO_8859_1);
        if (input.length <= MAX_BYTES_FOR_TWO_CUTS) {
            DecoderSplitChecker.of(decoder)
                    .joiningBuffers()
                    .comparing(Decoded::view)
                    .check(input);
        } else {
            checkSomeCuts(decoder, input);
        }
        return inPieces(decoder, input, input.length);
    }

    private static void checkSomeCuts(Supplier<? extends ChannelUpstreamHandler> decoder, byte[] input) {
        String expected = String.join("", joined(inPieces(decoder, input, input.length)));
        for (int size : new int[] {1, 2, 3, 7, 11, 64, 100, input.length / 2 + 1}) {
            String actual = String.join("", joined(inPieces(decoder, input, size)));
            if (!actual.equals(expected)) {
                throw new AssertionError("in pieces of " + size + ": " + actual + "\nwhole: " + expected);
            }
        }
    }

    /** Consecutive chunks are joined: how many there are depends on how the bytes arrived. */
    private static List<String> joined(List<String> descriptions) {
        List<String> joined = new ArrayList<>();
        boolean inChunk = false;
        for (String description : descriptions) {
            boolean chunk = description.startsWith("chunk ") || description.startsWith("raw ");
            joined.add(chunk && inChunk ? description.substring(description.indexOf(' ') + 1) : "\n" + description);
            inChunk = chunk;
        }
        return joined;
    }

    static List<String> inPieces(Supplier<? extends ChannelUpstreamHandler> decoder, byte[] input, int size) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder.get());
        List<String> descriptions = new ArrayList<>();
        for (int at = 0; at < input.length; at += size) {
            int length = Math.min(size, input.length - at);
            collect(embedder, descriptions, () -> {});
            byte[] piece = java.util.Arrays.copyOfRange(input, at, at + length);
            collect(embedder, descriptions, () -> embedder.offer(ChannelBuffers.wrappedBuffer(piece)));
        }
        collect(embedder, descriptions, embedder::finish);
        return descriptions;
    }

    private static void collect(DecoderEmbedder<Object> embedder, List<String> descriptions, Runnable step) {
        try {
            step.run();
        } catch (CodecEmbedderException e) {
            take(embedder, descriptions);
            descriptions.add(describe(e.getCause()));
        }
        take(embedder, descriptions);
    }

    private static void take(DecoderEmbedder<Object> embedder, List<String> descriptions) {
        for (Object product = embedder.poll(); product != null; product = embedder.poll()) {
            descriptions.add(describe(product).toString());
        }
    }

    /** Content as its bytes, so that the checker may join it. */
    private static Object view(Object product) {
        boolean content = product instanceof HttpChunk && !((HttpChunk) product).isLast();
        if (content) {
            return ((HttpChunk) product).getContent();
        }
        return product instanceof ChannelBuffer ? product : describe(product);
    }

    static String describe(Object product) {
        if (product instanceof HttpFailure) {
            return "failure " + ((HttpFailure) product).suggestedStatus().getCode();
        }
        if (product instanceof Throwable) {
            return product.toString();
        }
        if (product instanceof HttpRequest) {
            HttpRequest request = (HttpRequest) product;
            return request.getMethod() + " " + request.getUri() + " " + rest(request);
        }
        if (product instanceof HttpResponse) {
            HttpResponseStatus status = ((HttpResponse) product).getStatus();
            return status.getCode() + " " + status.getReasonPhrase() + " " + rest((HttpResponse) product);
        }
        if (product instanceof HttpChunkTrailer) {
            return "end" + headers(((HttpChunkTrailer) product).trailingHeaders());
        }
        if (product instanceof HttpChunk) {
            return "chunk " + text(((HttpChunk) product).getContent());
        }
        return "raw " + text((ChannelBuffer) product);
    }

    private static String rest(HttpMessage message) {
        String content = message.isChunked() ? " chunked" : " <" + text(message.getContent()) + ">";
        return message.getProtocolVersion() + headers(message.headers()) + content;
    }

    private static String headers(HttpHeaders headers) {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> header : headers) {
            text.append(" ").append(header.getKey()).append(":").append(header.getValue());
        }
        return text.toString();
    }

    private static String text(ChannelBuffer content) {
        return content.toString(ISO_8859_1);
    }
}
