package org.freshet.microbench.compare.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What a server says about a frame that it has received: four numbers on the wire.
 *
 * @param decoderCalls how often the frame decoder was asked until the frame was whole
 * @param receiveBufferBytes the size of the socket's receive buffer as the system has it now
 * @param checksum over all of the frame
 */
public record FrameReport(int length, int decoderCalls, int receiveBufferBytes, int checksum) {
    public static final int BYTES = 4 * Integer.BYTES;

    /** What each frame ends with, and is not part of it. */
    public static final byte DELIMITER = '|';

    /** The report on a frame of this text, all of it in ASCII. */
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
