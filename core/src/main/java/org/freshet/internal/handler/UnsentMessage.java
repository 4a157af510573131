package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.LastWords;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Lets go of messages that are not sent, or not any more. Any thread may call. */
public final class UnsentMessage {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnsentMessage.class);
    private static final LastWords NOT_RELEASED = LastWords.warning(logger, "failed to release a file region");

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
                NOT_RELEASED.say(null, t);
            }
        }
    }

    /** What the writes fail with that a closed channel did not send; without memory for that, the error. */
    public static Throwable causeOfClosed(Channel channel) {
        try {
            return ChannelClosedException.of(channel);
        } catch (Error withoutMemory) {
            return withoutMemory;
        }
    }
}
