package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.Channels;
import org.freshet.channel.DownstreamMessageEvent;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.HeldWrite;

/**
 * Encrypts messages, each directly from its own memory. In a step only.
 *
 * <p>Small messages that wait together share a record. The records of one batch, or of a handshake flight, are sent in one
 * write. If a record is known to fill its room, it is encrypted in place. Short ones pass through a scratch buffer, because an
 * engine demands room for a full record however little there is to encrypt.
 */
final class RecordWriter {
    /** The approximate plaintext per write; more is sent in several writes. */
    private static final int CHUNK_BYTES = 64 * 1024;

    /** The plaintext of a full record. */
    private static final int RECORD_BYTES = 16 * 1024;

    /** A last record of at least this size gets its own room, part of which stays unused, instead of being copied. */
    private static final int MIN_IN_PLACE_BYTES = 12 * 1024;

    private static final int MAX_MESSAGES = 64;

    /** With each record, an engine looks at all the pieces it is offered; more of them would cost quadratic time. */
    private static final int MAX_PIECES_OFFERED = 64;

    private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

    private final TlsState state;

    /** The current batch: its messages, their bytes, and the first piece not used up. */
    private final List<HeldWrite> messages = new ArrayList<>();

    private ByteBuffer[] pieces = NOTHING;
    private int firstPiece;
    private long plainBytesLeft;

    /** Ciphertext for {@link #take}: the chunk, then the scratch buffer. Null while there is nothing to take. */
    private ByteBuffer chunk;

    private ByteBuffer scratch;

    private boolean scratchIsPooled;

    /** Plaintext encrypted into {@link #chunk} and {@link #scratch}. */
    private int chunkPlainBytes;

    RecordWriter(TlsState state) {
        this.state = state;
    }

    /** Takes the messages at the head of the queue as the next batch. There must be at least one, and no current batch. */
    void startBatch(OutboundQueue queue) {
        List<ByteBuffer> bytes = new ArrayList<>(2);
        do {
            HeldWrite message = (HeldWrite) queue.peek(); // whatever is thrown, it stays in one of the two lists
            ChannelBuffer content = (ChannelBuffer) message.getMessage();
            bytes.addAll(Arrays.asList(content.toByteBuffers()));
            messages.add(message);
            queue.poll();
            plainBytesLeft += content.readableBytes();
        } while (messages.size() < MAX_MESSAGES && queue.peek() != null && fits(queue));
        pieces = bytes.toArray(new ByteBuffer[0]);
        firstPiece = 0;
        skipUsedPieces();
    }

    private boolean fits(OutboundQueue queue) {
        return OutboundQueue.isMessage(queue.peek())
                && plainBytesLeft + ((ChannelBuffer) ((HeldWrite) queue.peek()).getMessage()).readableBytes()
                        <= CHUNK_BYTES;
    }

    boolean hasBatch() {
        return !messages.isEmpty();
    }

    boolean isBatchUsedUp() {
        return plainBytesLeft == 0;
    }

    /** Whether so much ciphertext is ready that it should be sent first. */
    boolean isChunkFull() {
        return chunkPlainBytes >= CHUNK_BYTES;
    }

    /** Encrypts one record of the batch, or one that the engine needs to send first. */
    SSLEngineResult encryptBatch() throws SSLException {
        if (chunk == null && plainBytesLeft >= MIN_IN_PLACE_BYTES) {
            allocateChunk();
        }
        int offered = Math.min(pieces.length - firstPiece, MAX_PIECES_OFFERED);
        SSLEngineResult result = wrap(pieces, firstPiece, offered);
        plainBytesLeft -= result.bytesConsumed();
        chunkPlainBytes += result.bytesConsumed();
        skipUsedPieces();
        return result;
    }

    /** Encrypts a record that the engine needs to send: part of a handshake, or an alert. */
    SSLEngineResult encryptNothing() throws SSLException {
        return wrap(NOTHING, 0, 1);
    }

    private void skipUsedPieces() {
        while (firstPiece < pieces.length && !pieces[firstPiece].hasRemaining()) {
            pieces[firstPiece++] = null;
        }
    }

    private void allocateChunk() {
        int plainBytes = (int) Math.min(plainBytesLeft, CHUNK_BYTES);
        int packetBytes = packetBytes();
        int overhead = Math.max(0, packetBytes - RECORD_BYTES);
        int lastBytes = plainBytes % RECORD_BYTES;
        int records = plainBytes / RECORD_BYTES + (lastBytes == 0 ? 0 : 1);
        int bytes = plainBytes + records * overhead;
        if (lastBytes >= MIN_IN_PLACE_BYTES) {
            bytes += RECORD_BYTES - lastBytes;
        }
        chunk = ByteBuffer.allocate(bytes + (scratch == null ? 0 : scratch.position()));
        spillScratch();
    }

