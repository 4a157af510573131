package org.freshet.channel;

/** Defaults that differ between Freshet and its drop-in jar for Netty 3, which has a class of this name of its own. */
final class ChannelDefaults {
    private ChannelDefaults() {}

    /** A value of the property {@code org.freshet.sharability}, or null for the rule of {@link ChannelHandler.Sharable}. */
    static String sharability() {
        return null;
    }
}
