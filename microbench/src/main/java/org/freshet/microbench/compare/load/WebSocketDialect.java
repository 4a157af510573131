package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** The messages of the WebSocket load, as sent and received by a client, and the handshake before them. */
public final class WebSocketDialect {
    private static final String REQUEST = String.join(
            "\r\n",
            "GET / HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "",
            "");

    /** The required answer to the sample key of RFC 6455. */
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

    private static final byte[] MASK = {0x37, (byte) 0xFA, 0x21, 0x3D};
    private static final int MASKED = 0x80;

    private WebSocketDialect() {}

    /** The content of messages. */
    public enum Content {
        /** ASCII text. */
        TEXT(1, "The quick brown fox jumps over the lazy dog. "),
        /** A text of characters that take two or three bytes, and some that take one. */
        UTF8(1, "\u042d\u0442\u043e \u0442\u0435\u043a\u0441\u0442, \u6c34\u306f\u6d41\u308c\u308b\u3002"),
        /** Any bytes. */
        BINARY(2, "\u0001\u0002\u0003\u00fe\u00ff");

        private final int opcode;
        private final byte[] unit;

        Content(int opcode, String unit) {
            this.opcode = opcode;
            this.unit = unit.getBytes(opcode == 1 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
        }

        /** Returns whole characters, padded with dots at the end. */
        private byte[] bytes(int size) {
            byte[] bytes = new byte[size];
            int whole = size / unit.length * unit.length;
            for (int i = 0; i < size; i++) {
                bytes[i] = i < whole ? unit[i % unit.length] : (byte) '.';
            }
            return bytes;
        }
    }

    /** Returns the same load with messages as long as a client's frames. */
    public static LoadGenerator.Load raw(LoadGenerator.Load load) {
        int frameBytes = frame(Content.BINARY, load.messageBytes(), true).length;
        return new LoadGenerator.Load(load.connections(), frameBytes, load.depth(), load.seed());
    }

    static byte[] frame(Content content, int size, boolean masked) {
        ByteBuffer frame = ByteBuffer.allocate(size + 14);
        frame.put((byte) (0x80 | content.opcode));
        int flag = masked ? MASKED : 0;
        if (size < 126) {
            frame.put((byte) (flag | size));
        } else if (size < 1 << 16) {
            frame.put((byte) (flag | 126)).putShort((short) size);
        } else {
            frame.put((byte) (flag | 127)).putLong(size);
        }
        byte[] bytes = content.bytes(size);
        if (masked) {
            frame.put(MASK);
            for (int i = 0; i < size; i++) {
                bytes[i] ^= MASK[i % MASK.length];
            }
        }
        frame.put(bytes).flip();
        byte[] whole = new byte[frame.remaining()];
        frame.get(whole);
        return whole;
    }

    /** Turns a blocking channel into a WebSocket. */
    static Wire upgrade(SocketChannel channel) throws IOException {
        ByteBuffer request = StandardCharsets.US_ASCII.encode(REQUEST);
        while (request.hasRemaining()) {
            channel.write(request);
        }
        String head = readHead(channel);
        if (!head.startsWith("HTTP/1.1 101 ") || !head.contains(ACCEPT)) {
            throw new IOException("not the answer to an upgrade: " + head);
        }
        return new Wire.Plain(channel);
    }

    /** Reads byte by byte, to leave the rest unread. */
    private static String readHead(SocketChannel channel) throws IOException {
        StringBuilder head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0) {
            if (channel.read(one.clear()) < 0) {
                throw new EOFException("the server closed the connection after: " + head);
            }
            head.append((char) one.get(0));
        }
        return head.toString();
    }
}
