package org.freshet.example.discard;

import java.util.concurrent.CompletableFuture;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.buffer.ChannelBuffers;
import org.freshet.channel.Channel;
import org.freshet.channel.ChannelHandlerContext;
import org.freshet.channel.ChannelStateEvent;
import org.freshet.channel.ExceptionEvent;
import org.freshet.channel.SimpleChannelUpstreamHandler;
import org.freshet.channel.WriteCompletionEvent;

/**
 * Sends a number of bytes as fast as the channel takes them. {@code write()} never waits: what the peer has not taken
 * stays in memory, so this looks at {@code isWritable()} before each write, and goes on when it is told of a change.
 * Exclusive; its fields belong to the I/O thread, but for those that report.
 */
final class DiscardClientHandler extends SimpleChannelUpstreamHandler {
    private static final ChannelBuffer CHUNK =
            ChannelBuffers.unmodifiableBuffer(ChannelBuffers.directBuffer(16 * 1024));

    private final long totalBytes;
    private final CompletableFuture<Void> sent = new CompletableFuture<>();
    private long writtenBytes;
    private volatile long sentBytes;
    private volatile long mostWaitingBytes;

    DiscardClientHandler(long totalBytes) {
        this.totalBytes = totalBytes;
    }

    /** Completes when every byte has left, or with what went wrong. */
    CompletableFuture<Void> sent() {
        return sent;
    }

    long sentBytes() {
        return sentBytes;
    }

    /** How many bytes were written and had not left, at most. */
    long mostWaitingBytes() {
        return mostWaitingBytes;
    }

    @Override
    public void channelConnected(ChannelHandlerContext ctx, ChannelStateEvent e) {
        writeWhileWritable(e.getChannel());
    }

    @Override
    public void channelInterestChanged(ChannelHandlerContext ctx, ChannelStateEvent e) {
        writeWhileWritable(e.getChannel());
    }

    private void writeWhileWritable(Channel channel) {
        while (writtenBytes < totalBytes && channel.isWritable()) {
            int bytes = (int) Math.min(CHUNK.capacity(), totalBytes - writtenBytes);
            writtenBytes += bytes;
            mostWaitingBytes = Math.max(mostWaitingBytes, writtenBytes - sentBytes);
            channel.write(CHUNK.slice(0, bytes));
        }
    }

    @Override
    public void writeComplete(ChannelHandlerContext ctx, WriteCompletionEvent e) {
        sentBytes += e.getWrittenAmount();
        if (sentBytes == totalBytes) {
            sent.complete(null);
            e.getChannel().close();
        }
    }

    @Override
    public void channelClosed(ChannelHandlerContext ctx, ChannelStateEvent e) {
        sent.completeExceptionally(
                new IllegalStateException("closed after " + sentBytes + " of " + totalBytes + " bytes"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, ExceptionEvent e) {
        sent.completeExceptionally(e.getCause());
        e.getChannel().close();
    }
}
