package org.freshet.handler.codec.http2;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.internal.lending.Lending;

/**
 * Finds the frames in received bytes (RFC 9113 4 and 6), and checks everything that can be checked on a frame alone. Frames are
 * parsed in place; only frames cut by the end of a read are copied. DATA is passed on as it arrives, except that short frames
 * of a tunnel that came with one read are copied into one piece: an event for each would cost more.
 *
 * <pre>
 *   HEADER ----&gt; DATA (its padding length, pieces, padding) ----&gt; HEADER
 *      |-------&gt; PAYLOAD (all of it) --------------------------&gt;    |
 *      '-------&gt; SKIP (unknown types) -------------------------&gt;    '
 * </pre>
 *
 * <p>Belongs to its connection's thread.
 */
final class FrameReader {
    private enum State {
        HEADER,
        PAD_LENGTH,
        DATA,
        PADDING,
        PAYLOAD,
        SKIP
    }

    /** DATA frames shorter than this may be merged. */
    private static final int SHORT = 1024;

    /** Merged content grows no longer than this. */
    private static final int LONGEST_MERGED = 16 * 1024;

    private final FrameListener listener;
    private final AbuseGuard guard;
    private final int maxFrameSize;
    private final FieldBlock block;

    private State state = State.HEADER;

    /** Whether the peer's SETTINGS, which must come first, have arrived. */
    private boolean hasSettings;

    /** The part that has arrived of a header or payload cut by the end of a read. */
    private byte[] cut = new byte[FrameType.HEADER_LENGTH];

    private int cutLength;

    // The current frame.
    private FrameType type;
    private int flags;
    private int streamId;

    /** Octets of the frame still to be read; for DATA, without the padding. */
    private int remaining;

    private int padding;

    /** The number of frames begun that must be complete before they are delivered; continuations don't count. */
    private long heldFrames;

    FrameReader(FrameListener listener, AbuseGuard guard, int maxFrameSize) {
        this.listener = listener;
        this.guard = guard;
        this.maxFrameSize = maxFrameSize;
        block = new FieldBlock(guard);
    }

    /** Reads everything. The next read completes a frame that this one has cut. */
    void read(ChannelBuffer in) throws Http2Exception {
        boolean hasMore = true;
        while (hasMore) {
            hasMore = switch (state) {
                case HEADER -> readHeader(in);
                case PAD_LENGTH -> readPadLength(in);
                case DATA -> readData(in);
                case PADDING -> readPadding(in);
                case PAYLOAD -> readPayload(in);
                case SKIP -> skip(in);
            };
        }
    }

    // ---- header ----

    private boolean readHeader(ChannelBuffer in) throws Http2Exception {
        if (!isWhole(in, FrameType.HEADER_LENGTH)) {
            return false;
        }
        int length = cut[0] << 16 & 0xff0000 | cut[1] << 8 & 0xff00 | cut[2] & 0xff;
        type = FrameType.of(cut[3] & 0xff);
        flags = cut[4] & 0xff;
        streamId = readInt(cut, 5) & 0x7fffffff;
        if (!hasSettings) {
            requireSettings();
        }
        cutLength = 0;
        if (length > maxFrameSize) {
            throw new Http2Exception(
                    Http2Error.FRAME_SIZE_ERROR,
                    "frame of " + length + " octets exceeds the limit in our SETTINGS of " + maxFrameSize);
        }
        block.checkNext(type, streamId);
        begin(length);
        return true;
    }

