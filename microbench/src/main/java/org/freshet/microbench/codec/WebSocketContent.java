package org.freshet.microbench.codec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;

/** The content of the WebSocket benchmarks' messages, and the frames in which a client sends them. */
public enum WebSocketContent {
    ASCII("The quick brown fox jumps over the lazy dog. "),
    /** Each character takes two bytes, except blanks. */
    UTF8_2(
            "\u0448\u0438\u0440\u043e\u043a\u0430\u044f \u044d\u043b\u0435\u043a\u0442\u0440\u0438\u0444\u0438\u043a\u0430\u0446\u0438\u044f "),
    /** Each character takes three bytes. */
    UTF8_3("\u6c34\u306f\u65b9\u5186\u306e\u5668\u306b\u5f93\u3044\u3001"),
    /** Records like those of a service. */
    JSON("");

    private static final int TEXT = 0x81;
    private static final int RSV1 = 0x40;
    private static final byte[] MASK = {0x37, (byte) 0xFA, 0x21, 0x3D};

    private final String unit;

    WebSocketContent(String unit) {
        this.unit = unit;
    }

    /** Returns a text of about that many bytes. */
    String text(int bytes) {
        StringBuilder text = new StringBuilder();
        int length = 0;
        for (int i = 0; length < bytes; i++) {
            String next = this == JSON ? record(i) : unit;
            text.append(next);
            length += next.getBytes(StandardCharsets.UTF_8).length;
        }
        return text.toString();
    }

    private static String record(int i) {
        return "{\"id\":" + (41_000 + i * 7919) + ",\"symbol\":\"" + (char) ('A' + i * 7 % 26)
                + (char) ('A' + i * 11 % 26)
                + "X\",\"price\":" + (i * 37 % 1000) + "." + (i * 13 % 100) + ",\"volume\":" + i * 104_729 % 9973
                + ",\"open\":" + (i % 3 == 0) + "},";
    }

    static byte[] frame(String text, boolean deflated) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        byte[] sent = deflated ? deflate(content) : content;
        ByteBuffer frame = ByteBuffer.allocate(sent.length + 14);
        frame.put((byte) (deflated ? TEXT | RSV1 : TEXT));
        if (sent.length < 126) {
            frame.put((byte) (0x80 | sent.length));
        } else if (sent.length < 1 << 16) {
            frame.put((byte) (0x80 | 126)).putShort((short) sent.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(sent.length);
        }
        frame.put(MASK);
        for (int i = 0; i < sent.length; i++) {
            frame.put((byte) (sent[i] ^ MASK[i % 4]));
        }
        byte[] whole = new byte[frame.position()];
        frame.flip().get(whole);
        return whole;
    }

    /** Ends with an empty block whose last four bytes are left out. */
    private static byte[] deflate(byte[] content) {
        Deflater deflater = new Deflater(6, true);
        deflater.setInput(content);
        byte[] output = new byte[content.length + 64];
        int length = deflater.deflate(output, 0, output.length, Deflater.SYNC_FLUSH);
        deflater.end();
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        deflated.write(output, 0, length - 4);
        return deflated.toByteArray();
    }
}
