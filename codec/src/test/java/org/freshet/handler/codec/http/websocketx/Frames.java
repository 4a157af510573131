package org.freshet.handler.codec.http.websocketx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Frames as bytes and as text, for tests. */
final class Frames {
    private Frames() {}

    /** Bytes from pairs of hexadecimal digits; blanks are ignored. */
    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** A frame as sent by a server. */
    static byte[] unmasked(int first, byte[] content) {
        return frame(first, 0, content);
    }

    static byte[] unmasked(int first, String utf8) {
        return unmasked(first, utf8.getBytes(UTF_8));
    }

    /** A frame as sent by a client, with the mask of the examples in RFC 6455. */
    static byte[] masked(int first, byte[] content) {
        byte[] mask = hex("37fa213d");
        byte[] changed = content.clone();
        for (int i = 0; i < changed.length; i++) {
            changed[i] ^= mask[i % 4];
        }
        byte[] plain = frame(first, 0x80, changed);
        int head = plain.length - content.length;
        return concat(Arrays.copyOf(plain, head), mask, Arrays.copyOfRange(plain, head, plain.length));
    }

    static byte[] masked(int first, String utf8) {
        return masked(first, utf8.getBytes(UTF_8));
    }

    private static byte[] frame(int first, int maskBit, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first);
        if (content.length < 126) {
            out.write(maskBit | content.length);
        } else {
            int lengthBytes = content.length < 65536 ? 2 : 8;
            out.write(maskBit | (lengthBytes == 2 ? 126 : 127));
            for (int i = lengthBytes - 1; i >= 0; i--) {
                out.write((int) ((long) content.length >>> 8 * i));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    /** Kind, unusual flags, and content. */
    static String describe(Object product) {
        if (product instanceof ChannelBuffer buffer) {
            return "bytes " + ChannelBuffers.hexDump(buffer);
        }
        if (!(product instanceof WebSocketFrame frame)) {
            return String.valueOf(product);
        }
        String kind = frame.getClass().getSimpleName().replace("WebSocketFrame", "");
        String flags = (frame.isFinalFragment() ? "" : " more") + (frame.getRsv() == 0 ? "" : " rsv" + frame.getRsv());
        if (frame instanceof TextWebSocketFrame text && frame.isFinalFragment() && frame.getRsv() == 0) {
            return kind + flags + " '" + text.getText() + "'";
        }
        if (frame instanceof CloseWebSocketFrame close) {
            return kind + flags + " " + close.getStatusCode() + " '" + close.getReasonText() + "'";
        }
        return kind + flags + " " + ChannelBuffers.hexDump(frame.content());
    }

    static List<String> describe(List<Object> products) {
        List<String> descriptions = new ArrayList<>();
        products.forEach(product -> descriptions.add(describe(product)));
        return descriptions;
    }
}
