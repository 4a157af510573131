package org.freshet.channel;

/** Defaults that differ in the drop-in jar for Netty 3, which has its own class of this name. */
final class ChannelDefaults {
    private ChannelDefaults() {}

    /** A value of the property {@code org.freshet.sharability}, or null for the rules of {@link ChannelHandler.Sharable}. */
    static String sharability() {
        return null;
    }
}
