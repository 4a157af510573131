package org.freshet.handler.codec.marshalling;

import java.io.EOFException;
import java.io.IOException;
import org.freshet.buffer.ChannelBuffer;
import org.jboss.marshalling.ByteInput;

/**
 * Reads the bytes of a replayable buffer, up to a limit. Ends like {@link ChannelBufferByteInput}. Returns one byte at
 * a time: unmarshallers read ahead into their own buffers, and bytes they take beyond the end of the object would be
 * lost. Belongs to the thread that reads.
 */
final class ReplayedByteInput implements ByteInput {
    private final ChannelBuffer buffer;
    private int allowance;
    private boolean exceeded;

    ReplayedByteInput(ChannelBuffer buffer, int limit) {
        this.buffer = buffer;
        this.allowance = limit;
    }

    /** Returns whether a byte beyond the limit was requested. */
    boolean isExceeded() {
        return exceeded;
    }

    @Override
    public int read() throws IOException {
        if (!buffer.readable()) {
            throw new EOFException("object is cut short by the end of the connection");
        }
        int b = buffer.readUnsignedByte();
        if (allowance == 0) {
            exceeded = true;
            throw new IOException("object exceeds the maximum length");
        }
        allowance--;
        return b;
    }

    @Override
    public int read(byte[] bytes) throws IOException {
        return read(bytes, 0, bytes.length);
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        bytes[offset] = (byte) read();
        return 1;
    }

    @Override
    public int available() throws IOException {
        return 0; // not known
    }

    @Override
    public long skip(long count) throws IOException {
        if (count <= 0) {
            return 0;
        }
        read();
        return 1;
    }

    @Override
    public void close() throws IOException {
        // Nothing to close.
    }
}