    private int packetBytes() {
        return state.engine().getSession().getPacketBufferSize();
    }

    private SSLEngineResult wrap(ByteBuffer[] sources, int first, int count) throws SSLException {
        int packetBytes = packetBytes();
        boolean inPlace = chunk != null && chunk.remaining() >= packetBytes;
        ByteBuffer target = inPlace ? chunk : scratchFor(packetBytes);
        try {
            SSLEngineResult result = state.engine().wrap(sources, first, count, target);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                throw new SSLException(
                        "the engine demands more than " + target.remaining() + " bytes of room for a record");
            }
            return result;
        } catch (RuntimeException e) {
            throw new SSLException("the engine failed to encrypt", e);
        } finally {
            if (chunk != null && !inPlace) {
                spillScratch();
            }
        }
    }

    /** Returns a scratch buffer with room for one more record. */
    private ByteBuffer scratchFor(int packetBytes) {
        if (scratch != null && scratch.remaining() < packetBytes) {
            chunk = ByteBuffer.allocate(2 * scratch.position());
            spillScratch();
        }
        if (scratch == null) {
            scratch = acquireScratch(packetBytes);
        }
        return scratch;
    }

    private ByteBuffer acquireScratch(int packetBytes) {
        ByteBuffer pooled = state.execution().acquireBuffer();
        scratchIsPooled = pooled != null && pooled.capacity() >= packetBytes;
        if (pooled != null && !scratchIsPooled) {
            state.execution().releaseBuffer(pooled);
        }
        return scratchIsPooled ? pooled : ByteBuffer.allocate(packetBytes);
    }

    /** Appends the scratch buffer's content to the chunk, which grows if necessary. */
    private void spillScratch() {
        if (scratch == null) {
            return;
        }
        scratch.flip();
        if (chunk.remaining() < scratch.remaining()) {
            int capacity = Math.max(chunk.capacity() * 2, chunk.position() + scratch.remaining());
            chunk = ByteBuffer.allocate(capacity).put(chunk.flip());
        }
        chunk.put(scratch);
        releaseScratch();
    }

    private void releaseScratch() {
        ByteBuffer released = scratch;
        scratch = null;
        if (scratchIsPooled) {
            state.execution().releaseBuffer(released);
        }
    }

    /** Whether {@link #take} returns any part of a message. */
    boolean carriesMessages() {
        return chunkPlainBytes > 0;
    }

    /** Takes the ciphertext so far, to be sent in one write; null if there is nothing to send. */
    ChannelBuffer take() {
        ChannelBuffer taken = null;
        if (chunk != null) {
            taken = ChannelBuffers.wrappedBuffer(chunk.array(), 0, chunk.position());
            chunk = null;
        } else if (scratch != null) {
            byte[] exact = new byte[scratch.flip().remaining()];
            scratch.get(exact);
            releaseScratch();
            taken = ChannelBuffers.wrappedBuffer(exact);
        }
        chunkPlainBytes = 0;
        return taken == null || !taken.readable() ? null : taken;
    }

    /**
     * Ends the batch. Returns the write with its last bytes. The write carries the batch's charge, except the part for the
     * futures of the other messages, which stays charged until the write has been sent.
     */
    HeldWrite endBatch(Channel channel, OutboundQueue queue) {
        ChannelFuture written;
        long charge = 0;
        for (HeldWrite message : messages) {
            charge += message.charge();
        }
        if (messages.size() == 1) {
            written = messages.get(0).getFuture();
        } else {
            written = Channels.future(channel);
            List<ChannelFuture> futures =
                    messages.stream().map(HeldWrite::getFuture).toList();
            long kept = (long) (futures.size() - 1) * WriteAccount.MESSAGE_BYTES;
            charge -= kept;
            written.addListener(outcome -> {
                queue.release(channel, kept);
                futures.forEach(future -> copyOutcome(outcome, future));
            });
        }
        forgetBatch();
        ChannelBuffer records = take();
        ChannelBuffer last = records != null ? records : ChannelBuffers.EMPTY_BUFFER;
        return new HeldWrite(new DownstreamMessageEvent(channel, written, last, null), charge);
    }

    private static void copyOutcome(ChannelFuture from, ChannelFuture to) {
        if (from.isSuccess()) {
            to.setSuccess();
        } else {
            to.setFailure(from.getCause());
        }
    }

    /**
     * Takes the next message out of a batch that is abandoned; null after the last. Ciphertext that was not taken yet stays
     * valid. Allocates nothing.
     */
    HeldWrite pollBatch() {
        HeldWrite next = messages.isEmpty() ? null : messages.remove(0);
        if (messages.isEmpty()) {
            forgetBatch();
        }
        return next;
    }

    private void forgetBatch() {
        messages.clear();
        pieces = NOTHING;
        firstPiece = 0;
        plainBytesLeft = 0;
    }
}
