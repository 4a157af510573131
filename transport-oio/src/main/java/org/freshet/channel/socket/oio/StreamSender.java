package org.freshet.channel.socket.oio;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import org.freshet.channel.FileRegion;
import org.freshet.internal.transport.OutgoingMessage;
import org.freshet.internal.transport.SerialExecutor;

/**
 * Sends messages to a socket's stream. While the stream blocks, the thread lends the channel's event executor, if it holds it, so
 * that time-outs still fire.
 *
 * <p>Used by one thread at a time, the writer of a {@link WriteQueue}.
 */
final class StreamSender {
    private final OutputStream out;

    StreamSender(OutputStream stream, SerialExecutor executor) {
        out = new LendingStream(stream, executor);
    }

    /** Blocks until the system has taken the whole message. */
    void send(OutgoingMessage message) throws IOException {
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
                // A blocking target takes all it is given, so the region has ended early.
                throw new EOFException(
                        "the region ended early: expected " + message.length() + " bytes, actual " + message.sent());
            }
            message.addSent(piece);
            message.reportProgress(piece);
        }
    }

    private static final class LendingStream extends OutputStream {
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
                stream.write(bytes, offset, length);
            } finally {
                if (lent) {
                    executor.reclaim();
                }
            }
        }
    }
}
