package org.freshet.microbench.compare.load;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import org.freshet.handler.codec.http2.hpack.HpackDecoder;

/**
 * One client connection of the HTTP/2 load. The fields of its first two answers are decoded and checked, and so are
 * those of a later one if its block differs from the previous one, for instance because the date has changed. If it
 * does not differ, it cannot contain anything that the server would add to its table. Every byte of content is checked.
 *
 * <p>Only the load's thread uses it.
 */
final class Http2Connection implements Closeable {
    /** A stream overtaken by this many others counts as forgotten by the server. A power of two. */
    private static final int SLOTS = 4096;

    private static final int EXAMINED_ANSWERS = 2;
    private static final int CONTROL_BYTES = 4096;

    private final int index;
    private final Wire wire;
    private final SelectionKey key;
    private final Http2Dialect dialect;
    private final HpackDecoder decoder = Http2Dialect.newDecoder();
    private final ByteBuffer out;

    private int nextStreamId = 1;

    /** Requests waiting for the connection's window. */
    private int waiting;

    /** The number of octets that the server lets us send. */
    private long sendWindow = Http2Dialect.INITIAL_WINDOW;

    /** Content received since the last WINDOW_UPDATE. */
    private int credit;

    /** When each stream was opened; 0 for no stream. Indexed by half the stream's number. */
    private final long[] sentAtNanos = new long[SLOTS];

    /** Bytes of content, or -1 before the head. Indexed by half the stream's number. */
    private final int[] received = new int[SLOTS];

    private int examined;
    private byte[] block;

    /** The beginning of an incomplete frame; DATA is handed on in pieces. */
    private ByteBuffer partial = ByteBuffer.allocate(256);

    // The current DATA frame.
    private int dataStreamId;
    private int dataLeft;
    private boolean dataEndsStream;

    Http2Connection(int index, Wire wire, SelectionKey key, Http2Dialect dialect, int streams) {
        this.index = index;
        this.wire = wire;
        this.key = key;
        this.dialect = dialect;
        out = ByteBuffer.allocateDirect(CONTROL_BYTES + streams * dialect.requestBytes());
        out.put(Http2Dialect.opening());
        partial.limit(0);
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    // ---- sending ----

    /** Opens this many more streams, as far as the connection's window allows, and sends pending output. */
    void request(int count) throws IOException {
        waiting += count;
        long now = System.nanoTime();
        while (waiting > 0
                && (dialect.bodyBytes() == 0 || sendWindow >= dialect.bodyBytes())
                && out.remaining() >= dialect.requestBytes() + CONTROL_BYTES / 2) {
            int slot = slot(nextStreamId);
            if (sentAtNanos[slot] != 0) {
                throw new IOException(
                        "connection " + index + ": the server has not answered one stream, but " + SLOTS + " after it");
            }
            sentAtNanos[slot] = now;
            received[slot] = -1;
            dialect.putRequest(out, nextStreamId);
            nextStreamId += 2;
            sendWindow -= dialect.bodyBytes();
            waiting--;
        }
        flush();
    }

    /** Sends as far as the socket takes it, and requests OP_WRITE only if some output is left. */
    private void flush() throws IOException {
        boolean full = !wire.flush();
        if (out.position() > 0 && !full) {
            wire.write(out.flip());
            full = out.compact().position() > 0 || !wire.flush();
        }
        int interest = full ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != interest) {
            key.interestOps(interest);
        }
    }

    // ---- receiving ----

    /** Reads once, checks the input, and returns how many streams were answered. */
    int receive(ByteBuffer space, Stopwatch watch) throws IOException {
        space.clear().put(partial);
        if (wire.read(space) < 0) {
            throw new EOFException("connection " + index + ": the server closed it");
        }
        space.flip();
        int answered = 0;
        while (dataLeft > 0 ? space.hasRemaining() : isWhole(space)) {
            if (dataLeft == 0) {
                frame(space);
            }
            answered += data(space, watch);
        }
        keep(space);
        grantWindow();
        return answered;
    }

    /** Returns whether a whole frame has arrived; for DATA, its header is enough. */
    private static boolean isWhole(ByteBuffer space) {
        if (space.remaining() < Http2Dialect.FRAME_HEADER_BYTES) {
            return false;
        }
        int lengthAndType = space.getInt(space.position());
        return (lengthAndType & 0xff) == Http2Dialect.DATA
                || space.remaining() >= Http2Dialect.FRAME_HEADER_BYTES + (lengthAndType >>> 8);
    }

    private void keep(ByteBuffer space) {
        if (partial.capacity() < space.remaining()) {
            partial = ByteBuffer.allocate(space.remaining() * 2);
        }
        partial.clear().put(space).flip();
    }

