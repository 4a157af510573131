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
 * Sends a number of bytes as fast as the channel takes them. {@code write()} never waits: bytes that the peer has not
 * taken stay in memory. So this handler checks {@code isWritable()} before each write, and continues when it changes.
 * Exclusive; its fields belong to the I/O thread, except those for reports.
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

    /** Completes when all bytes have been sent, or with the failure. */
    CompletableFuture<Void> sent() {
        return sent;
    }

    long sentBytes() {
        return sentBytes;
    }

    /** Returns the highest number of bytes that were written but not yet sent. */
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
