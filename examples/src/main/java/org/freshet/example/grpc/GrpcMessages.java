package org.freshet.example.grpc;

import com.google.protobuf.MessageLite;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * gRPC's framing: a flag (0 for an uncompressed message), four octets of length, and the message. Extracts messages
 * from content, however it is cut.
 *
 * <p>One instance per direction of a call. I/O thread only.
 */
final class GrpcMessages {
    /** Maximum octets of a message. A peer can make us keep at most one message, plus one piece of content. */
    static final int MAX_LENGTH = 4 * 1024 * 1024;

    private static final int HEADER_LENGTH = 5;

    /** Receives the extracted messages. */
    interface Receiver {
        void onMessage(byte[] message) throws Exception;
    }

    private final ChannelBuffer unread = ChannelBuffers.dynamicBuffer();

    /** Passes the messages completed by this content to the receiver. */
    void add(ChannelBuffer content, Receiver receiver) throws Exception {
        unread.discardReadBytes();
        unread.writeBytes(content);
        while (unread.readableBytes() >= HEADER_LENGTH) {
            int at = unread.readerIndex();
            long length = unread.getUnsignedInt(at + 1);
            check(unread.getByte(at), length);
            if (unread.readableBytes() < HEADER_LENGTH + length) {
                return;
            }
            unread.skipBytes(HEADER_LENGTH);
            byte[] message = new byte[(int) length];
            unread.readBytes(message);
            receiver.onMessage(message);
        }
    }

    private static void check(byte flag, long length) throws GrpcException {
        if (flag != 0) {
            throw new GrpcException(GrpcStatus.UNIMPLEMENTED, "compressed messages aren't supported");
        }
        if (length > MAX_LENGTH) {
            throw new GrpcException(
                    GrpcStatus.RESOURCE_EXHAUSTED, "message of " + length + " bytes; the maximum is " + MAX_LENGTH);
        }
    }

    /** Returns whether the content so far ends at the end of a message. */
    boolean isWhole() {
        return !unread.readable();
    }

    static ChannelBuffer frame(MessageLite message) {
        byte[] octets = message.toByteArray();
        ChannelBuffer header = ChannelBuffers.buffer(HEADER_LENGTH);
        header.writeByte(0);
        header.writeInt(octets.length);
        return ChannelBuffers.wrappedBuffer(header, ChannelBuffers.wrappedBuffer(octets));
    }
}
