package org.freshet.microbench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;
import org.freshet.handler.codec.http2.hpack.HpackException;

/**
 * A WebSocket on the only stream of an HTTP/2 connection (RFC 8441). Written bytes are sent as DATA, one frame for each
 * message or part of one; read bytes are the content of DATA.
 *
 * <p>Only the load's thread uses it.
 */
final class TunnelWire implements Wire {
    private static final int STREAM = 1;
    private static final int MAX_FRAME_BYTES = 16 * 1024;
    private static final int OUT_BYTES = 256 * 1024;

    /** Reserved for answers to SETTINGS and PING, and for WINDOW_UPDATE. */
    private static final int CONTROL_BYTES = 4096;

    private static final List<String> REQUEST = List.of(
            ":method",
            "CONNECT",
            ":protocol",
            "websocket",
            ":scheme",
            "http",
            ":path",
            "/",
            ":authority",
            "localhost",
            "sec-websocket-version",
            "13");

    private final SocketChannel channel;
    private final int messageBytes;
    private final ByteBuffer out = ByteBuffer.allocateDirect(OUT_BYTES);

    /** Bytes read but not parsed. */
    private final ByteBuffer in = ByteBuffer.allocateDirect(OUT_BYTES).flip();

    private boolean isOpen;
    private long connectionWindow = Http2Dialect.INITIAL_WINDOW;
    private long streamWindow = Http2Dialect.INITIAL_WINDOW;

    /** Bytes left of the message being sent. */
    private int messageLeft;

    /** Bytes left of the DATA frame being read. */
    private int dataLeft;

    /** Content received since the last WINDOW_UPDATE. */
    private int credit;

    /** @param messageBytes size of each message sent */
    TunnelWire(SocketChannel channel, int messageBytes) throws IOException {
        this.channel = channel;
        this.messageBytes = messageBytes;
        messageLeft = messageBytes;
        out.put(Http2Dialect.opening());
        byte[] block = new byte[1024];
        HpackEncoder encoder = new HpackEncoder();
        int length = encoder.begin(block, 0);
        for (int i = 0; i < REQUEST.size(); i += 2) {
            length = encoder.encode(REQUEST.get(i), REQUEST.get(i + 1), block, length);
        }
        Http2Dialect.putHeader(out, length, Http2Dialect.HEADERS, Http2Dialect.END_HEADERS, STREAM);
        out.put(block, 0, length);
        flush();
        while (!isOpen) {
            if (fill() < 0) {
                throw new EOFException("the server closed the connection before the handshake was done");
            }
            takeFrames();
            flush();
        }
    }

    // ---- sending ----

    @Override
    public int write(ByteBuffer source) throws IOException {
        int before = source.remaining();
        while (source.hasRemaining()) {
            long window = Math.min(connectionWindow, streamWindow);
            int room = out.remaining() - CONTROL_BYTES;
            int count = (int) Math.min(Math.min(window, room), Math.min(messageLeft, source.remaining()));
            count = Math.min(count, MAX_FRAME_BYTES);
            if (count <= 0) {
                break;
            }
            put(source, count);
        }
        return before - source.remaining();
    }

    private void put(ByteBuffer source, int count) {
        Http2Dialect.putHeader(out, count, Http2Dialect.DATA, 0, STREAM);
        out.put(source.slice(source.position(), count));
        source.position(source.position() + count);
        connectionWindow -= count;
        streamWindow -= count;
        messageLeft -= count;
        if (messageLeft == 0) {
            messageLeft = messageBytes;
        }
    }

    @Override
    public boolean flush() throws IOException {
        if (out.position() > 0) {
            channel.write(out.flip());
            out.compact();
        }
        return out.position() == 0;
    }

    // ---- receiving ----

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (fill() < 0) {
            return -1;
        }
        int start = target.position();
        while (true) {
            takeFrames();
            int count = Math.min(Math.min(dataLeft, in.remaining()), target.remaining());
            if (count == 0) {
                break;
            }
            target.put(in.slice(in.position(), count));
            in.position(in.position() + count);
            dataLeft -= count;
            credit += count;
        }
        grantWindows();
        return target.position() - start;
    }

    private int fill() throws IOException {
        in.compact();
        int count = channel.read(in);
        in.flip();
        return count;
    }

    /** Processes frames up to the next content. */
    private void takeFrames() throws IOException {
        while (dataLeft == 0 && in.remaining() >= Http2Dialect.FRAME_HEADER_BYTES) {
            int lengthAndType = in.getInt(in.position());
            boolean isData = (lengthAndType & 0xff) == Http2Dialect.DATA;
            if (!isData && in.remaining() < Http2Dialect.FRAME_HEADER_BYTES + (lengthAndType >>> 8)) {
                return;
            }
            frame();
        }
    }

    private void frame() throws IOException {
        int lengthAndType = in.getInt();
        int length = lengthAndType >>> 8;
        int flags = in.get();
        int streamId = in.getInt();
        if ((lengthAndType & 0xff) == Http2Dialect.DATA) {
            if (flags != 0 || streamId != STREAM || !isOpen) {
                throw new IOException("DATA of stream " + streamId + " with the flags " + flags);
            }
            dataLeft = length;
            return;
        }
        ByteBuffer payload = in.slice(in.position(), length);
        in.position(in.position() + length);
        switch (lengthAndType & 0xff) {
            case Http2Dialect.HEADERS -> headers(payload);
            case Http2Dialect.SETTINGS -> settings(payload, flags);
            case Http2Dialect.PING -> acknowledge(Http2Dialect.PING, flags, payload);
            case Http2Dialect.WINDOW_UPDATE -> windowUpdate(streamId, payload.getInt());
            default -> throw new IOException("unexpected frame of type " + (lengthAndType & 0xff));
        }
    }

    private void headers(ByteBuffer payload) throws IOException {
        byte[] block = new byte[payload.remaining()];
        payload.get(block);
        Map<String, String> fields = new HashMap<>();
        try {
            Http2Dialect.newDecoder()
                    .decode(block, 0, block.length, (name, value, neverIndexed) -> fields.put(name, value));
        } catch (HpackException e) {
            throw new IOException("the answer's fields cannot be decoded", e);
        }
        if (isOpen || !"200".equals(fields.get(":status"))) {
            throw new IOException("not the answer to an extended CONNECT: " + fields);
        }
        isOpen = true;
    }

    private void settings(ByteBuffer payload, int flags) {
        acknowledge(Http2Dialect.SETTINGS, flags, ByteBuffer.allocate(0));
        while (payload.hasRemaining()) {
            int id = payload.getShort();
            int value = payload.getInt();
            if (id == Http2Dialect.SETTINGS_INITIAL_WINDOW_SIZE) {
                streamWindow += value - Http2Dialect.INITIAL_WINDOW; // a server sends this once
            }
        }
    }

    private void acknowledge(int type, int flags, ByteBuffer payload) {
        if (flags != Http2Dialect.ACK) {
            Http2Dialect.putHeader(out, payload.remaining(), type, Http2Dialect.ACK, 0);
            out.put(payload);
        }
    }

    private void windowUpdate(int streamId, int increment) {
        if (streamId == 0) {
            connectionWindow += increment;
        } else {
            streamWindow += increment;
        }
    }

    private void grantWindows() throws IOException {
        if (credit >= Http2Dialect.INITIAL_WINDOW) {
            for (int streamId : new int[] {0, STREAM}) {
                Http2Dialect.putHeader(out, 4, Http2Dialect.WINDOW_UPDATE, 0, streamId);
                out.putInt(credit);
            }
            credit = 0;
            flush();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