    private void frame(ByteBuffer space) throws IOException {
        int lengthAndType = space.getInt();
        int length = lengthAndType >>> 8;
        int flags = space.get();
        int streamId = space.getInt();
        if ((lengthAndType & 0xff) == Http2Dialect.DATA) {
            beginData(length, flags, streamId);
            return;
        }
        ByteBuffer payload = space.slice(space.position(), length);
        space.position(space.position() + length);
        switch (lengthAndType & 0xff) {
            case Http2Dialect.HEADERS -> headers(payload, flags, streamId);
            case Http2Dialect.SETTINGS -> settings(payload, flags);
            case Http2Dialect.WINDOW_UPDATE -> windowUpdate(payload.getInt(), streamId);
            case Http2Dialect.PING -> ping(payload, flags);
            case Http2Dialect.RST_STREAM ->
                throw failure("the server has reset stream " + streamId + ", code " + payload.getInt());
            case Http2Dialect.GOAWAY -> throw failure("the server ends the connection, code " + payload.getInt(4));
            default -> throw failure("unexpected frame of type " + (lengthAndType & 0xff));
        }
    }

    private void headers(ByteBuffer payload, int flags, int streamId) throws IOException {
        if (flags != Http2Dialect.END_HEADERS) {
            throw failure("HEADERS of stream " + streamId + " with the flags " + flags);
        }
        int slot = openSlot(streamId);
        if (received[slot] != -1) {
            throw failure("a second head on stream " + streamId);
        }
        received[slot] = 0;
        if (examined < EXAMINED_ANSWERS || payload.mismatch(ByteBuffer.wrap(block)) >= 0) {
            examined++;
            block = new byte[payload.remaining()];
            payload.get(block);
            dialect.checkFields(decoder, block);
        }
    }

    private void beginData(int length, int flags, int streamId) throws IOException {
        if (flags != 0 && flags != Http2Dialect.END_STREAM) {
            throw failure("DATA of stream " + streamId + " with the flags " + flags);
        }
        if (received[openSlot(streamId)] < 0) {
            throw failure("DATA before the head of stream " + streamId);
        }
        dataStreamId = streamId;
        dataLeft = length;
        dataEndsStream = flags == Http2Dialect.END_STREAM;
    }

    /** Takes the available part of the current DATA frame, if any; returns 1 if it ends its stream. */
    private int data(ByteBuffer space, Stopwatch watch) throws IOException {
        if (dataStreamId == 0) {
            return 0;
        }
        int slot = slot(dataStreamId);
        int count = Math.min(dataLeft, space.remaining());
        if (!dialect.isContent(space.slice(space.position(), count), received[slot])) {
            throw failure("wrong content on stream " + dataStreamId + " after " + received[slot] + " bytes");
        }
        space.position(space.position() + count);
        received[slot] += count;
        dataLeft -= count;
        credit += count;
        if (dataLeft > 0) {
            return 0;
        }
        int ended = dataEndsStream ? end(slot, watch) : 0;
        dataStreamId = 0;
        return ended;
    }

    private int end(int slot, Stopwatch watch) throws IOException {
        if (received[slot] != dialect.answerBytes()) {
            throw failure("stream " + dataStreamId + " ends after " + received[slot] + " bytes");
        }
        watch.lap(sentAtNanos[slot]);
        sentAtNanos[slot] = 0;
        return 1;
    }

    private void settings(ByteBuffer payload, int flags) throws IOException {
        if (flags != Http2Dialect.ACK) {
            Http2Dialect.checkSettings(payload);
            Http2Dialect.putHeader(out, 0, Http2Dialect.SETTINGS, Http2Dialect.ACK, 0);
        }
    }

    /** Not needed for streams: a request's body fits into the smallest initial window. */
    private void windowUpdate(int increment, int streamId) throws IOException {
        if (streamId == 0) {
            sendWindow += increment;
            request(0);
        }
    }

    private void ping(ByteBuffer payload, int flags) {
        if (flags != Http2Dialect.ACK) {
            Http2Dialect.putHeader(out, 8, Http2Dialect.PING, Http2Dialect.ACK, 0);
            out.put(payload);
        }
    }

    private void grantWindow() {
        if (credit >= Http2Dialect.RECEIVE_WINDOW / 2) {
            Http2Dialect.putHeader(out, 4, Http2Dialect.WINDOW_UPDATE, 0, 0);
            out.putInt(credit);
            credit = 0;
        }
    }

    private int openSlot(int streamId) throws IOException {
        int slot = slot(streamId);
        if ((streamId & 1) == 0
                || streamId >= nextStreamId
                || nextStreamId - streamId > 2 * SLOTS
                || sentAtNanos[slot] == 0) {
            throw failure("a frame for stream " + streamId + ", which is not open");
        }
        return slot;
    }

    private static int slot(int streamId) {
        return streamId >> 1 & SLOTS - 1;
    }

    private IOException failure(String what) {
        return new IOException("connection " + index + ": " + what);
    }
}
