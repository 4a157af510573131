package org.freshet.handler.codec.http2;

import java.util.Arrays;

/**
 * A field block assembled from HEADERS and CONTINUATION frames. No other frame may come between them (RFC 9113 6.10). A block
 * in a single frame isn't copied.
 *
 * <p>Belongs to its connection's thread.
 */
final class FieldBlock {
    private final AbuseGuard guard;

    /** 0 while there is no open block. */
    private int streamId;

    private byte[] octets;
    private int offset;
    private int length;
    private int continuations;
    private boolean isComplete;
    private boolean endsStream;

    FieldBlock(AbuseGuard guard) {
        this.guard = guard;
    }

    /** While a block is open, rejects any frame but its continuation; otherwise rejects a continuation. */
    void checkNext(FrameType type, int nextStreamId) throws Http2Exception {
        boolean isContinuation = type == FrameType.CONTINUATION;
        if (streamId == 0 ? isContinuation : !isContinuation || nextStreamId != streamId) {
            throw new Http2Exception(
                    Http2Error.PROTOCOL_ERROR,
                    streamId == 0
                            ? "CONTINUATION frame without an open field block"
                            : "frame on stream " + nextStreamId + " within a field block of stream " + streamId);
        }
    }

    void begin(int ofStream, byte[] in, int at, int count, boolean isWhole, boolean endsStream) throws Http2Exception {
        streamId = ofStream;
        this.endsStream = endsStream;
        continuations = 0;
        isComplete = isWhole;
        offset = isWhole ? at : 0;
        length = count;
        octets = isWhole ? in : Arrays.copyOfRange(in, at, at + count);
        guard.onFieldBlock(length, 0, count, isWhole);
    }

    void add(byte[] in, int at, int count, boolean isLast) throws Http2Exception {
        guard.onFieldBlock(length + count, ++continuations, count, isLast);
        octets = Arrays.copyOf(octets, length + count);
        System.arraycopy(in, at, octets, length, count);
        length += count;
        isComplete = isLast;
    }

    boolean hasBegun() {
        return streamId != 0;
    }

    boolean isComplete() {
        return isComplete;
    }

    void deliver(FrameListener listener) throws Http2Exception {
        int of = streamId;
        byte[] whole = octets;
        streamId = 0;
        isComplete = false;
        octets = null;
        listener.onHeaders(of, whole, offset, length, endsStream);
    }
}
