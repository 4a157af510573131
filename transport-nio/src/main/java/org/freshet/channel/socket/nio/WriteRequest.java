package org.freshet.channel.socket.nio;

import java.net.SocketAddress;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/**
 * One message on its way out. Made by the writing thread, then owned by the loop.
 *
 * <p>What is sent is fixed when the request is made: the user's buffer keeps its indices, and moving them later changes
 * nothing.
 */
final class WriteRequest {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(WriteRequest.class);

    /** A {@link ChannelBuffer} or a {@link FileRegion}. */
    final Object message;

    final ChannelFuture future;

    /** Null for a stream. */
    final SocketAddress remoteAddress;

    /** Index of the first byte in a buffer; 0 for a file region. */
    final int start;

    /** Bytes in all. */
    final long length;

    /** Bytes that have left. */
    long sent;

    /** The next one in the queue, or in the inbox the one that came before. */
    WriteRequest next;

    private WriteRequest(MessageEvent event, Object message, int start, long length) {
        this.message = message;
        this.future = event.getFuture();
        this.remoteAddress = event.getRemoteAddress();
        this.start = start;
        this.length = length;
    }

    /**
     * @throws IllegalArgumentException if the message is neither a buffer nor a file region
     */
    static WriteRequest of(MessageEvent event) {
        Object message = event.getMessage();
        if (message instanceof ChannelBuffer buffer) {
            return new WriteRequest(event, buffer, buffer.readerIndex(), buffer.readableBytes());
        }
        if (message instanceof FileRegion region) {
            return new WriteRequest(event, region, 0, region.getCount());
        }
        throw new IllegalArgumentException(
                "message is neither a ChannelBuffer nor a FileRegion, an encoder is missing: "
                        + (message == null ? "null" : message.getClass().getName()));
    }

    long remaining() {
        return length - sent;
    }

    boolean isBuffer() {
        return message instanceof ChannelBuffer;
    }

    ChannelBuffer buffer() {
        return (ChannelBuffer) message;
    }

    FileRegion region() {
        return (FileRegion) message;
    }

    /** Memory that this request holds until it is sent, for the water marks; a file region holds none. */
    long pendingBytes() {
        return isBuffer() ? length : 0;
    }

    /** Lets go of what the request holds, then completes its future: with success when {@code cause} is null. */
    void complete(Throwable cause) {
        release();
        if (cause == null) {
            future.setSuccess();
        } else {
            future.setFailure(cause);
        }
    }

    /** A user's region may throw; the future must complete all the same. */
    private void release() {
        if (message instanceof DefaultFileRegion region && region.releaseAfterTransfer()) {
            try {
                region.releaseExternalResources();
            } catch (Throwable t) {
                logger.warn("failed to release a file region", t);
            }
        }
    }
}
