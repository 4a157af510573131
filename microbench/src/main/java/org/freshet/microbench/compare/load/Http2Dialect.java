package org.freshet.microbench.compare.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.codec.http2.hpack.HpackException;

/**
 * The requests of the HTTP/2 load: the fields of {@link HttpDialect}'s request, encoded before the run. A connection's
 * first request has its fields in full, all others refer to them by index. Immutable.
 */
final class Http2Dialect {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;

    /** A flag of DATA and HEADERS. */
    static final int END_STREAM = 0x1;

    static final int END_HEADERS = 0x4;

    /** A flag of SETTINGS and PING. */
    static final int ACK = 0x1;

    static final int FRAME_HEADER_BYTES = 9;

    /** A connection's window before any WINDOW_UPDATE (RFC 9113 6.9.2). */
    static final int INITIAL_WINDOW = 65_535;

    /** The number of octets that a server may send on a connection: so many that it never waits. */
    static final int RECEIVE_WINDOW = 1 << 26;

    private static final int SETTINGS_HEADER_TABLE_SIZE = 1;
    private static final int SETTINGS_ENABLE_PUSH = 2;
    static final int SETTINGS_INITIAL_WINDOW_SIZE = 4;
    private static final int STREAM_RECEIVE_WINDOW = 1 << 24;
    private static final int TABLE_BYTES = 4096;

    private final byte[] body;
    private final byte[] first;
    private final byte[] later;
    private final ByteBuffer content;

    Http2Dialect(int bodyBytes, int answerBytes) {
        body = HttpDialect.body(bodyBytes);
        content = ByteBuffer.wrap(bodyBytes > 0 ? HttpDialect.countOf(bodyBytes) : HttpDialect.content(answerBytes));
        List<String> fields = bodyBytes > 0 ? HttpDialect.postFields(bodyBytes) : HttpDialect.requestFields();
        HpackEncoder encoder = new HpackEncoder();
        first = request(encoder, fields);
        later = request(encoder, fields);
        if (!Arrays.equals(later, request(encoder, fields))) {
            throw new IllegalStateException("the blocks of later requests are not the same");
        }
    }

    private byte[] request(HpackEncoder encoder, List<String> fields) {
        byte[] block = new byte[4096];
        int length = encoder.begin(block, 0);
        for (int i = 0; i < fields.size(); i += 2) {
            length = encoder.encode(fields.get(i), fields.get(i + 1), block, length);
        }
        boolean posts = body.length > 0;
        ByteBuffer out = ByteBuffer.allocate(2 * FRAME_HEADER_BYTES + length + body.length);
        putHeader(out, length, HEADERS, END_HEADERS | (posts ? 0 : END_STREAM), 0);
        out.put(block, 0, length);
        if (posts) {
            putHeader(out, body.length, DATA, END_STREAM, 0);
            out.put(body);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    static void putHeader(ByteBuffer out, int length, int type, int flags, int streamId) {
        out.putInt(length << 8 | type).put((byte) flags).putInt(streamId);
    }

    /** Returns the first octets of a connection. */
    static byte[] opening() {
        ByteBuffer out = ByteBuffer.allocate(100);
        out.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        putHeader(out, 12, SETTINGS, 0, 0);
        out.putShort((short) SETTINGS_ENABLE_PUSH).putInt(0);
        out.putShort((short) SETTINGS_INITIAL_WINDOW_SIZE).putInt(STREAM_RECEIVE_WINDOW);
        putHeader(out, 4, WINDOW_UPDATE, 0, 0);
        out.putInt(RECEIVE_WINDOW - INITIAL_WINDOW);
        return Arrays.copyOf(out.array(), out.position());
    }

    int bodyBytes() {
        return body.length;
    }

    /** Returns the maximum number of octets that {@link #putRequest} writes. */
    int requestBytes() {
        return first.length;
    }

    void putRequest(ByteBuffer out, int streamId) {
        int at = out.position();
        byte[] frames = streamId == 1 ? first : later;
        out.put(frames).putInt(at + 5, streamId);
        if (body.length > 0) {
            out.putInt(at + frames.length - body.length - 4, streamId);
        }
    }

    int answerBytes() {
        return content.limit();
    }

    /** Checks a piece of an answer's content, which follows {@code received} bytes. */
    boolean isContent(ByteBuffer piece, int received) {
        return received + piece.remaining() <= content.limit()
                && content.slice(received, piece.remaining()).mismatch(piece) < 0;
    }

    /** Checks the fields of an answer. */
    void checkFields(HpackDecoder decoder, byte[] block) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try {
            decoder.decode(block, 0, block.length, (name, value, neverIndexed) -> fields.put(name, value));
        } catch (HpackException e) {
            throw new IOException("an answer's fields cannot be decoded", e);
        }
        if (!"200".equals(fields.get(":status"))
                || !HttpDialect.CONTENT_TYPE.equals(fields.get("content-type"))
                || !String.valueOf(answerBytes()).equals(fields.get("content-length"))) {
            throw new IOException("unexpected answer: " + fields);
        }
    }

    /** Refuses settings that would make the prepared requests invalid. */
    static void checkSettings(ByteBuffer settings) throws IOException {
        while (settings.hasRemaining()) {
            int id = settings.getShort();
            int value = settings.getInt();
            if (id == SETTINGS_HEADER_TABLE_SIZE && value < TABLE_BYTES
                    || id == SETTINGS_INITIAL_WINDOW_SIZE && value < INITIAL_WINDOW) {
                throw new IOException("the server's setting " + id + " is too small for this load: " + value);
            }
        }
    }

    static HpackDecoder newDecoder() {
        return new HpackDecoder(TABLE_BYTES);
    }
}
