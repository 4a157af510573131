package org.freshet.example.grpc;

import com.google.protobuf.MessageLite;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;

/**
 * gRPC's framing: a flag, which is 0 for a message that isn't compressed, four octets of length, and the message. Cuts messages out of
 * content, however that comes in pieces.
 *
 * <p>One for each direction of a call; the I/O thread's.
 */
final class GrpcMessages {
    /** Octets of a message. A peer can't make us keep more than one, and one piece of content. */
    static final int MAX_LENGTH = 4 * 1024 * 1024;

    private static final int HEADER_LENGTH = 5;

    /** What a message's sender and this one need to agree on. */
    interface Receiver {
        void onMessage(byte[] message) throws Exception;
    }

    private final ChannelBuffer unread = ChannelBuffers.dynamicBuffer();

    /** Gives the messages that the content completes to the receiver. */
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
                    GrpcStatus.RESOURCE_EXHAUSTED, "a message of " + length + " bytes; at most " + MAX_LENGTH);
        }
    }

    /** Whether the content so far ends with a message. */
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
