package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes from a request, in one piece or several, an answer of two bytes that depends on each of its bytes. One thread at a
 * time.
 */
public final class CallDigest {
    public static final int ANSWER_BYTES = 2;

    private final CRC32C checksum = new CRC32C();
    private final int requestBytes;
    private int takenBytes;

    public CallDigest(int requestBytes) {
        this.requestBytes = requestBytes;
    }

    /** Takes all of {@code piece}, and returns whether the request is whole. */
    public boolean take(ByteBuffer piece) {
        takenBytes += piece.remaining();
        if (takenBytes > requestBytes) {
            throw new IllegalArgumentException("bytes after a request of " + requestBytes + ": " + takenBytes);
        }
        checksum.update(piece);
        return takenBytes == requestBytes;
    }

    /** The answer to what was taken; begins anew. */
    public byte[] answer() {
        short answer = (short) checksum.getValue();
        checksum.reset();
        takenBytes = 0;
        return new byte[] {(byte) (answer >> 8), (byte) answer};
    }
}
