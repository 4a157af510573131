package org.freshet.handler.ssl;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.buffer.CompositeChannelBuffer;

/**
 * Decrypts records, each directly from the received bytes into the memory that the application gets. In a step only.
 *
 * <p>Application data records that arrived together become one message. Any other record is decrypted alone, so it is processed
 * before the next one.
 */
final class RecordReader {
    /** The most ciphertext in one message: as much as a transport reads in one go. */
    private static final int MAX_RUN_BYTES = 64 * 1024;

    private final TlsState state;
    private ByteBuffer plaintext;

    /** Thrown by the engine after it had decrypted part of the run, or null. */
    private SSLException failure;

    private int runBytes;
    private int runRecords;

    RecordReader(TlsState state) {
        this.state = state;
    }

    /**
     * Decrypts the record at the reader index, all of whose {@code length} bytes have arrived. With {@code more}, also decrypts
     * the application data records that directly follow an application data record. Consumes what the engine consumed.
     *
     * @return the engine's last result
     * @throws SSLException if the engine throws before any plaintext; later failures are thrown by {@link #checkFailure}
     */
    SSLEngineResult read(ChannelBuffer in, int length, boolean more) throws SSLException {
        measureRun(in, length, more);
        ByteBuffer source = in.toByteBuffer(in.readerIndex(), runBytes);
        int start = source.position();
        plaintext = ByteBuffer.allocate(runBytes - runRecords * TlsRecords.HEADER_BYTES);
        try {
            SSLEngineResult result;
            do {
                result = unwrap(source);
            } while (source.hasRemaining() && mayContinue(result));
            return result;
        } catch (SSLException e) {
            failure = e;
            source.position(source.limit());
            return null;
        } finally {
            in.skipBytes(source.position() - start);
        }
    }

    private void measureRun(ChannelBuffer in, int length, boolean more) throws NotSslRecordException {
        runBytes = length;
        runRecords = 1;
        // A record split across reads is merged by copying; don't copy the ones after it.
        if (!more || in instanceof CompositeChannelBuffer) {
            return;
        }
        int next = in.readerIndex();
        int nextLength = length;
        while (TlsRecords.type(in, next) == TlsRecords.APPLICATION_DATA) {
            next += nextLength;
            nextLength = wholeRecord(in, next);
            if (nextLength == 0
                    || TlsRecords.type(in, next) != TlsRecords.APPLICATION_DATA
                    || runBytes + nextLength > MAX_RUN_BYTES) {
                return;
            }
            runBytes += nextLength;
            runRecords++;
        }
    }

    /**
     * The length of the record there, or 0 if it is incomplete or invalid. An invalid one fails when it is the next to be read.
     */
    private static int wholeRecord(ChannelBuffer in, int index) {
        try {
            int length = TlsRecords.length(in, index);
            return length <= in.writerIndex() - index ? length : 0;
        } catch (NotSslRecordException later) {
            return 0;
        }
    }

    private SSLEngineResult unwrap(ByteBuffer source) throws SSLException {
        try {
            SSLEngineResult result = state.engine().unwrap(source, plaintext);
            while (result.getStatus() == Status.BUFFER_OVERFLOW) {
                growPlaintext();
                result = state.engine().unwrap(source, plaintext);
            }
            if (result.getStatus() == Status.BUFFER_UNDERFLOW) {
                throw new SSLException(
                        "the engine rejects a complete record of " + source.remaining() + " bytes as incomplete");
            }
            return result;
        } catch (RuntimeException e) {
            throw new SSLException("the engine failed to decrypt", e);
        }
    }

    /** Plaintext is never longer than its record, but an engine may demand more room than it uses. */
    private void growPlaintext() throws SSLException {
        int enough = plaintext.position() + state.engine().getSession().getApplicationBufferSize();
        if (plaintext.capacity() >= enough) {
            throw new SSLException(
                    "the engine demands more than " + plaintext.remaining() + " bytes of room for a record");
        }
        plaintext = ByteBuffer.allocate(enough).put(plaintext.flip());
    }

    private static boolean mayContinue(SSLEngineResult result) {
        return result.getStatus() == Status.OK
                && result.bytesConsumed() > 0
                && result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** The plaintext since the last call, or null. */
    ChannelBuffer takePlaintext() {
        ByteBuffer taken = plaintext;
        plaintext = null;
        if (taken == null || taken.position() == 0) {
            return null;
        }
        return ChannelBuffers.wrappedBuffer(taken.array(), 0, taken.position());
    }

    /** Throws the engine's failure, once the plaintext before it has been delivered. */
    void checkFailure() throws SSLException {
        SSLException thrown = failure;
        failure = null;
        if (thrown != null) {
            throw thrown;
        }
    }
}
