package org.freshet.handler.codec.http2;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.CloseReason;
import org.freshet.channel.FileRegion;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.RegionTarget;
import org.freshet.internal.handler.Holding;
import org.freshet.internal.handler.UnsentMessage;

/**
 * A message being sent on a stream, or the part that waits for windows: content or a file region, and the trailers after it. It
 * is first in its stream's queue, then in the chain of messages that complete with a batch.
 *
 * <p>Belongs to its connection's thread.
 */
final class Outgoing {
    /** The target of one transfer from a file region: an array. */
    private static final class Piece implements RegionTarget {
        private final ByteBuffer octets;

        Piece(int capacity) {
            octets = ByteBuffer.allocate(capacity);
        }

        int length() {
            return octets.position();
        }

        @Override
        public ByteBuffer space() {
            return octets;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = Math.min(source.remaining(), octets.remaining());
            octets.put(source.duplicate().limit(source.position() + count));
            source.position(source.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    final StreamChannel channel;

    /** A {@link ChannelBuffer}, a {@link FileRegion}, or null. */
    private final Object body;

    /** Whether the body is a region. Kept because checking the type of each message takes a tenth of the time of a small one. */
    private final boolean isRegion;

    /** The index of a buffer's first octet: its reader index may change. */
    private final int start;

    private final long length;
    private long sent;

    /** Null if the message has no trailers. */
    final FieldList trailers;

    final boolean endsStream;
    private final ChannelFuture future;

    /** Bytes charged to the stream's account; 0 once released. */
    private int charge;

    /** Octets formatted that no {@link PartialWrite} has reported. */
    private int unreported;

    /** Whether a user's region is being asked for octets. It may act on the connection. */
    private boolean isBeingRead;

    /** Whether the message was failed, and a region released. */
    private boolean hasFailed;

    /** The next entry of the queue or chain that this is in. */
    Outgoing next;

    private Outgoing(
            StreamChannel channel,
            Object body,
            boolean isRegion,
            int start,
            long length,
            FieldList trailers,
            boolean endsStream,
            ChannelFuture future) {
        this.charge = channel.outbound.takeCharge();
        this.channel = channel;
        this.body = body;
        this.isRegion = isRegion;
        this.start = start;
        this.length = length;
        this.trailers = trailers;
        this.endsStream = endsStream;
        this.future = future;
    }

    /** @param trailers null for none; they end the stream */
    static Outgoing content(
            StreamChannel channel,
            ChannelBuffer content,
            FieldList trailers,
            boolean endsStream,
            ChannelFuture future) {
        return new Outgoing(
                channel, content, false, content.readerIndex(), content.readableBytes(), trailers, endsStream, future);
    }

    /**
     * @param body a buffer or a file region
     * @param length of the body. A user's region is asked for it once
     */
    static Outgoing of(StreamChannel channel, Object body, long length, boolean endsStream, ChannelFuture future) {
        return body instanceof FileRegion
                ? new Outgoing(channel, body, true, 0, length, null, endsStream, future)
                : content(channel, (ChannelBuffer) body, null, endsStream, future);
    }

    /** A head that has already been written: only its future is left to complete. */
    static Outgoing head(StreamChannel channel, boolean endsStream, ChannelFuture future) {
        return new Outgoing(channel, null, false, 0, 0, null, endsStream, future);
    }

    boolean isRegion() {
        return isRegion;
    }

    /** Whether this is a region that is being asked for its next octets, so its stream can't send others. */
    boolean isBeingRead() {
        return isBeingRead;
    }

    long remaining() {
        return length - sent;
    }

    /** Whether the peer has not cancelled the stream. */
    boolean isWanted() {
        CloseReason reason = channel.getCloseReason();
        return reason == null || reason.kind() != CloseReason.Kind.PEER_RESET;
    }

    /** A part of the message was sent, and more is to follow. */
    void onPartSent(int octets) {
        channel.onWritten(octets);
    }

    /** Returns the octets for a {@link PartialWrite} to report. */
    int takeUnreported() {
        int taken = unreported;
        unreported = 0;
        return taken;
    }

    /**
     * The message's frames were passed to the connection's channel, whose account now includes them; the message itself isn't
     * complete. Returns the charge to release for that.
     */
    int takeChargeOfContent() {
        return takeChargeDownTo(WriteAccount.MESSAGE_BYTES);
    }

    /** Takes the rest of the charge, to be released. */
    int takeCharge() {
        return takeChargeDownTo(0);
    }

    private int takeChargeDownTo(int rest) {
        int taken = Math.max(charge - rest, 0);
        charge -= taken;
        return taken;
    }

    /** A part of a buffer was formatted. The message's overhead stays charged until its end is sent. */
    private void releasePart() {
        channel.release(takeChargeDownTo((int) WriteAccount.costOf(remaining())));
    }

    /** Writes the next octets of a buffer. */
    void write(FrameWriter writer, int count) {
        writer.writeContent((ChannelBuffer) body, start + (int) sent, count);
        sent += count;
        unreported += count;
        if (remaining() > 0) {
            releasePart(); // the end is released when it is passed to the channel, together with others
        }
    }

    /**
     * Reads the next octets of a file. The region may be of a user's class and act on the connection meanwhile.
     *
     * @return null if the message has failed meanwhile
     * @throws IOException if the file is shorter than the region. Anything else a user's region throws passes through
     */
    ChannelBuffer read(int count) throws IOException {
        Piece piece = new Piece(count);
        isBeingRead = true;
        try {
            while (piece.length() < count && !hasFailed) {
                transfer(piece);
            }
        } finally {
            isBeingRead = false;
        }
        if (hasFailed) {
            return null;
        }
        sent += count;
        unreported += count;
        return ChannelBuffers.wrappedBuffer(piece.octets.array());
    }

    private void transfer(Piece piece) throws IOException {
        long transferred = ((FileRegion) body).transferTo(piece, sent + piece.length());
        if (transferred <= 0) {
            throw new IOException("a file region ended after " + (sent + piece.length()) + " of " + length + " bytes");
        }
    }

    /** Releases the charge and the content, and fails the future. May be repeated if memory runs out. */
    void fail(Throwable cause) {
        hasFailed = true;
        channel.release(takeCharge());
        if (isRegion) {
            UnsentMessage.release(body);
        }
        future.setFailure(cause);
    }

    /** Releases the content, after the charge, and completes the future: with success if the cause is null. Never throws. */
    void finish(Throwable cause) {
        if (isRegion) {
            UnsentMessage.release(body);
        }
        Holding.complete(future, cause);
    }
}
