package org.freshet.seams;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.LongAccumulator;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.CloseReason.Kind;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteAccount;

/**
 * A well-behaved application: answers each byte with many messages, and writes them only while the channel is writable.
 * I/O thread only, except for what clients call.
 */
final class Answers extends SimpleChannelUpstreamHandler {
    /** The length of an answer: more than the system's buffers and the high water mark hold. */
    static final int BYTES = 256 * 1024;

    private static final int MESSAGE_BYTES = 8 * 1024;

    /** The largest backlog of a connection. */
    private final LongAccumulator mostHeld;

    private int leftBytes;

    Answers(LongAccumulator mostHeld) {
        this.mostHeld = mostHeld;
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        ChannelBuffer request = (ChannelBuffer) e.getMessage();
        byte asked = request.getByte(request.readerIndex());
        leftBytes = BYTES;
        ctx.setAttachment(asked);
        answer(ctx);
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        answer(ctx);
    }

    private void answer(ChannelHandlerContext ctx) {
        while (leftBytes > 0 && ctx.getChannel().isWritable()) {
            byte[] message = new byte[MESSAGE_BYTES];
            for (int i = 0; i < MESSAGE_BYTES; i++) {
                message[i] = at((byte) ctx.getAttachment(), BYTES - leftBytes + i);
            }
            leftBytes -= MESSAGE_BYTES;
            ctx.getChannel().write(ChannelBuffers.wrappedBuffer(message));
            mostHeld.accumulate(WriteAccount.waitingBytes(ctx.getChannel()));
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        if (ctx.getChannel().getCloseReason().kind() == Kind.OVERFLOW) {
            Crowd.say(Crowd.LOST + ctx.getChannel().getCloseReason());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        ctx.getChannel().close();
    }

    private static byte at(byte asked, int index) {
        return (byte) (asked + index * 31);
    }

    // ---- for clients ------------------------------------------------------------------------------------------------

    /** Reads an answer to its end. */
    static void read(InputStream in, byte asked) throws IOException {
        byte[] answer = in.readNBytes(BYTES);
        if (answer.length < BYTES) {
            throw new EOFException("the connection ended after " + answer.length + " of " + BYTES + " bytes");
        }
        for (int i = 0; i < BYTES; i++) {
            if (answer[i] != at(asked, i)) {
                throw new AssertionError("byte " + i + " of the answer to " + asked + " is " + answer[i]);
            }
        }
    }
}
