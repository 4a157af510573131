package org.freshet.internal.write;

import java.net.SocketAddress;
import org.freshet.buffer.ChannelBuffer;
import org.freshet.channel.ChannelFuture;
import org.freshet.channel.FileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.channel.OutputShutdown;
import org.freshet.channel.WriteAccount;
import org.freshet.internal.handler.UnsentMessage;
import org.freshet.internal.request.ChannelRequest;

/**
 * A message that waits to be sent, and how much of it has been sent.
 *
 * <p>The bytes to send are fixed when this object is created: moving the indices of the user's buffer later has no effect on it.
 *
 * <p>Threading: created by the writing thread, then used by the one thread that sends.
 */
public class OutgoingMessage extends ChannelRequest {
    /** A {@link ChannelBuffer}, a {@link FileRegion} or {@link OutputShutdown}. */
    private Object message;

    private final ChannelFuture future;

    /** Null means the peer, if there is one. */
    private final SocketAddress remoteAddress;

    /** Index of the message's first byte in a buffer, negative if the buffer starts after that byte; 0 for a file region. */
    private int start;

    /** The total number of bytes. */
    private final long length;

    /** The number of bytes that have been sent. */
    private long sent;

    /**
     * Takes the message, its future and its receiver from the event.
     *
     * @throws IllegalArgumentException if a transport cannot send a message of this type
     */
    public OutgoingMessage(MessageEvent event) {
        message = event.getMessage();
        future = event.getFuture();
        remoteAddress = event.getRemoteAddress();
        if (message instanceof ChannelBuffer buffer) {
            start = buffer.readerIndex();
            length = buffer.readableBytes();
        } else if (message instanceof FileRegion region) {
            start = 0;
            length = region.getCount();
        } else if (message == OutputShutdown.INSTANCE) {
            start = 0;
            length = 0;
        } else {
            throw new IllegalArgumentException(
                    "message is neither a ChannelBuffer nor a FileRegion, an encoder is missing: "
                            + (message == null ? "null" : message.getClass().getName()));
        }
    }

    /** Returns the next message in the list, which must contain only messages. */
    public final OutgoingMessage nextMessage() {
        return (OutgoingMessage) next;
    }

    public final boolean isBuffer() {
        return message instanceof ChannelBuffer;
    }

    /** Whether this is the end of the output. Nothing is sent for it, and nothing after it. */
    public final boolean isOutputEnd() {
        return message == OutputShutdown.INSTANCE;
    }

    /** Only if {@link #isBuffer}. */
    public final ChannelBuffer buffer() {
        return (ChannelBuffer) message;
    }

    /** Only if neither {@link #isBuffer} nor {@link #isOutputEnd}. */
    public final FileRegion region() {
        return (FileRegion) message;
    }

    /** Copies the unsent bytes, because the buffer's loan is about to end. Only if {@link #isBuffer}; called by the thread that sends. */
    public final void takeCopy() {
        message = buffer().copy(position(), (int) remaining());
        start = (int) -sent;
    }

    public final SocketAddress remoteAddress() {
        return remoteAddress;
    }

    /** Returns the index in the buffer of the first unsent byte. */
    public final int position() {
        return start + (int) sent;
    }

    public final long length() {
        return length;
    }

    public final long sent() {
        return sent;
    }

    public final long remaining() {
        return length - sent;
    }

    /** Returns the message's charge in its channel's account until it is sent; see {@link WriteAccount#bytesOf}. */
    public final long chargedBytes() {
        if (isBuffer()) {
            return WriteAccount.costOf(length);
        }
        return isOutputEnd() ? 0 : WriteAccount.FILE_BYTES;
    }

    /** Counts bytes that were sent. */
    public final void addSent(long bytes) {
        sent += bytes;
    }

    /** Reports to the future how much has been sent; for file regions only. */
    public final void reportProgress(long amount) {
        if (!isBuffer()) {
            future.setProgress(amount, sent, length);
        }
    }

    /** Releases the message, then completes its future: with success if {@code cause} is null. */
    public final void complete(Throwable cause) {
        if (!isBuffer()) {
            UnsentMessage.release(message);
        }
        if (cause == null) {
            future.setSuccess();
        } else {
            future.setFailure(cause);
        }
    }
}
