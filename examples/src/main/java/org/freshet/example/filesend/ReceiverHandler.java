package org.freshet.example.filesend;

import java.security.MessageDigest;
import java.util.Arrays;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelFutureListener;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Receives a header, consisting of the length (8 bytes) and the hash of a file, and then the file. Hashes it piece by
 * piece without keeping it, answers with one byte and closes. Exclusive; its fields belong to the I/O thread.
 */
final class ReceiverHandler extends SimpleChannelUpstreamHandler {
    static final byte RIGHT = 1;
    static final byte WRONG = 0;

    private final ChannelBuffer header = ChannelBuffers.buffer(Long.BYTES + Hash.BYTES);
    private final MessageDigest digest = Hash.newDigest();
    private long receivedBytes;

    /** Works however the header and the file are cut into messages. */
    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        ChannelBuffer bytes = (ChannelBuffer) e.getMessage();
        header.writeBytes(bytes, Math.min(header.writableBytes(), bytes.readableBytes()));
        digest.update(bytes.toByteBuffer());
        receivedBytes += bytes.readableBytes();
        if (!header.writable() && receivedBytes >= header.getLong(0)) {
            byte[] expected = Arrays.copyOfRange(header.array(), Long.BYTES, header.capacity());
            boolean same = receivedBytes == header.getLong(0) && MessageDigest.isEqual(expected, digest.digest());
            System.out.println("(receiver) hashed " + receivedBytes + " bytes");
            ChannelBuffer answer = ChannelBuffers.wrappedBuffer(new byte[] {same ? RIGHT : WRONG});
            e.getChannel().write(answer).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        System.err.println("(receiver) " + e.getCause());
        e.getChannel().close();
    }
}
