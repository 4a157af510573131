package org.freshet.example.echo;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;

/**
 * Sends a number of bytes as fast as the channel takes them, and compares every byte that comes back. Exclusive: it
 * counts for one connection. Its fields belong to the I/O thread, except the two for reports.
 */
final class EchoClientHandler extends SimpleChannelUpstreamHandler {
    private static final int CHUNK_BYTES = 8 * 1024;

    private final long totalBytes;
    private final AtomicLong verifiedBytes = new AtomicLong();
    private final CompletableFuture<Void> verified = new CompletableFuture<>();
    private long sentBytes;

    EchoClientHandler(long totalBytes) {
        this.totalBytes = totalBytes;
    }

    long verifiedBytes() {
        return verifiedBytes.get();
    }

    /** Completes when every byte has come back, or with the failure. */
    CompletableFuture<Void> verified() {
        return verified;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        sendWhileWritable(e.getChannel());
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        sendWhileWritable(e.getChannel());
    }

    private void sendWhileWritable(Channel channel) {
        while (sentBytes < totalBytes && channel.isWritable()) {
            int bytes = (int) Math.min(CHUNK_BYTES, totalBytes - sentBytes);
            ChannelBuffer chunk = ChannelBuffers.buffer(bytes);
            for (int i = 0; i < bytes; i++) {
                chunk.writeByte(byteAt(sentBytes++));
            }
            channel.write(chunk);
        }
    }

    @Override
    public void messageReceived(ChannelHandlerContext ctx, MessageEvent e) {
        ChannelBuffer received = (ChannelBuffer) e.getMessage();
        long position = verifiedBytes.get();
        while (received.readable()) {
            if (received.readByte() != byteAt(position)) {
                throw new IllegalStateException("byte " + position + " came back changed");
            }
            position++;
        }
        verifiedBytes.set(position);
        if (position == totalBytes) {
            verified.complete(null);
            e.getChannel().close();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        verified.completeExceptionally(
                new IllegalStateException("closed after " + verifiedBytes + " of " + totalBytes + " bytes"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        verified.completeExceptionally(e.getCause());
        e.getChannel().close();
    }

    /** A pattern that repeats late, so that lost, duplicated and swapped pieces show. */
    private static byte byteAt(long position) {
        return (byte) (position * 31 + (position >>> 8) * 17);
    }
}
