package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes an answer of two bytes from a request, in one piece or several; it depends on every byte of the request. One
 * thread at a time.
 */
public final class CallDigest {
    public static final int ANSWER_BYTES = 2;

    private final CRC32C checksum = new CRC32C();
    private final int requestBytes;
    private int takenBytes;

    public CallDigest(int requestBytes) {
        this.requestBytes = requestBytes;
    }

    /** Takes all of {@code piece}, and returns whether the request is complete. */
    public boolean take(ByteBuffer piece) {
        takenBytes += piece.remaining();
        if (takenBytes > requestBytes) {
            throw new IllegalArgumentException("bytes after a request of " + requestBytes + ": " + takenBytes);
        }
        checksum.update(piece);
        return takenBytes == requestBytes;
    }

    /** Returns the answer to the request, and starts over. */
    public byte[] answer() {
        short answer = (short) checksum.getValue();
        checksum.reset();
        takenBytes = 0;
        return new byte[] {(byte) (answer >> 8), (byte) answer};
    }
}
