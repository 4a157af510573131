package org.freshet.handler.codec.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.handler.codec.http2.hpack.HpackEncoder;

/**
 * Writes frames one after another into a batch, which is sent as one message. Short content is copied into the batch; longer
 * content is sent in place.
 *
 * <p>Belongs to its connection's thread.
 */
final class FrameWriter {
    /** Content of at least this length isn't copied. */
    private static final int CHAINED_FROM = 1024;

    private static final int SMALLEST_BATCH = 128;
    private static final int LARGEST_GUESS = 16 * 1024;

    /** The usual maximum size of a head. */
    private static final int USUAL_HEAD = 512;

    private final HpackEncoder hpack;

    /** Null while the batch is empty. */
    private byte[] octets;

    private int start;
    private int at;

    /** The buffers before the octets from {@link #start} on; null while the batch is one buffer. */
    private List<ChannelBuffer> earlier;

    /** Octets in {@link #earlier}. */
    private int earlierLength;

    /** Octets in this batch's earlier arrays, before {@link #octets}. */
    private int inEarlierArrays;

    /** The expected size of the next batch. */
    private int guess = SMALLEST_BATCH;

    private boolean isBroken;

    /** Octets of content that DATA frames still lack. */
    private int contentDue;

    /** Octets of this batch in frames provoked by the peer. */
    private int controlLength;

    // Frames written that the peer has yet to acknowledge.
    private int settingsSent;
    private int pingsSent;

    FrameWriter(HpackEncoder hpack) {
        this.hpack = hpack;
    }

    boolean isEmpty() {
        return at == start && earlier == null;
    }

    /** The octets in the batch. */
    int length() {
        return earlierLength + at - start;
    }

    /**
     * Octets of the batch in frames that answer or refuse something from the peer. Frames sent on our own initiative don't
     * count.
     */
    int takeControlLength() {
        int taken = controlLength;
        controlLength = 0;
        return taken;
    }

    /** Returns the batch, which may be empty. It goes on until {@link #next}: nothing is lost if memory runs out in between. */
    ChannelBuffer batch() {
        if (isEmpty()) {
            return ChannelBuffers.EMPTY_BUFFER;
        }
        if (earlier == null) {
            return ChannelBuffers.wrappedBuffer(octets, start, at - start);
        }
        chain();
        return ChannelBuffers.wrappedBuffer(earlier.toArray(new ChannelBuffer[0]));
    }

    /** The batch was taken: a new, empty one begins. Allocates nothing. */
    void next() {
        guess = Math.min(LARGEST_GUESS, Math.max(SMALLEST_BATCH, inEarlierArrays + at + 32));
        octets = null;
        earlier = null;
        earlierLength = 0;
        inEarlierArrays = 0;
        start = 0;
        at = 0;
    }

    private void ensure(int count) {
        if (octets == null) {
            octets = new byte[Math.max(guess, count)];
        } else if (octets.length - at < count) {
            octets = Arrays.copyOf(octets, Math.max(octets.length * 2, at + count));
        }
    }

    /** Chains the current array if it is long and has no room for the next frame: copying it into a longer one costs more. */
    private void beginFrame(int room) {
        if (octets != null && octets.length - at < room && at - start >= LARGEST_GUESS / 2) {
            chain();
            inEarlierArrays += at;
            octets = null;
            start = 0;
            at = 0;
        }
    }

    private void chain() {
        if (earlier == null) {
            earlier = new ArrayList<>(4);
        }
        if (at > start) {
            earlier.add(ChannelBuffers.wrappedBuffer(octets, start, at - start));
            earlierLength += at - start;
            start = at;
        }
    }

    /** Writes the header of a frame whose payload is short. There is room for all of it, so it can't be cut. */
    private void writeShortHeader(int length, FrameType type, int flags, int streamId) {
        ensure(FrameType.HEADER_LENGTH + length);
        writeHeader(length, type, flags, streamId);
    }

    private void writeHeader(int length, FrameType type, int flags, int streamId) {
        ensure(FrameType.HEADER_LENGTH);
        octets[at] = (byte) (length >>> 16);
        octets[at + 1] = (byte) (length >>> 8);
        octets[at + 2] = (byte) length;
        octets[at + 3] = (byte) type.code;
        octets[at + 4] = (byte) flags;
        at += 5;
        writeInt(streamId);
    }

    /** The next frame was provoked by the peer. */
    private void countControl(int payloadLength) {
        controlLength += FrameType.HEADER_LENGTH + payloadLength;
    }

    /** The caller has ensured the room. */
    private void writeInt(int value) {
        octets[at] = (byte) (value >>> 24);
        octets[at + 1] = (byte) (value >>> 16);
        octets[at + 2] = (byte) (value >>> 8);
        octets[at + 3] = (byte) value;
        at += 4;
    }

    /** Writes octets that are not a frame: a client's preface. */
    void writeRaw(byte[] raw) {
        ensure(raw.length);
        System.arraycopy(raw, 0, octets, at, raw.length);
        at += raw.length;
    }

    /** @param pairs of identifier and value */
    void writeSettings(int... pairs) {
        settingsSent++;
        writeShortHeader(pairs.length / 2 * 6, FrameType.SETTINGS, 0, 0);
        for (int i = 0; i < pairs.length; i += 2) {
            octets[at++] = (byte) (pairs[i] >>> 8);
            octets[at++] = (byte) pairs[i];
            writeInt(pairs[i + 1]);
        }
    }

