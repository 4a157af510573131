package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A server's report on a received frame: four numbers on the wire.
 *
 * @param decoderCalls number of frame decoder calls until the frame was complete
 * @param receiveBufferBytes the current size of the socket's receive buffer in the system
 * @param checksum over the whole frame
 */
public record FrameReport(int length, int decoderCalls, int receiveBufferBytes, int checksum) {
    public static final int BYTES = 4 * Integer.BYTES;

    /** Ends each frame, and is not part of it. */
    public static final byte DELIMITER = '|';

    /** Returns the report on a frame with this text, all ASCII. */
    public static FrameReport on(String text, int decoderCalls, int receiveBufferBytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.US_ASCII));
        return new FrameReport(text.length(), decoderCalls, receiveBufferBytes, (int) checksum.getValue());
    }

    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putInt(length)
                .putInt(decoderCalls)
                .putInt(receiveBufferBytes)
                .putInt(checksum)
                .array();
    }

    static FrameReport readFrom(ByteBuffer bytes) {
        return new FrameReport(bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt());
    }
}
