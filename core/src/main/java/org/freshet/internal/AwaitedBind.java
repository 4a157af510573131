package org.freshet.internal;

import org.freshet.channel.Channel;
import org.freshet.channel.ChannelLocal;

/**
 * The channels that somebody is binding who learns of a failure from an exception or a future. The failure also goes up the
 * channel's pipeline, but when no handler is there for it, that is no news for the log. Any thread.
 */
public final class AwaitedBind {
    private static final ChannelLocal<Boolean> AWAITED = new ChannelLocal<>();

    private AwaitedBind() {}

    public static void begin(Channel channel) {
        AWAITED.set(channel, Boolean.TRUE);
    }

    /** After a success; a failed channel never is of use again. */
    public static void end(Channel channel) {
        AWAITED.remove(channel);
    }

    public static boolean isAwaited(Channel channel) {
        return AWAITED.get(channel) != null;
    }
}