    void writeSettingsAck() {
        countControl(0);
        writeHeader(0, FrameType.SETTINGS, FrameType.ACK, 0);
    }

    /** Whether an acknowledgement of SETTINGS is outstanding; if so, it counts as received. */
    boolean takeSettingsAck() {
        boolean isDue = settingsSent > 0;
        settingsSent -= isDue ? 1 : 0;
        return isDue;
    }

    /** Whether an answer to a PING is outstanding; if so, it counts as received. */
    boolean takePingAck() {
        boolean isDue = pingsSent > 0;
        pingsSent -= isDue ? 1 : 0;
        return isDue;
    }

    void writePing(long data, boolean isAck) {
        if (isAck) {
            countControl(8);
        } else {
            pingsSent++;
        }
        writeShortHeader(8, FrameType.PING, isAck ? FrameType.ACK : 0, 0);
        writeInt((int) (data >>> 32));
        writeInt((int) data);
    }

    void writeGoAway(int lastStreamId, Http2Error error, String debugData) {
        int length = Math.min(debugData.length(), 128);
        writeShortHeader(8 + length, FrameType.GOAWAY, 0, 0);
        writeInt(lastStreamId);
        writeInt(error.code());
        for (int i = 0; i < length; i++) {
            octets[at++] = (byte) debugData.charAt(i);
        }
    }

    /** @param isProvoked whether the peer caused it, by sending something or by opening the stream */
    void writeReset(int streamId, Http2Error error, boolean isProvoked) {
        if (isProvoked) {
            countControl(4);
        }
        writeShortHeader(4, FrameType.RST_STREAM, 0, streamId);
        writeInt(error.code());
    }

    void writeWindowUpdate(int streamId, int increment) {
        countControl(4);
        writeShortHeader(4, FrameType.WINDOW_UPDATE, 0, streamId);
        writeInt(increment);
    }

    /** @param priority the value of a Priority field (RFC 9218 7.1) */
    void writePriorityUpdate(int streamId, String priority) {
        writeShortHeader(4 + priority.length(), FrameType.PRIORITY_UPDATE, 0, 0);
        writeInt(streamId);
        for (int i = 0; i < priority.length(); i++) {
            octets[at++] = (byte) priority.charAt(i);
        }
    }

    /** Writes HEADERS, and CONTINUATION if the block exceeds the peer's frame size. */
    void writeFields(int streamId, FieldList fields, boolean endsStream, int maxFrameSize) {
        beginFrame(USUAL_HEAD);
        ensure(FrameType.HEADER_LENGTH + HpackEncoder.MAX_BEGIN_LENGTH);
        int header = at;
        boolean wasBroken = isBroken;
        isBroken = true; // if part of a block is lost, the peer's table differs from the encoder's
        at = hpack.begin(octets, at + FrameType.HEADER_LENGTH);
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            String value = fields.value(i);
            ensure(HpackEncoder.maxLength(name, value));
            at = fields.isSensitive(i)
                    ? hpack.encodeSensitive(name, value, octets, at)
                    : hpack.encode(name, value, octets, at);
        }
        int length = at - header - FrameType.HEADER_LENGTH;
        int flags = endsStream ? FrameType.END_STREAM : 0;
        if (length <= maxFrameSize) {
            rewriteHeader(header, length, FrameType.HEADERS, flags | FrameType.END_HEADERS, streamId);
        } else {
            splitBlock(header, length, flags, streamId, maxFrameSize);
        }
        isBroken = wasBroken;
    }

    /** Content was taken for a frame that isn't in the batch. */
    void breakOff() {
        isBroken = true;
    }

    /**
     * Whether a frame was cut, for example by an OutOfMemoryError: the peer would take the next frame for the rest of it, and
     * could decode no later fields.
     */
    boolean isBroken() {
        return isBroken || contentDue > 0;
    }

    private void rewriteHeader(int header, int length, FrameType type, int flags, int streamId) {
        int end = at;
        at = header;
        writeHeader(length, type, flags, streamId);
        at = end;
    }

    private void splitBlock(int header, int length, int flags, int streamId, int maxFrameSize) {
        byte[] block = Arrays.copyOfRange(octets, header + FrameType.HEADER_LENGTH, at);
        at = header;
        for (int from = 0; from < length; from += maxFrameSize) {
            int count = Math.min(maxFrameSize, length - from);
            boolean isFirst = from == 0;
            int endHeaders = from + count == length ? FrameType.END_HEADERS : 0;
            writeHeader(
                    count,
                    isFirst ? FrameType.HEADERS : FrameType.CONTINUATION,
                    (isFirst ? flags : 0) | endHeaders,
                    streamId);
            ensure(count);
            System.arraycopy(block, from, octets, at, count);
            at += count;
        }
    }

    /** Begins a DATA frame. {@link #writeContent} adds its content in pieces. */
    void writeDataHeader(int streamId, int length, boolean endsStream) {
        beginFrame(FrameType.HEADER_LENGTH + Math.min(length, CHAINED_FROM));
        writeHeader(length, FrameType.DATA, endsStream ? FrameType.END_STREAM : 0, streamId);
        contentDue += length;
    }

    void writeContent(ChannelBuffer content, int index, int length) {
        if (length < CHAINED_FROM) {
            ensure(length);
            content.getBytes(index, octets, at, length);
            at += length;
        } else {
            chain();
            earlier.add(content.slice(index, length));
            earlierLength += length;
        }
        contentDue -= length;
    }
}
