package org.freshet.handler.codec.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.embedder.CodecEmbedderException;
import org.freshet.handler.codec.embedder.DecoderEmbedder;

/**
 * A request as a reader saw it.
 *
 * @param head method and target, then one line per header
 * @param whole whether the end of its content was seen
 */
record SeenRequest(String head, int length, boolean whole) {
    private static final Pattern UPGRADE = Pattern.compile("(?i)\nUpgrade: ");

    /** The first line ends with length and completeness. */
    static SeenRequest parse(String text) {
        int end = text.indexOf('\n') < 0 ? text.length() : text.indexOf('\n');
        String[] words = text.substring(0, end).split(" ");
        int last = words.length - 1;
        String line = String.join(" ", Arrays.copyOf(words, last - 1));
        return new SeenRequest(
                line + text.substring(end), Integer.parseInt(words[last - 1]), Boolean.parseBoolean(words[last]));
    }

    /** How a Freshet decoder reads a connection whose bytes arrive in two reads. */
    static List<SeenRequest> by(HttpRequestDecoder decoder, byte[] connection, int cut) {
        DecoderEmbedder<Object> embedder = new DecoderEmbedder<>(decoder);
        List<SeenRequest> seen = new ArrayList<>();
        try {
            embedder.offer(ChannelBuffers.copiedBuffer(connection, 0, cut));
            embedder.offer(ChannelBuffers.copiedBuffer(connection, cut, connection.length - cut));
        } catch (CodecEmbedderException e) {
            if (!(e.getCause() instanceof HttpFailure)) {
                throw e;
            }
        }
        for (Object product = embedder.poll(); product != null; product = embedder.poll()) {
            take(product, seen);
        }
        return seen;
    }

    private static void take(Object product, List<SeenRequest> seen) {
        if (product instanceof HttpRequest request) {
            seen.add(new SeenRequest(headOf(request), request.getContent().readableBytes(), !request.isChunked()));
            return;
        }
        HttpChunk chunk = (HttpChunk) product;
        SeenRequest last = seen.remove(seen.size() - 1);
        seen.add(new SeenRequest(last.head, last.length + chunk.getContent().readableBytes(), chunk.isLast()));
    }

    private static String headOf(HttpRequest request) {
        StringBuilder head = new StringBuilder(request.getMethod() + " " + request.getUri());
        for (Map.Entry<String, String> header : request.headers()) {
            head.append('\n').append(header.getKey()).append(": ").append(header.getValue());
        }
        return head.toString();
    }

    String method() {
        return head.substring(0, head.indexOf(' '));
    }

    /**
     * After such a request the bytes are not HTTP if the answer grants it; {@link HttpServerCodec} waits for the
     * answer.
     */
    boolean maySwitchProtocol() {
        return method().equals("CONNECT") || UPGRADE.matcher(head).find();
    }

    /** As text that shows every byte. */
    static String shown(byte[] connection) {
        StringBuilder text = new StringBuilder();
        for (char c : new String(connection, ISO_8859_1).toCharArray()) {
            text.append(
                    c == '\r' ? "\\r" : c == '\n' ? "\\n\n" : c < ' ' || c > '~' ? "\\x%02x".formatted((int) c) : c);
        }
        return text.toString();
    }
}
