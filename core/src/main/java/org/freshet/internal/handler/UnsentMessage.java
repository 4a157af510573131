package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.CloseReason;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.FailsafeLogMessage;
import org.freshet.internal.HeapReserve;
import org.freshet.internal.OpenInput;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Releases messages that are not sent, or no longer needed. Any thread may call any method. */
public final class UnsentMessage {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnsentMessage.class);
    private static final FailsafeLogMessage NOT_RELEASED =
            FailsafeLogMessage.warning(logger, "cannot close a file region or chunked input");

    private static final Throwable CLOSED_WITHOUT_MEMORY = new ChannelClosedException(null);

    private UnsentMessage() {}

    /** Releases a write's message, then fails its future. */
    public static void fail(MessageEvent write, Throwable cause) {
        release(write.getMessage());
        write.getFuture().setFailure(cause);
    }

    /** Closes an input, or the file of a region that owns it. Never throws: the future must complete, and other messages must be sent. */
    public static void release(Object message) {
        try {
            if (message instanceof DefaultFileRegion region && region.releaseAfterTransfer()) {
                region.releaseExternalResources();
            } else if (message instanceof OpenInput input) {
                input.close();
            }
        } catch (Throwable t) {
            NOT_RELEASED.log(message, t);
        }
    }

    /**
     * Returns the cause to fail unsent writes of a closed channel with; if there is no memory for it, the error, or an exception without the
     * reason: each attempt would have the collector stop all threads.
     */
    public static Throwable causeOfClosed(Channel channel) {
        return causeOfClosed(channel.getCloseReason());
    }

    /** See {@link #causeOfClosed(Channel)}. */
    public static Throwable causeOfClosed(CloseReason reason) {
        if (HeapReserve.isMissing()) {
            return CLOSED_WITHOUT_MEMORY;
        }
        try {
            return new ChannelClosedException(reason);
        } catch (Error withoutMemory) {
            HeapReserve.onFailure(withoutMemory);
            return withoutMemory;
        }
    }
}
