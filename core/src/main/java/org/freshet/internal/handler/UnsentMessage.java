package org.freshet.internal.handler;

import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Lets go of messages that are not sent, or not any more. Any thread may call. */
public final class UnsentMessage {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnsentMessage.class);

    private UnsentMessage() {}

    /** Releases what a write holds, then fails its future. */
    public static void fail(MessageEvent write, Throwable cause) {
        release(write.getMessage());
        write.getFuture().setFailure(cause);
    }

    /** Closes the file of a region that belongs to the channel. Throws nothing: the future must complete, and other messages be sent. */
    public static void release(Object message) {
        if (message instanceof DefaultFileRegion region && region.releaseAfterTransfer()) {
            try {
                region.releaseExternalResources();
            } catch (Throwable t) {
                warn(t);
            }
        }
    }

    private static void warn(Throwable failure) {
        try {
            logger.warn("failed to release a file region", failure);
        } catch (Throwable withoutMemory) {
            return;
        }
    }
}
