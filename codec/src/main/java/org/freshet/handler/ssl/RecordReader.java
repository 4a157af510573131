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
 * Decrypts records, each straight from the received bytes into the memory that the application gets. In a step only.
 *
 * <p>Records of application data that arrived together become one message. Any other record is decrypted alone, so that
 * what it tells is dealt with before the next one.
 */
final class RecordReader {
    /** The most ciphertext that becomes one message: as much as a transport reads at once. */
    private static final int MAX_RUN_BYTES = 64 * 1024;

    private final TlsState state;
    private ByteBuffer plaintext;

    /** What the engine threw after it had decrypted a part of the run; null if nothing. */
    private SSLException failure;

    private int runBytes;
    private int runRecords;

    RecordReader(TlsState state) {
        this.state = state;
    }

    /**
     * Decrypts the record at the reader index, whose {@code length} bytes are all there, and with {@code more} also records
     * of application data that follow one such. Reads what the engine consumed.
     *
     * @return what the engine said last
     * @throws SSLException if the engine threw and no plaintext came before that; else {@link #checkFailure} throws it
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
            } while (source.hasRemaining() && goesOn(result));
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
        // A record that straddles reads is merged by a copy; those after it must not be.
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

    /** The length of the record there, or 0 if it is incomplete or no record; the latter fails when it is the next to be read. */
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
                        "a whole record of " + source.remaining() + " bytes is too little for the engine");
            }
            return result;
        } catch (RuntimeException e) {
            throw new SSLException("the engine failed to decrypt", e);
        }
    }

    /** A record never holds more than it is long; but an engine may want more room than it uses. */
    private void growPlaintext() throws SSLException {
        int enough = plaintext.position() + state.engine().getSession().getApplicationBufferSize();
        if (plaintext.capacity() >= enough) {
            throw new SSLException("the engine wants more room than " + plaintext.remaining() + " bytes for a record");
        }
        plaintext = ByteBuffer.allocate(enough).put(plaintext.flip());
    }

    private static boolean goesOn(SSLEngineResult result) {
        return result.getStatus() == Status.OK
                && result.bytesConsumed() > 0
                && result.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** What was decrypted since the last call; null if nothing. */
    ChannelBuffer takePlaintext() {
        ByteBuffer taken = plaintext;
        plaintext = null;
        if (taken == null || taken.position() == 0) {
            return null;
        }
        return ChannelBuffers.wrappedBuffer(taken.array(), 0, taken.position());
    }

    /** Throws what the engine threw, now that what came before it is delivered. */
    void checkFailure() throws SSLException {
        SSLException thrown = failure;
        failure = null;
        if (thrown != null) {
            throw thrown;
        }
    }
}