    private void requireSettings() throws Http2Exception {
        if (new String(cut, 0, 5, StandardCharsets.ISO_8859_1).equals("HTTP/")) {
            throw new Http2Exception(
                    Http2Error.PROTOCOL_ERROR,
                    "the peer answers in HTTP/1.1: check that the port accepts HTTP/2 and that ALPN selected h2");
        }
        hasSettings = type == FrameType.SETTINGS && !has(FrameType.ACK);
        if (!hasSettings) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "the peer's first frame is not SETTINGS");
        }
    }

    /** Collects this many octets in {@link #cut}. Returns whether they are complete. */
    private boolean isWhole(ChannelBuffer in, int length) {
        int count = Math.min(length - cutLength, in.readableBytes());
        in.readBytes(cut, cutLength, count);
        cutLength += count;
        return cutLength == length;
    }

    private void begin(int length) throws Http2Exception {
        remaining = length;
        padding = 0;
        if (type == null) {
            guard.onUnknownFrame();
            state = State.SKIP;
            return;
        }
        type.check(streamId, length);
        if (type == FrameType.DATA) {
            guard.onData(length, has(FrameType.END_STREAM));
            listener.onDataBegins(streamId, length, has(FrameType.END_STREAM));
            state = has(FrameType.PADDED) ? State.PAD_LENGTH : State.DATA;
        } else {
            state = State.PAYLOAD;
            heldFrames += type == FrameType.CONTINUATION ? 0 : 1;
        }
    }

    /** The number of the frame or field block that is held because it is incomplete; 0 for none. */
    long cutFrame() {
        return state == State.PAYLOAD || block.hasBegun() ? heldFrames : 0;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private boolean skip(ChannelBuffer in) {
        int count = Math.min(remaining, in.readableBytes());
        in.skipBytes(count);
        remaining -= count;
        return ended(remaining == 0);
    }

    private boolean ended(boolean isEnd) {
        if (isEnd) {
            state = State.HEADER;
        }
        return isEnd;
    }

    // ---- DATA ----

    private boolean readPadLength(ChannelBuffer in) throws Http2Exception {
        if (remaining == 0) {
            throw new Http2Exception(Http2Error.FRAME_SIZE_ERROR, "padded DATA frame is empty");
        }
        if (!in.readable()) {
            return false;
        }
        padding = in.readUnsignedByte();
        remaining--;
        if (padding > remaining) {
            throw tooMuchPadding();
        }
        remaining -= padding;
        state = State.DATA;
        listener.onData(streamId, ChannelBuffers.EMPTY_BUFFER, 1, false);
        return true;
    }

    private Http2Exception tooMuchPadding() {
        return new Http2Exception(
                Http2Error.PROTOCOL_ERROR, type + " frame has " + padding + " octets of padding, more than its length");
    }

    private boolean readData(ChannelBuffer in) throws Http2Exception {
        int count = Math.min(remaining, in.readableBytes());
        if (count == 0 && remaining > 0) {
            return false;
        }
        remaining -= count;
        boolean isLast = remaining == 0;
        if (isLast) {
            state = padding > 0 ? State.PADDING : State.HEADER;
        }
        if (isLast && flags == 0 && count < SHORT && listener.mayMergeData(streamId)) {
            int following = shortDataFrom(in, count);
            if (following > 0) {
                passMerged(in, count, following);
                return true;
            }
        }
        ChannelBuffer content = count == 0 ? ChannelBuffers.EMPTY_BUFFER : Lending.owned(in.readSlice(count));
        listener.onData(streamId, content, count, isLast && padding == 0 && has(FrameType.END_STREAM));
        return true;
    }

    /**
     * The octets of content in short DATA frames without flags of the same stream that follow the current frame's content in
     * {@code in}. Stops at an empty frame: otherwise each of many empty frames would scan all that follow.
     */
    private int shortDataFrom(ChannelBuffer in, int current) {
        int total = 0;
        int at = in.readerIndex() + current;
        while (in.writerIndex() - at >= FrameType.HEADER_LENGTH) {
            int length = in.getUnsignedByte(at) << 16 | in.getUnsignedByte(at + 1) << 8 | in.getUnsignedByte(at + 2);
            at += FrameType.HEADER_LENGTH;
            boolean isWhole = length > 0 && length < SHORT && in.writerIndex() - at >= length;
            if (!isWhole || !continuesData(in, at) || current + total + length > LONGEST_MERGED) {
                break;
            }
            total += length;
            at += length;
        }
        return total;
    }

    /** @param end the end of a header */
    private boolean continuesData(ChannelBuffer in, int end) {
        return in.getByte(end - 6) == FrameType.DATA.code
                && in.getByte(end - 5) == 0
                && (in.getByte(end - 4) & 0x7f) == streamId >>> 24
                && in.getUnsignedByte(end - 3) == (streamId >>> 16 & 0xff)
                && in.getUnsignedByte(end - 2) == (streamId >>> 8 & 0xff)
                && in.getUnsignedByte(end - 1) == (streamId & 0xff);
    }

    /**
     * Announces each frame as if it had come alone; none is empty, so the guard counts none. If one is rejected, the content
     * before it is still passed on.
     */
    private void passMerged(ChannelBuffer in, int current, int following) throws Http2Exception {
        ChannelBuffer content = ChannelBuffers.buffer(in.order(), current + following);
        in.readBytes(content, current);
        try {
            while (content.writable()) {
                int length = in.getUnsignedByte(in.readerIndex() + 1) << 8 | in.getUnsignedByte(in.readerIndex() + 2);
                in.skipBytes(FrameType.HEADER_LENGTH);
                listener.onDataBegins(streamId, length, false);
                in.readBytes(content, length);
            }
        } finally {
            listener.onData(streamId, content, content.readableBytes(), false);
        }
    }

    private boolean readPadding(ChannelBuffer in) throws Http2Exception {
        int count = Math.min(padding, in.readableBytes());
        if (count == 0) {
            return false;
        }
        in.skipBytes(count);
        padding -= count;
        boolean isEnd = padding == 0;
        ended(isEnd);
        listener.onData(streamId, ChannelBuffers.EMPTY_BUFFER, count, isEnd && has(FrameType.END_STREAM));
        return true;
    }

    // ---- all others ----

    private boolean readPayload(ChannelBuffer in) throws Http2Exception {
        int length = remaining;
        if (cutLength == 0 && in.readableBytes() >= length && in.hasArray()) {
            int offset = in.arrayOffset() + in.readerIndex();
            in.skipBytes(length);
            state = State.HEADER;
            dispatch(in.array(), offset, length);
            return true;
        }
        if (cut.length < length) {
            cut = Arrays.copyOf(cut, length);
        }
        if (!isWhole(in, length)) {
            return false;
        }
        byte[] payload = cut;
        cut = length > FrameType.HEADER_LENGTH ? new byte[FrameType.HEADER_LENGTH] : cut;
        cutLength = 0;
        state = State.HEADER;
        dispatch(payload, 0, length);
        return true;
    }

    private void dispatch(byte[] payload, int offset, int length) throws Http2Exception {
        switch (type) {
            case HEADERS -> readHeaders(payload, offset, length);
            case CONTINUATION -> {
                block.add(payload, offset, length, has(FrameType.END_HEADERS));
                deliverBlock();
            }
            case PRIORITY -> {
                checkDependency(payload, offset);
                listener.onPriority(streamId);
            }
            case RST_STREAM -> listener.onReset(streamId, Http2Error.of(readInt(payload, offset)));
            case SETTINGS -> readSettings(payload, offset, length);
            case PING -> readPing(payload, offset);
            case GOAWAY ->
                listener.onGoAway(
                        readInt(payload, offset) & 0x7fffffff,
                        Http2Error.of(readInt(payload, offset + 4)),
                        new String(payload, offset + 8, Math.min(length - 8, 256), StandardCharsets.ISO_8859_1));
            case WINDOW_UPDATE -> readWindowUpdate(payload, offset);
            case PRIORITY_UPDATE ->
                listener.onPriorityUpdate(
                        readInt(payload, offset) & 0x7fffffff,
                        new String(payload, offset + 4, Math.min(length - 4, 256), StandardCharsets.ISO_8859_1));
            default -> throw new Http2Exception(Http2Error.PROTOCOL_ERROR, type + " frame, although push is disabled");
        }
    }

    private void readHeaders(byte[] payload, int offset, int length) throws Http2Exception {
        int at = offset;
        int end = offset + length;
        if (has(FrameType.PADDED)) {
            if (at == end) {
                throw new Http2Exception(Http2Error.FRAME_SIZE_ERROR, "padded HEADERS frame is empty");
            }
            padding = payload[at++] & 0xff;
        }
        if (has(FrameType.PRIORITY_FIELDS)) {
            if (end - at < 5) {
                throw new Http2Exception(Http2Error.FRAME_SIZE_ERROR, "HEADERS frame ends within its priority fields");
            }
            checkDependency(payload, at);
            at += 5;
        }
        if (padding > end - at) {
            throw tooMuchPadding();
        }
        block.begin(streamId, payload, at, end - padding - at, has(FrameType.END_HEADERS), has(FrameType.END_STREAM));
        deliverBlock();
    }

    /** RFC 7540's priorities have no effect, but an impossible one is still rejected. */
    private void checkDependency(byte[] payload, int at) throws Http2Exception {
        if ((readInt(payload, at) & 0x7fffffff) == streamId) {
            throw new Http2Exception(Http2Error.PROTOCOL_ERROR, "stream " + streamId + " depends on itself");
        }
    }

    private void deliverBlock() throws Http2Exception {
        if (block.isComplete()) {
            block.deliver(listener);
        }
    }

    private void readSettings(byte[] payload, int offset, int length) throws Http2Exception {
        if (has(FrameType.ACK)) {
            if (length != 0) {
                throw new Http2Exception(Http2Error.FRAME_SIZE_ERROR, "acknowledgement of SETTINGS is not empty");
            }
            listener.onSettingsAck();
            return;
        }
        if (length % 6 != 0) {
            throw new Http2Exception(
                    Http2Error.FRAME_SIZE_ERROR, "SETTINGS frame of " + length + " octets, not a multiple of 6");
        }
        guard.onSettings(length / 6);
        listener.onSettings(payload, offset, length);
    }

    private void readPing(byte[] payload, int offset) throws Http2Exception {
        long data = (long) readInt(payload, offset) << 32 | readInt(payload, offset + 4) & 0xffffffffL;
        if (has(FrameType.ACK)) {
            listener.onPingAck(data);
        } else {
            guard.onPing();
            listener.onPing(data);
        }
    }

    private void readWindowUpdate(byte[] payload, int offset) throws Http2Exception {
        int increment = readInt(payload, offset) & 0x7fffffff;
        if (increment == 0) {
            throw new Http2Exception(
                    Http2Error.PROTOCOL_ERROR, "WINDOW_UPDATE on stream " + streamId + " has an increment of 0");
        }
        listener.onWindowUpdate(streamId, increment);
    }

    private static int readInt(byte[] in, int at) {
        return in[at] << 24 | (in[at + 1] & 0xff) << 16 | (in[at + 2] & 0xff) << 8 | in[at + 3] & 0xff;
    }
}
