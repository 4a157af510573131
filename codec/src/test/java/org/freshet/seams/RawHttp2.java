package org.freshet.seams;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** An HTTP/2 client that grants exactly as much window as a test says. For one thread. */
final class RawHttp2 {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS_AND_STREAM = 5;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** GET, http, / and the authority a, by the indices of HPACK. */
    private static final byte[] REQUEST = {(byte) 0x82, (byte) 0x86, (byte) 0x84, 1, 1, 'a'};

    private final DataInputStream in;
    private final DataOutputStream out;

    /** @param windowBytes for each stream */
    RawHttp2(Socket socket, int windowBytes) throws IOException {
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
        out.write(PREFACE);
        head(6, SETTINGS, 0, 0);
        out.writeShort(INITIAL_WINDOW_SIZE);
        out.writeInt(windowBytes);
        out.flush();
    }

    private void head(int length, int type, int flags, int streamId) throws IOException {
        out.writeByte(length >>> 16);
        out.writeShort(length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(streamId);
    }

    void get(int streamId) throws IOException {
        head(REQUEST.length, HEADERS, END_HEADERS_AND_STREAM, streamId);
        out.write(REQUEST);
        out.flush();
    }

    /** Passes on the content of all streams as it arrives, and grants window for it, until the connection has ended. */
    void readAll(Consumer<byte[]> contents) throws IOException {
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            in.skipNBytes(1);
            int id = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == DATA) {
                contents.accept(payload);
                allow(0, length);
                allow(id, length);
            }
        }
    }

    /** Lets a stream send the given number of bytes more. */
    void allow(int streamId, int bytes) throws IOException {
        if (bytes > 0) {
            head(4, WINDOW_UPDATE, 0, streamId);
            out.writeInt(bytes);
            out.flush();
        }
    }

    /**
     * Reads one stream to its end, and grants window only for what it has read. Returns its bytes, -1 if it was reset.
     */
    long readToEnd(int streamId) throws IOException {
        long received = 0;
        while (true) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int id = in.readInt();
            in.skipNBytes(length);
            if (id == streamId && type == RST_STREAM) {
                return -1;
            }
            if (type == DATA) {
                received += id == streamId ? length : 0;
                allow(0, length);
            }
            if (id == streamId && (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0) {
                return received;
            }
            if (type == DATA) {
                allow(id, length);
            }
        }
    }
}
