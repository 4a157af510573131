package org.freshet.channel.socket.oio;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import org.freshet.channel.FileRegion;
import org.freshet.internal.request.SerialExecutor;
import org.freshet.internal.write.OutgoingMessage;
import org.freshet.internal.write.StallTimer;
import org.freshet.internal.write.WriteStall;

/**
 * Sends messages to a socket's stream. If the thread holds the channel's event executor, it lends the executor while
 * the stream blocks, so time-outs still fire.
 *
 * <p>Used by one thread at a time, the writer of a {@link WriterQueue}, except for the methods called by a
 * {@link StallTimer}.
 */
final class BlockingStreamSender implements StallTimer.Queue {
    /** How many bytes to write to a socket at a time when it matters whether the peer accepts them. */
    private static final int PIECE_BYTES = 4 * 1024;

    private final OioSocketChannel channel;
    private final OutputStream out;
    private final StallTimer stalls = new StallTimer(this);

    /** The message being sent; null between messages and while no stall timer is set. */
    private volatile OutgoingMessage head;

    /** Total bytes of the watched messages. Written by the writer. */
    private volatile long sentBytes;

    BlockingStreamSender(OioSocketChannel channel, OutputStream stream) {
        this.channel = channel;
        out = new LendingStream(stream, channel.serialExecutor());
    }

    /** Blocks until the system has accepted the whole message. */
    void send(OutgoingMessage message) throws IOException {
        if (stallMillis() == 0) {
            sendAll(message);
            return;
        }
        head = message;
        try {
            stalls.onQueued();
            sendAll(message);
        } finally {
            head = null;
        }
    }

    private void sendAll(OutgoingMessage message) throws IOException {
        if (!message.isBuffer()) {
            transfer(message, new StreamTarget(out));
        } else if (message.length() > 0) {
            message.buffer().getBytes(message.position(), out, (int) message.length());
        }
    }

    private static void transfer(OutgoingMessage message, StreamTarget target) throws IOException {
        FileRegion region = message.region();
        while (message.remaining() > 0) {
            long piece = region.transferTo(target, message.sent());
            if (piece <= 0) {
                // A blocking target accepts everything, so the region has ended early.
                throw new EOFException(
                        "the region ended early: expected " + message.length() + " bytes, actual " + message.sent());
            }
            message.addSent(piece);
            message.reportProgress(piece);
        }
    }

    // ---- called by the timer, on any thread -------------------------------------------------------------------------

    @Override
    public Object head() {
        return head;
    }

    @Override
    public long sentBytes() {
        return sentBytes;
    }

    @Override
    public int stallMillis() {
        return channel.getConfig().writeBound().stallMillis();
    }

    @Override
    public void onStalled(int stallMillis) {
        OutgoingMessage stalled = head;
        channel.closeNow(WriteStall.reason(stallMillis, stalled == null ? 0 : stalled.length()));
    }

    /** Writes everything to the socket in one call, or in pieces while the timer must see them leave. */
    private final class LendingStream extends OutputStream {
        private final OutputStream stream;
        private final SerialExecutor executor;

        LendingStream(OutputStream stream, SerialExecutor executor) {
            this.stream = stream;
            this.executor = executor;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            boolean lent = executor.lend();
            try {
                if (head == null) {
                    stream.write(bytes, offset, length);
                } else {
                    writePieces(bytes, offset, length);
                }
            } finally {
                if (lent) {
                    executor.reclaim();
                }
            }
        }

        private void writePieces(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; ) {
                int piece = Math.min(PIECE_BYTES, length - done);
                stream.write(bytes, offset + done, piece);
                done += piece;
                noteSent(piece);
            }
        }
    }

    private void noteSent(int bytes) {
        long sum = sentBytes + bytes; // only one thread at a time writes
        sentBytes = sum;
    }
}
