package org.freshet.internal.handler;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelClosedException;
import org.freshet.channel.DefaultFileRegion;
import org.freshet.channel.MessageEvent;
import org.freshet.internal.LastWords;
import org.freshet.internal.OpenInput;
import org.freshet.logging.InternalLogger;
import org.freshet.logging.InternalLoggerFactory;

/** Lets go of messages that are not sent, or not any more. Any thread may call. */
public final class UnsentMessage {
    private static final InternalLogger logger = InternalLoggerFactory.getInstance(UnsentMessage.class);
    private static final LastWords NOT_RELEASED =
            LastWords.warning(logger, "a file region or chunked input could not be closed");

    private UnsentMessage() {}

    /** Releases what a write holds, then fails its future. */
    public static void fail(MessageEvent write, Throwable cause) {
        release(write.getMessage());
        write.getFuture().setFailure(cause);
    }

    /**
     * Closes an input, or the file of a region that belongs to the channel. Throws nothing: the future must complete, and other messages
     * be sent.
     */
    public static void release(Object message) {
        try {
            if (message instanceof DefaultFileRegion region && region.releaseAfterTransfer()) {
                region.releaseExternalResources();
            } else if (message instanceof OpenInput input) {
                input.close();
            }
        } catch (Throwable t) {
            NOT_RELEASED.say(message, t);
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
