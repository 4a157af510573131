package org.freshet.handler.codec.http.websocketx;

import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/** Encodes frames (RFC 6455, section 5). Stateless; any thread. */
final class FrameWriter {
    /** Content up to this size is copied after its head; longer content is sent in place. */
    private static final int MAX_COPIED_BYTES = 16 * 1024;

    private FrameWriter() {}

    /** Whether an unmasked frame refers to its content instead of copying it. */
    static boolean isSentInPlace(ChannelBuffer content) {
        return content.readableBytes() > MAX_COPIED_BYTES;
    }

    /** The first byte of the frame. */
    static int firstByte(WebSocketFrame frame, int opcode) {
        return (frame.isFinalFragment() ? FrameHead.FINAL : 0) | frame.getRsv() << 4 | opcode;
    }

    /** Long content is not copied and must not change until it is sent. */
    static ChannelBuffer unmasked(int firstByte, ChannelBuffer content) {
        int length = content.readableBytes();
        if (!isSentInPlace(content)) {
            return ChannelBuffers.wrappedBuffer(unmaskedBytes(firstByte, content));
        }
        byte[] head = new byte[FrameHead.size(length, false)];
        FrameHead.write(head, firstByte, length, false);
        return ChannelBuffers.wrappedBuffer(ChannelBuffers.wrappedBuffer(head), content);
    }

    static byte[] unmaskedBytes(int firstByte, ChannelBuffer content) {
        int length = content.readableBytes();
        byte[] frame = new byte[FrameHead.size(length, false) + length];
        int at = FrameHead.write(frame, firstByte, length, false);
        content.getBytes(content.readerIndex(), frame, at, length);
        return frame;
    }

    static ChannelBuffer masked(int firstByte, ChannelBuffer content) {
        int length = content.readableBytes();
        int mask = Masks.random();
        byte[] frame = new byte[FrameHead.size(length, true) + length];
        int at = FrameHead.write(frame, firstByte, length, true);
        for (int i = 0; i < FrameHead.MASK_BYTES; i++) {
            frame[at++] = (byte) (mask >>> 24 - 8 * i);
        }
        Masks.copy(mask, content, content.readerIndex(), frame, at, length);
        return ChannelBuffers.wrappedBuffer(frame);
    }
}
